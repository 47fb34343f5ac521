// Where the conversation ends by the order of the file (docs/format/chains.md, A3 to A5; compaction.md, K21 and K21b).

import type { ContextLinks } from './context-links.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { CHAIN_TYPE, isMessageNode } from './thread.ts'

/**
 * The last record in file order that nothing follows, then up to the nearest message. What the rule leaves aside
 * (subagents' records inside the file) is looked at only when nothing else is left.
 */
export function tipByFileOrder(thread: Thread, links: ContextLinks): number | null {
  return lastTip(thread, links, false) ?? lastTip(thread, links, true)
}

function lastTip(thread: Thread, links: ContextLinks, withAside: boolean): number | null {
  const { leaves, isFollowed, takesPart } = leavesOf(thread, links, withAside)
  if (links.lastKept < 0) return messagesAbove(thread, links, leaves).next().value ?? null
  const ends = withoutFollowed([...messagesAbove(thread, links, leaves)], isFollowed)
  const [end] = ends
  if (end !== undefined && ends.size === 1) return end
  return messagesAbove(thread, links, knownFromLast(thread, takesPart)).next().value ?? null
}

/** Records of known types, whether anything follows them or not, the last in file order first. */
function knownFromLast(thread: Thread, takesPart: Uint8Array): readonly number[] {
  const known: number[] = []
  for (const [index, flag] of thread.last.flags.entries())
    if (takesPart[index] === 1 && (flag & CHAIN_TYPE) !== 0) known.push(index)
  return known.sort((one, other) => orderOf(thread, other) - orderOf(thread, one))
}

/** The messages at which branches end: no message follows them, whatever notes do. */
export function endsOf(thread: Thread, links: ContextLinks): ReadonlySet<number> {
  const { leaves, isFollowed } = leavesOf(thread, links, false)
  return withoutFollowed([...messagesAbove(thread, links, leaves)], isFollowed)
}

function withoutFollowed(messages: readonly number[], isFollowed: Uint8Array): ReadonlySet<number> {
  return new Set(messages.filter((message) => isFollowed[message] !== BY_MESSAGE))
}

const BY_NOTE = 1
const BY_MESSAGE = 2

interface Leaves {
  /** Nodes that nothing follows, the last in file order first. */
  readonly leaves: readonly number[]
  readonly isFollowed: Uint8Array
  readonly takesPart: Uint8Array
}

function leavesOf(thread: Thread, links: ContextLinks, withAside: boolean): Leaves {
  const count = thread.nodes.length
  const { flags } = thread.last
  const takesPart = new Uint8Array(count)
  const isFollowed = new Uint8Array(count)
  const leaves: number[] = []
  for (let index = 0; index < count; index++) {
    if (links.walked[index] !== 1 || (!withAside && ((flags[index] as number) & links.aside) !== 0)) continue
    takesPart[index] = 1
    const parent = links.directParents[index] as number
    if (parent < 0) continue
    if (isMessageNode(thread, index)) isFollowed[parent] = BY_MESSAGE
    else if (isFollowed[parent] === 0) isFollowed[parent] = BY_NOTE
  }
  for (let index = 0; index < count; index++) if (takesPart[index] === 1 && isFollowed[index] === 0) leaves.push(index)
  leaves.sort((one, other) => orderOf(thread, other) - orderOf(thread, one))
  return { leaves, isFollowed, takesPart }
}

function orderOf({ nodes }: Thread, index: number): number {
  return (nodes[index] as ThreadNode).lastOrder
}

function* messagesAbove(
  thread: Thread,
  links: ContextLinks,
  leaves: readonly number[],
): Generator<number, undefined, void> {
  const passed = new Uint8Array(thread.nodes.length)
  for (const leaf of leaves) {
    const message = messageAbove(thread, links, leaf, passed)
    if (message !== null) yield message
  }
}

/** The node itself or the nearest message above it; `passed` keeps every node from being walked over twice. */
function messageAbove(thread: Thread, links: ContextLinks, from: number, passed: Uint8Array): number | null {
  let at = from
  while (at >= 0 && passed[at] === 0) {
    if (isMessageNode(thread, at)) return at
    passed[at] = 1
    at = links.parents[at] as number
  }
  return null
}
