// What a transcript needs from other files: a continuation of 1.0.x names a parent in the old file, a fork of a
// compacted session begins at the Boundary and names what came before. Only the path above the named record is taken,
// with what hangs beside it; the other file's later Turns are its own.

import { fullLinks, isMoved } from '../graph/full-links.ts'
import { outlineOf } from '../graph/outline.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread, walksOver } from '../graph/thread.ts'
import type { LoadedTranscript } from './build.ts'

/** Finds the transcript that holds a record, other than the ones already taken. */
export type FindTranscript = (uuid: string, except: ReadonlySet<string>) => LoadedTranscript | null

export interface Earlier {
  readonly transcripts: readonly LoadedTranscript[]
  readonly joins: ReadonlyMap<string, string>
}

/** Finds a transcript by its session, other than the ones already taken. */
export type FindSession = (sessionId: string, except: ReadonlySet<string>) => LoadedTranscript | null

export function earlierTranscripts(
  main: LoadedTranscript,
  own: Thread,
  find: FindTranscript,
  findSession: FindSession,
): Earlier {
  const taken = new Set([main.path])
  const earlier: LoadedTranscript[] = []
  const joins = new Map<string, string>()
  let thread = own
  let first = main
  while (true) {
    const next = firstFound(thread, find, taken) ?? firstResumed(first, findSession, taken, joins)
    if (next === null) return { transcripts: earlier, joins }
    taken.add(next.transcript.path)
    first = pathAbove(next.transcript, next.uuid)
    earlier.unshift(first)
    thread = buildThread([...earlier, main].map(({ envelopes }, transcript) => ({ transcript, envelopes })))
  }
}

/** A session_start that names the session it resumes: its first record goes on from that session's last one. */
function firstResumed(
  transcript: LoadedTranscript,
  findSession: FindSession,
  taken: ReadonlySet<string>,
  joins: Map<string, string>,
): { readonly uuid: string; readonly transcript: LoadedTranscript } | null {
  const named = transcript.envelopes.find(({ links }) => links?.parentSessionId !== undefined)?.links?.parentSessionId
  const child = transcript.envelopes.find(({ uuid }) => uuid !== null)?.uuid
  const parent = named === undefined ? null : findSession(named, taken)
  const last = parent?.envelopes.findLast(({ uuid }) => uuid !== null)?.uuid
  if (parent === null || child == null || last == null) return null
  joins.set(child, last)
  return { uuid: last, transcript: parent }
}

function firstFound(
  thread: Thread,
  find: FindTranscript,
  taken: ReadonlySet<string>,
): { readonly uuid: string; readonly transcript: LoadedTranscript } | null {
  const { parents } = thread.first
  const walks = walksOver(thread)
  for (let index = 0; index < parents.length; index++) {
    // One that is there is nobody else's business; nearly all are.
    if ((parents[index] as number) >= 0) continue
    const { first } = thread.nodes[index] as ThreadNode
    const named = first.parentUuid ?? (first.kind === 'boundary' ? first.links?.logicalParentUuid : undefined)
    if (named === undefined || named === null || first.isSidechain) continue
    const known = thread.byUuid.get(named)
    if (known !== undefined && !isMoved(thread, index, known, walks)) continue
    const transcript = known === undefined ? find(named, taken) : findUnmoved(first.uuid, named, find, taken)
    if (transcript !== null) return { uuid: named, transcript }
  }
  return null
}

/** Another fork has moved the record too: what came before it is only told where it stands before the Boundary. */
function findUnmoved(
  boundary: string | null,
  named: string,
  find: FindTranscript,
  taken: ReadonlySet<string>,
): LoadedTranscript | null {
  const except = new Set(taken)
  while (true) {
    const transcript = find(named, except)
    const met = transcript?.envelopes.find(({ uuid }) => uuid === named || uuid === boundary)?.uuid
    if (transcript === null || met === named) return transcript
    except.add(transcript.path)
  }
}

function pathAbove(transcript: LoadedTranscript, uuid: string): LoadedTranscript {
  const thread = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
  const links = fullLinks(thread)
  const live = outlineOf(thread, links.parents, thread.byUuid.get(uuid) ?? null).branches[0]
  const nodes = new Set(live?.path)
  for (const beside of live?.beside.values() ?? []) for (const node of beside) nodes.add(node)
  const path = [...nodes].sort((one, other) => one - other).map((node) => (thread.nodes[node] as ThreadNode).first)
  // What says where this file itself goes on from has no uuid and comes along.
  const starts = transcript.envelopes.filter(({ links }) => links?.parentSessionId !== undefined)
  return { ...transcript, envelopes: [...starts, ...path] }
}
