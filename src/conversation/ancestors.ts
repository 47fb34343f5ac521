// What a transcript needs from other files: a continuation of 1.0.x names a parent in the old file, a fork of a
// compacted session begins at the Boundary and names what came before. Only the path above the named record is taken,
// with what hangs beside it; the other file's later Turns are its own.

import { fullLinks, isMoved } from '../graph/full-links.ts'
import { outlineOf } from '../graph/outline.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread, isMessageNode, walksOver } from '../graph/thread.ts'
import type { Envelope } from '../record/model.ts'
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
    const next = firstFound(thread, find, taken, joins) ?? firstResumed(first, findSession, taken, joins)
    if (next === null) return { transcripts: earlier, joins }
    taken.add(next.transcript.path)
    first = pathAbove(next.transcript, next.uuid)
    earlier.unshift(first)
    thread = buildThread([...earlier, main].map(({ envelopes }, transcript) => ({ transcript, envelopes })))
  }
}

/** A session_start that names the session it resumes: its first record goes on from what that one had last said then. */
function firstResumed(
  transcript: LoadedTranscript,
  findSession: FindSession,
  taken: ReadonlySet<string>,
  joins: Map<string, string>,
): Found | null {
  const start = transcript.envelopes.find(({ links }) => links?.parentSessionId !== undefined)
  const named = start?.links?.parentSessionId
  const child = transcript.envelopes.find(({ uuid }) => uuid !== null)?.uuid
  const parent = named === undefined ? null : findSession(named, taken)
  const last = parent === null ? null : lastAt(parent, start?.timestampMs ?? null)
  if (parent === null || child == null || last == null) return null
  joins.set(child, last)
  return { uuid: last, transcript: parent }
}

/** The parent may have gone on by itself. Where times tell nothing, all of it counts. */
function lastAt({ envelopes }: LoadedTranscript, startMs: number | null): string | null {
  const before = (envelope: Envelope): boolean =>
    envelope.uuid !== null && startMs !== null && envelope.timestampMs !== null && envelope.timestampMs <= startMs
  return (envelopes.findLast(before) ?? envelopes.findLast(({ uuid }) => uuid !== null))?.uuid ?? null
}

interface Found {
  /** The last record that is taken. */
  readonly uuid: string
  readonly transcript: LoadedTranscript
}

function firstFound(
  thread: Thread,
  find: FindTranscript,
  taken: ReadonlySet<string>,
  joins: Map<string, string>,
): Found | null {
  const { parents } = thread.first
  const walks = walksOver(thread)
  let spokenIn: number | null = null
  for (let index = 0; index < parents.length; index++) {
    const { first, uuid, transcript } = thread.nodes[index] as ThreadNode
    // What was said before it in its own file comes before it, whatever a copy has there.
    const isFirst = spokenIn !== transcript
    if (isMessageNode(thread, index)) spokenIn = transcript
    // One that is there is nobody else's business; nearly all are.
    if ((parents[index] as number) >= 0) continue
    const isBoundary = first.kind === 'boundary'
    const named = first.parentUuid ?? (isBoundary ? first.links?.logicalParentUuid : undefined) ?? null
    // Forks of 1.0.x begin with a Boundary that names nothing.
    const isHead = isBoundary && index === 0
    if ((named === null && !isHead) || first.isSidechain || joins.has(uuid)) continue
    const known = named === null ? undefined : thread.byUuid.get(named)
    if (known !== undefined && !isMoved(thread, index, known, walks)) continue
    const isCopied = isBoundary && isFirst
    const found = (isCopied ? foundBefore(uuid, find, taken) : null) ?? foundUnmoved(uuid, named, find, taken)
    if (found === null) continue
    joins.set(uuid, found.uuid)
    return found
  }
  return null
}

/** The file that a Boundary was copied from knows best what came before it. */
function foundBefore(boundary: string, find: FindTranscript, taken: ReadonlySet<string>): Found | null {
  const except = new Set(taken)
  for (let transcript = find(boundary, except); transcript !== null; transcript = find(boundary, except)) {
    const thread = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
    const parent = fullLinks(thread).parents[thread.byUuid.get(boundary) ?? -1] ?? -1
    if (parent >= 0) return { uuid: (thread.nodes[parent] as ThreadNode).uuid, transcript }
    except.add(transcript.path)
  }
  return null
}

/** Another fork has moved the record too: what came before it is only told where it stands before the Boundary. */
function foundUnmoved(
  boundary: string,
  named: string | null,
  find: FindTranscript,
  taken: ReadonlySet<string>,
): Found | null {
  if (named === null) return null
  const except = new Set(taken)
  for (let transcript = find(named, except); transcript !== null; transcript = find(named, except)) {
    const met: Envelope | undefined = transcript.envelopes.find(({ uuid }) => uuid === named || uuid === boundary)
    if (met?.uuid === named) return { uuid: named, transcript }
    except.add(transcript.path)
  }
  return null
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
