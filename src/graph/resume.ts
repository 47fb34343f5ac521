// Where the client itself resumes (docs/format/chains.md): the last `last-prompt` pointer that resolves decides, even when
// another branch was written later, and a missing parent is bridged to the record before it.

import type { ContextLinks } from './context-links.ts'
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

function lastPointer(thread: Thread, links: ContextLinks): Pointer | null {
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

/** A parent that is missing, or that leads back to the record itself, is replaced by the record before it. */
export function bridgeBreaks(thread: Thread, links: ContextLinks): void {
  let previous = NO_PARENT
  let newestMs = Number.NEGATIVE_INFINITY
  let previousIsNewest = false
  for (let index = 0; index < thread.nodes.length; index++) {
    if (links.walked[index] !== 1) continue
    const { last } = thread.nodes[index] as ThreadNode
    if (last.isSidechain) continue
    if (links.parents[index] === MISSING && previous >= 0 && previousIsNewest) link(links, index, previous)
    const timeMs = last.timestampMs ?? newestMs
    previousIsNewest = timeMs >= newestMs
    newestMs = Math.max(newestMs, timeMs)
    previous = index
  }
  cutCycles(links)
}

/** The first record of a cycle, in file order, goes on from the record before it. */
function cutCycles(links: ContextLinks): void {
  const state = new Uint8Array(links.parents.length)
  for (let start = 0; start < links.parents.length; start++) {
    const path: number[] = []
    let at = start
    while (at >= 0 && state[at] === 0) {
      state[at] = 1
      path.push(at)
      at = links.parents[at] as number
    }
    if (at >= 0 && state[at] === 1) {
      const cycle = path.slice(path.indexOf(at))
      let first = cycle[0] as number
      for (const member of cycle) first = Math.min(first, member)
      const before = previousWalked(links, first)
      link(links, first, cycle.includes(before) ? NO_PARENT : before)
    }
    for (const member of path) state[member] = 2
  }
}

function previousWalked(links: ContextLinks, index: number): number {
  for (let before = index - 1; before >= 0; before--) if (links.walked[before] === 1) return before
  return NO_PARENT
}

function link(links: ContextLinks, index: number, parent: number): void {
  links.parents[index] = parent
  links.directParents[index] = parent
}
