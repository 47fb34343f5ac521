// What the client comes to from its tip when it is followed through compactions: what it would send, and what was said
// before that.

import { tipByFileOrder } from '../graph/file-tip.ts'
import { asWritten } from '../graph/reply-order.ts'
import { resumeTip } from '../graph/resume.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { clientLinks } from './live-path.ts'

export function reachableNodes(thread: Thread): readonly ThreadNode[] {
  const resumed = clientLinks(thread)
  const links = clientLinks(thread, true)
  const tip = resumeTip(thread, resumed, tipByFileOrder(thread, resumed))
  const seen = new Uint8Array(thread.nodes.length)
  const way: number[] = []
  let at = tip ?? -1
  while (at >= 0) {
    if (seen[at] === 1) {
      // What a compaction kept stands behind it; before it, the way goes on where it was written.
      at = thread.last.parents[at] as number
      if (way.length > 2 * thread.nodes.length) break
      way.push(-1)
      continue
    }
    seen[at] = 1
    way.push(at)
    const { links: named, parentUuid } = (thread.nodes[at] as ThreadNode).last
    const logical = parentUuid === null ? thread.byUuid.get(named?.logicalParentUuid ?? '') : undefined
    at = logical ?? ((resumed.walked[at] === 1 ? resumed : links).parents[at] as number)
  }
  const nodes = way.filter((index) => index >= 0).reverse()
  const whole = asWritten(thread, links, nodes).map((index) => thread.nodes[index] as ThreadNode)
  return whole.filter(({ last }) => !last.isSidechain)
}
