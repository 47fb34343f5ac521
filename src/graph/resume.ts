// Where the client itself resumes (docs/format/chains.md): the last `last-prompt` pointer decides if it resolves, even when
// another branch was written later, but not when a compaction was. A missing parent is bridged to the record before it.

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
 * A parent that is missing, or that leads back to the record itself, is replaced by the record before it. A missing one
 * only where file order and time agree: else the record before may be of another branch.
 */
export function bridgeBreaks(thread: Thread, links: ContextLinks): void {
  const { parents, walked } = links
  const isCut = new Set(cutCycles(parents))
  for (const node of isCut) links.directParents[node] = NO_PARENT
  const joins = joinerOf(rootsOf(parents))
  let previous = NO_PARENT
  let newestMs = Number.NEGATIVE_INFINITY
  let previousIsNewest = false
  for (let index = 0; index < parents.length; index++) {
    if (walked[index] !== 1) continue
    const { last } = thread.nodes[index] as ThreadNode
    if (last.isSidechain) continue
    const isBroken = isCut.has(index) || (parents[index] === MISSING && previousIsNewest)
    if (isBroken && previous >= 0 && joins.join(index, previous)) {
      parents[index] = previous
      links.directParents[index] = previous
    }
    const timeMs = last.timestampMs ?? newestMs
    previousIsNewest = timeMs >= newestMs
    newestMs = Math.max(newestMs, timeMs)
    previous = index
  }
}
