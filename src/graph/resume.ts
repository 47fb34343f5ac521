// Where the client itself resumes (docs/format/chains.md): the last `last-prompt` pointer that resolves decides, even when
// another branch was written later, and a missing parent is bridged to the record before it.

import type { ContextLinks } from './context-links.ts'
import { cutCycles, joinerOf, rootsOf } from './forest.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { MISSING, NO_PARENT } from './thread.ts'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

export function resumeTip(thread: Thread, links: ContextLinks, fileTip: number | null): number | null {
  const pointer = lastPointer(thread, links)
  if (pointer === null) return fileTip
  const goesOn = fileTip !== null && fileTip !== pointer.node && descends(links, fileTip, pointer.node)
  if (!goesOn) return pointer.node
  return pointer.isExplicit && lastChainOrder(thread, links) < pointer.order ? pointer.node : fileTip
}

interface Pointer {
  readonly node: number
  readonly isExplicit: boolean
  readonly order: number
}

/** The last `last-prompt` that leads to a record which is there. */
export function lastPointer(thread: Thread, links: Pick<ContextLinks, 'walked'>): Pointer | null {
  let pointer: Pointer | null = null
  for (const { envelope, order } of thread.loose) {
    const leafUuid = envelope.type === 'last-prompt' ? envelope.links?.leafUuid : undefined
    if (leafUuid === undefined) continue
    if (leafUuid === NIL_UUID) pointer = null
    const node = thread.byUuid.get(leafUuid)
    if (node === undefined || links.walked[node] !== 1) continue
    pointer = { node, isExplicit: envelope.links?.leafIsExplicit === true, order }
  }
  return pointer
}

function descends(links: ContextLinks, from: number, ancestor: number): boolean {
  const seen = new Uint8Array(links.parents.length)
  let at = from
  while (at >= 0 && seen[at] === 0) {
    if (at === ancestor) return true
    seen[at] = 1
    at = links.parents[at] as number
  }
  return false
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
