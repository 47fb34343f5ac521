// What the client still knows when it resumes a session that was compacted (docs/format/compaction.md, K18 to K22). Where
// one compaction of the file kept messages, all before the last one is forgotten but what that one kept.

import type { Envelope, Preserved } from '../record/model.ts'
import { Moving, moveKept } from './preserved.ts'
import type { Thread } from './thread.ts'
import { NO_PARENT } from './thread.ts'

export interface Resumed {
  /** The parents that are named, after the last compaction has moved what it kept. */
  readonly parents: Int32Array
  readonly forgotten: readonly number[]
  /** The last message that was moved; -1 for none. */
  readonly lastKept: number
}

export function moveLastKept(thread: Thread, walked: Uint8Array): Resumed {
  const asWritten = { parents: thread.last.parents, forgotten: [], lastKept: -1 }
  const remembered = lastRemembered(thread, walked)
  if (remembered === null) return asWritten
  const { boundary, preserved, kept } = remembered
  const isKept = new Set(kept)
  const forgotten: number[] = []
  for (let index = 0; index < boundary; index++) if (!isKept.has(index)) forgotten.push(index)
  if (preserved === null || kept.length === 0) return { ...asWritten, forgotten }
  const moving = new Moving(thread)
  moveKept(moving, preserved.anchorUuid, kept)
  // A copy may have given it a parent, which may be one of those that now hang below it.
  moving.move(boundary, NO_PARENT)
  return { parents: moving.parents, forgotten, lastKept: kept.at(-1) ?? -1 }
}

export interface Remembered {
  /** The last compaction of the file. */
  readonly boundary: number
  readonly preserved: Preserved | null
  /** What it kept, in order. All else before it is forgotten. */
  readonly kept: readonly number[]
}

/** Null where nothing is forgotten. */
export function lastRemembered(thread: Thread, walked: Uint8Array): Remembered | null {
  if (!hasKept(thread)) return null
  const boundary = thread.nodes.findLastIndex((node) => node.last.kind === 'boundary')
  const envelope = thread.nodes[boundary]?.last
  const preserved = envelope !== undefined && keepsMessages(envelope) ? (envelope.boundary?.preserved ?? null) : null
  const kept = preserved === null ? [] : keptNodes(thread, walked, preserved)
  return kept === null ? null : { boundary, preserved, kept }
}

/** Whether any compaction of the file kept messages. Where none did, nothing is forgotten. */
function hasKept({ nodes }: Thread): boolean {
  return nodes.some(({ last }) => keepsMessages(last))
}

/** Which ones may be nonsense, and even none. */
export function keepsMessages({ boundary }: Envelope): boolean {
  const preserved = boundary?.preserved ?? null
  return preserved !== null && (preserved.uuids ?? preserved.headUuid ?? preserved.tailUuid) !== null
}

/** In order; null where one of them is not there, or where no way leads from the last to the first. */
function keptNodes(thread: Thread, walked: Uint8Array, { uuids, headUuid, tailUuid }: Preserved): number[] | null {
  if (uuids !== null) {
    const kept = uuids.map((uuid) => thread.byUuid.get(uuid) ?? -1)
    return kept.every((index) => walked[index] === 1) ? kept : null
  }
  const head = thread.byUuid.get(headUuid ?? '') ?? -1
  let at = thread.byUuid.get(tailUuid ?? '') ?? -1
  if (walked[head] !== 1 || walked[at] !== 1) return null
  const kept: number[] = []
  const seen = new Uint8Array(thread.nodes.length)
  for (; at >= 0 && seen[at] === 0; at = thread.last.parents[at] as number) {
    seen[at] = 1
    kept.push(at)
    if (at === head) return kept.reverse()
  }
  return null
}
