// Prompts that were queued while a turn ran and reached the model inside an attachment (docs/format/chains.md, Q1 to Q5).

import { isMessage, isQueued } from '../record/roles.ts'
import type { ContextLinks } from './context-links.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { isMessageNode, MESSAGE, QUEUED } from './thread.ts'

/** A queued prompt that was written again as a user record right after counts only there. */
export function withoutDelivered(thread: Thread, chain: readonly number[]): readonly number[] {
  const isLocal = localCommands(thread, chain)
  let nextMessage: ThreadNode | null = null
  const kept: number[] = []
  for (let place = chain.length - 1; place >= 0; place--) {
    const index = chain[place] as number
    const node = thread.nodes[index] as ThreadNode
    if (isQueued(node.last)) {
      if (nextMessage !== null && !isDelivery(nextMessage)) kept.push(index)
      continue
    }
    const isSaid = isMessage(node.last) && !node.last.isMeta && node.last.kind !== 'recap'
    if (isSaid && !isLocal.has(index)) nextMessage = node
    kept.push(index)
  }
  return kept.reverse()
}

/** A command of the client itself, which a caveat announces, and what it printed: neither was ever queued. */
function localCommands(thread: Thread, chain: readonly number[]): ReadonlySet<number> {
  const local = new Set<number>()
  let before: 'caveat' | 'command' | null = null
  for (const index of chain) {
    const { last } = thread.nodes[index] as ThreadNode
    if (!isMessage(last)) continue
    if (last.isMeta) {
      if (last.injection === 'caveat') before = 'caveat'
      continue
    }
    const isOutput = before === 'command' && last.injection === 'command-output'
    if (!isOutput) before = before === 'caveat' && last.injection === 'command' ? 'command' : null
    if (before !== null) local.add(index)
  }
  return local
}

/** A user record that may be the queued prompt itself: anything but a tool result or the notice of an interrupt. */
function isDelivery({ last }: ThreadNode): boolean {
  return last.kind !== 'reply' && last.kind !== 'tool-result' && last.injection !== 'interrupt'
}

/** Prompts queued below the tip that nobody has answered yet. */
export function queuedAfter(
  thread: Thread,
  links: ContextLinks,
  chain: readonly number[],
  tip: number,
): readonly number[] {
  const candidates = queuedNodes(thread, links)
  if (candidates.length === 0) return []
  const inChain = new Set(chain)
  const answered = aboveMessages(thread, links)
  const below = belowMessage(thread, links, tip)
  return candidates.filter((index) => !inChain.has(index) && answered[index] !== 1 && below[index] === 1)
}

/** 1 for every node whose nearest message above is `tip`. Each node is walked over once. */
function belowMessage(thread: Thread, links: ContextLinks, tip: number): Uint8Array {
  const UNKNOWN = 0
  const BELOW = 1
  const ELSEWHERE = 2
  const state = new Uint8Array(thread.nodes.length)
  for (let index = 0; index < thread.nodes.length; index++) {
    const path: number[] = []
    let at = index
    while (at >= 0 && state[at] === UNKNOWN && !isMessageNode(thread, at)) {
      state[at] = ELSEWHERE
      path.push(at)
      at = links.parents[at] as number
    }
    const isBelow = at === tip || (at >= 0 && state[at] === BELOW)
    if (isBelow) for (const member of path) state[member] = BELOW
  }
  return state
}

function queuedNodes(thread: Thread, links: ContextLinks): readonly number[] {
  const found: number[] = []
  for (let index = 0; index < thread.nodes.length; index++) {
    if (links.walked[index] === 1 && ((thread.last.flags[index] as number) & QUEUED) !== 0) found.push(index)
  }
  return found
}

/** 1 for every node that is no message and has a message somewhere below it. */
function aboveMessages(thread: Thread, links: ContextLinks): Uint8Array {
  const above = new Uint8Array(thread.nodes.length)
  for (let index = 0; index < thread.nodes.length; index++) {
    const flag = thread.last.flags[index] as number
    if (links.walked[index] !== 1 || (flag & (MESSAGE | links.aside)) !== MESSAGE) continue
    let at = links.parents[index] as number
    while (at >= 0 && above[at] === 0 && !isMessageNode(thread, at)) {
      above[at] = 1
      at = links.parents[at] as number
    }
  }
  return above
}
