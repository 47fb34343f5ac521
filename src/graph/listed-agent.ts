// What the official SDK's getSubagentMessages lists. It is a plainer walk than that of a session: from the last message in
// the file up its parents, as long as they are messages or attachments, with nothing put back and nothing moved.

import type { ContextReading } from './context.ts'
import { withoutDelivered } from './queued.ts'
import type { Thread } from './thread.ts'
import { MESSAGE } from './thread.ts'

export function readListedAgent(thread: Thread): ContextReading {
  const tip = lastMessage(thread)
  if (tip === null) return { tip: null, nodes: [] }
  const path: number[] = []
  const seen = new Set<number>()
  for (let at = tip; isLink(thread, at) && !seen.has(at); at = thread.last.parents[at] as number) {
    seen.add(at)
    path.push(at)
  }
  return { tip, nodes: withoutDelivered(thread, path.reverse()) }
}

function isLink({ nodes }: Thread, index: number): boolean {
  const type = nodes[index]?.last.type
  return type === 'user' || type === 'assistant' || type === 'attachment'
}

function lastMessage({ nodes, last: { flags } }: Thread): number | null {
  let found: number | null = null
  let order = -1
  for (const [index, { lastOrder }] of nodes.entries()) {
    if (((flags[index] as number) & MESSAGE) === 0 || lastOrder < order) continue
    found = index
    order = lastOrder
  }
  return found
}
