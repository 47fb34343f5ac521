// What a transcript needs from other files: a continuation of 1.0.x names a parent in the old file, a fork of a
// compacted session begins at the Boundary and names what came before. Only the path above the named record is taken,
// with what hangs beside it; the other file's later Turns are its own.

import { fullLinks } from '../graph/full-links.ts'
import { outlineOf } from '../graph/outline.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread } from '../graph/thread.ts'
import type { LoadedTranscript } from './build.ts'

/** Finds the transcript that holds a record, other than the ones already taken. */
export type FindTranscript = (uuid: string, except: ReadonlySet<string>) => LoadedTranscript | null

export function earlierTranscripts(
  main: LoadedTranscript,
  own: Thread,
  find: FindTranscript,
): readonly LoadedTranscript[] {
  const taken = new Set([main.path])
  const earlier: LoadedTranscript[] = []
  let thread = own
  while (true) {
    const next = firstFound(thread, find, taken)
    if (next === null) return earlier
    taken.add(next.transcript.path)
    const part = pathAbove(next.transcript, next.uuid)
    earlier.unshift(part)
    thread = buildThread([...earlier, main].map(({ envelopes }, transcript) => ({ transcript, envelopes })))
  }
}

function firstFound(
  thread: Thread,
  find: FindTranscript,
  taken: ReadonlySet<string>,
): { readonly uuid: string; readonly transcript: LoadedTranscript } | null {
  for (const { first } of thread.nodes) {
    const named = first.parentUuid ?? (first.kind === 'boundary' ? first.links?.logicalParentUuid : undefined)
    if (named === undefined || named === null || first.isSidechain || thread.byUuid.has(named)) continue
    const transcript = find(named, taken)
    if (transcript !== null) return { uuid: named, transcript }
  }
  return null
}

function pathAbove(transcript: LoadedTranscript, uuid: string): LoadedTranscript {
  const thread = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
  const links = fullLinks(thread)
  const live = outlineOf(thread, links.parents, thread.byUuid.get(uuid) ?? null).branches[0]
  const nodes = new Set(live?.path)
  for (const beside of live?.beside.values() ?? []) for (const node of beside) nodes.add(node)
  const envelopes = [...nodes].sort((one, other) => one - other).map((node) => (thread.nodes[node] as ThreadNode).first)
  return { ...transcript, envelopes }
}
