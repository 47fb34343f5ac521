// Where the client itself resumes (docs/format/chains.md): the last `last-prompt` pointer decides if it resolves, even when
// another branch was written later, but not when a compaction was. A missing parent is bridged to what came right before it.

import type { ContextLinks } from './context-links.ts'
import { endsOf } from './file-tip.ts'
import { cutCycles, joinerOf, rootsOf } from './forest.ts'
import { replyOf } from './siblings.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { MESSAGE, MISSING, NO_PARENT } from './thread.ts'

export function resumeTip(thread: Thread, links: ContextLinks, fileTip: number | null): number | null {
  const pointer = heededPointer(thread, links)
  if (pointer === null) return fileTip
  if (fileTip === null || !goesOnFrom(thread, links, pointer.node, fileTip)) return pointer.node
  return pointer.isExplicit && lastChainOrder(thread, links) < pointer.order ? pointer.node : fileTip
}

/**
 * Behind messages that a compaction kept, a pointer counts where a branch ends in a message. An explicit one counts anywhere,
 * as long as nothing was written after it.
 */
export function heededPointer(thread: Thread, links: ContextLinks): Pointer | null {
  const pointer = lastPointer(thread, links)
  if (pointer === null || links.lastKept < 0 || endsOf(thread, links).has(pointer.node)) return pointer
  return pointer.isExplicit && lastChainOrder(thread, links) < pointer.order ? pointer : null
}

interface Pointer {
  readonly node: number
  readonly isExplicit: boolean
  readonly order: number
}

/**
 * The record that the last `last-prompt` leads to; null where that is not there, or has been forgotten. A compaction takes
 * back all that were written before it.
 */
export function lastPointer(thread: Thread, links: Pick<ContextLinks, 'walked'>): Pointer | null {
  let pointer: Pointer | null = null
  const compactedAt = lastBoundaryOrder(thread)
  for (const { envelope, order } of thread.loose) {
    const leafUuid = envelope.type === 'last-prompt' ? envelope.links?.leafUuid : undefined
    if (leafUuid === undefined || order < compactedAt) continue
    const node = thread.byUuid.get(leafUuid) ?? MISSING
    const isExplicit = envelope.links?.leafIsExplicit === true
    pointer = links.walked[node] === 1 ? { node, isExplicit, order } : null
  }
  return pointer
}

/** Wherever the Boundary hangs, and whether or not a Recap followed: the client asks only for its place in the file. */
function lastBoundaryOrder({ nodes }: Thread): number {
  let order = -1
  for (const { last, lastOrder } of nodes) if (last.kind === 'boundary' && lastOrder > order) order = lastOrder
  return order
}

/**
 * Whether the tip goes on from the pointed record: it is below that, or the two ways part inside one reply. Results of
 * parallel calls hang side by side, so leaving one of them aside is no branch. A bridge is none of these: the client asks before
 * it builds any.
 */
export function goesOnFrom(thread: Thread, links: ContextLinks, pointed: number, tip: number): boolean {
  const { unbridged: parents } = links
  const above = new Uint8Array(parents.length)
  for (let at = pointed; at >= 0 && above[at] === 0; at = parents[at] as number) above[at] = 1
  const reply = replyOf(thread, links, messageFrom(thread, links, pointed))
  const seen = new Uint8Array(parents.length)
  let at = tip
  let isBeside = false
  while (at >= 0 && seen[at] === 0 && above[at] === 0) {
    seen[at] = 1
    if (reply !== null && replyOf(thread, links, at) === reply) isBeside = true
    at = parents[at] as number
  }
  return at === pointed || isBeside
}

/** The node itself or the nearest message above it: hooks leave notes below results. */
function messageFrom({ last: { flags } }: Thread, { parents }: ContextLinks, from: number): number {
  const seen = new Uint8Array(parents.length)
  let at = from
  while (at >= 0 && seen[at] === 0 && ((flags[at] as number) & MESSAGE) === 0) {
    seen[at] = 1
    at = parents[at] as number
  }
  return at
}

function lastChainOrder(thread: Thread, links: ContextLinks): number {
  let last = -1
  for (let index = 0; index < thread.nodes.length; index++) {
    const { lastOrder } = thread.nodes[index] as ThreadNode
    if (links.walked[index] === 1 && lastOrder > last) last = lastOrder
  }
  return last
}

/**
 * A parent that is missing, or that leads back to the record itself, is replaced by the newest record before it, but only by
 * one of the last seconds: else it may be of another branch.
 */
export function bridgeBreaks(thread: Thread, links: ContextLinks): void {
  const { parents, walked } = links
  const isCut = new Set(cutCycles(parents))
  for (const node of isCut) links.directParents[node] = NO_PARENT
  const isBroken = (index: number): boolean => isCut.has(index) || parents[index] === MISSING
  const takesPart = (index: number): boolean =>
    walked[index] === 1 && !(thread.nodes[index] as ThreadNode).last.isSidechain
  const broken = new Set<number>()
  for (let index = 0; index < parents.length; index++) if (takesPart(index) && isBroken(index)) broken.add(index)
  if (broken.size === 0) return
  const joins = joinerOf(rootsOf(parents))
  const before = newestBefore(thread, broken, takesPart)
  for (const index of broken) {
    const newest = before.get(index) ?? NO_PARENT
    if (newest < 0 || !joins.join(index, newest)) continue
    parents[index] = newest
    links.directParents[index] = newest
  }
}

const BRIDGED_MS = 5000

/** By time, of those that stand before it in the file. Of equal times the first counts. */
function newestBefore(
  { nodes }: Thread,
  broken: ReadonlySet<number>,
  takesPart: (index: number) => boolean,
): ReadonlyMap<number, number> {
  const times = new Float64Array(nodes.length)
  const members: number[] = []
  let newestMs = Number.NEGATIVE_INFINITY
  let isInOrder = true
  for (let index = 0; index < nodes.length; index++) {
    if (!takesPart(index)) continue
    // One that tells none is as new as the newest before it.
    const timeMs = (nodes[index] as ThreadNode).last.timestampMs ?? Math.max(newestMs, 0)
    if (timeMs < newestMs) isInOrder = false
    newestMs = Math.max(newestMs, timeMs)
    times[index] = timeMs
    members.push(index)
  }
  const timeOf = (index: number): number => times[index] as number
  const byTime = isInOrder ? members : [...members].sort((one, other) => timeOf(one) - timeOf(other) || one - other)
  const older = new Int32Array(nodes.length).fill(NO_PARENT)
  const newer = new Int32Array(nodes.length).fill(NO_PARENT)
  const firstAt = new Int32Array(nodes.length)
  for (const [place, index] of byTime.entries()) {
    const before = byTime[place - 1] ?? NO_PARENT
    older[index] = before
    newer[index] = byTime[place + 1] ?? NO_PARENT
    const isAtOnce =
      before >= 0 && timeOf(before) === timeOf(index) && (nodes[index] as ThreadNode).last.timestampMs !== null
    firstAt[index] = isAtOnce ? (firstAt[before] as number) : index
  }
  const found = new Map<number, number>()
  // From the last in the file on they are taken out: what is left then stands before.
  for (const index of members.reverse()) {
    const [before, after] = [older[index] as number, newer[index] as number]
    if (broken.has(index) && before >= 0 && timeOf(index) - timeOf(before) <= BRIDGED_MS)
      found.set(index, firstAt[before] as number)
    if (before >= 0) newer[before] = after
    if (after >= 0) older[after] = before
  }
  return found
}
