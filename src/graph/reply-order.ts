// Since 2.1.290 the client goes on from the parts of a reply and their results in the order in which they were written,
// whichever of them the next record hangs below (docs/format/chains.md, B12). The official SDK does not.

import type { ContextLinks } from './context-links.ts'
import { replyOf } from './siblings.ts'
import type { Thread, ThreadNode } from './thread.ts'

export function asWritten(thread: Thread, links: ContextLinks, chain: readonly number[]): readonly number[] {
  const ordered: number[] = []
  let stretch: number[] = []
  let reply: string | null = null
  const close = (): void => {
    for (const index of sorted(thread, stretch)) ordered.push(index)
    stretch = []
  }
  for (const index of chain) {
    const own: string | null = standsBetween(thread, index) ? reply : replyOf(thread, links, index)
    if (own !== reply || own === null) close()
    reply = own
    stretch.push(index)
  }
  close()
  return ordered
}

/** Notes of hooks and what a skill told the model stand between the results. */
function standsBetween({ nodes }: Thread, index: number): boolean {
  const kind = nodes[index]?.last.kind
  return kind !== 'reply' && kind !== 'tool-result' && kind !== 'prompt' && kind !== 'recap' && kind !== 'boundary'
}

/** A result that was written before its call stays behind it all the same. */
function sorted({ nodes }: Thread, stretch: number[]): readonly number[] {
  const written = new Map<string, number>()
  for (const index of stretch) {
    const { last, lastOrder } = nodes[index] as ThreadNode
    for (const { id } of last.toolUses) written.set(id, lastOrder)
  }
  if (written.size < 2) return stretch
  const orders = new Map<number, number>()
  for (const index of stretch) {
    const { last, lastOrder } = nodes[index] as ThreadNode
    let order = lastOrder
    for (const { id } of last.toolResults) {
      const call = written.get(id)
      // Of a call that stands elsewhere no order can be told.
      if (call === undefined) return stretch
      order = Math.max(order, call)
    }
    orders.set(index, order)
  }
  const inOrder = stretch.sort((one, other) => (orders.get(one) ?? 0) - (orders.get(other) ?? 0))
  return hasNoteInside(nodes, inOrder) ? partsFirst(nodes, inOrder) : inOrder
}

/** An attachment or a system record between the parts: all parts come first then. A user record is left where it is. */
function hasNoteInside(nodes: Thread['nodes'], stretch: readonly number[]): boolean {
  const isPart = (index: number): boolean => nodes[index]?.last.kind === 'reply'
  const inside = stretch.slice(stretch.findIndex(isPart), stretch.findLastIndex(isPart))
  return inside.some((index) => ['attachment', 'system'].includes((nodes[index] as ThreadNode).last.type))
}

function partsFirst(nodes: Thread['nodes'], stretch: readonly number[]): readonly number[] {
  const parts = stretch.filter((index) => nodes[index]?.last.kind === 'reply')
  return [...parts, ...stretch.filter((index) => nodes[index]?.last.kind !== 'reply')]
}
