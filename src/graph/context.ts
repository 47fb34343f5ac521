// The context Reading: what the model saw. It follows the rules of the official SDK's getSessionMessages (tip `file`)
// or of the client's own resume (tip `resume`), found out by experiment; docs/format/chains.md tells each with a fixture.

import { isMessage, isQueued, messageUuid } from '../record/roles.ts'
import type { ContextLinks } from './context-links.ts'
import { asideBy, contextLinks } from './context-links.ts'
import { bridgeBreaks, resumeTip } from './resume.ts'
import { putBackSiblings } from './siblings.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { MESSAGE, QUEUED, SIDECHAIN } from './thread.ts'

export type TipRule = 'file' | 'resume'

export interface ContextReading {
  /** The message a reader of that rule would continue from; null when there is none. */
  readonly tip: number | null
  /** All nodes of the Reading in order, also those that are no messages. */
  readonly nodes: readonly number[]
}

export function readContext(thread: Thread, rule: TipRule): ContextReading {
  const links = linksOf(thread, rule)
  const tip = tipBy(thread, links, rule)
  return tip === null ? { tip: null, nodes: [] } : readUpTo(thread, links, rule, tip)
}

/** The tip of the whole conversation by a rule: a team's records belong to it, also where the SDK leaves them out. */
export function liveTip(thread: Thread, rule: TipRule): number | null {
  return tipBy(thread, { ...linksOf(thread, rule), aside: SIDECHAIN }, rule)
}

/** What the model saw when it came to this node, by the rule of the client's own resume. */
export function readContextAt(thread: Thread, node: number): ContextReading {
  return readUpTo(thread, linksOf(thread, 'resume'), 'resume', node)
}

function linksOf(thread: Thread, rule: TipRule): ContextLinks {
  const links = contextLinks(thread, { isClient: rule === 'resume' })
  if (rule === 'resume') bridgeBreaks(thread, links)
  return links
}

function tipBy(thread: Thread, links: ContextLinks, rule: TipRule): number | null {
  const fileTip = tipByFileOrder(thread, links)
  return rule === 'resume' ? resumeTip(thread, links, fileTip) : fileTip
}

function readUpTo(thread: Thread, links: ContextLinks, rule: TipRule, tip: number): ContextReading {
  const path = pathTo(links, tip)
  const kept = rule === 'resume' ? fromLastBoundary(thread, path) : path
  const chain = putBackSiblings(thread, links, kept)
  return { tip, nodes: [...withoutDelivered(thread, chain), ...queuedAfter(thread, links, chain, tip)] }
}

/**
 * The last record in file order that nothing follows, then up to the nearest message. What the rule leaves
 * aside (subagents' records inside the file) is looked at only when nothing else is left.
 */
export function tipByFileOrder(thread: Thread, links: ContextLinks): number | null {
  return lastTip(thread, links, false) ?? lastTip(thread, links, true)
}

function lastTip(thread: Thread, links: ContextLinks, withAside: boolean): number | null {
  const count = thread.nodes.length
  const { flags } = thread.last
  const takesPart = new Uint8Array(count)
  const isFollowed = new Uint8Array(count)
  const tips: number[] = []
  for (let index = 0; index < count; index++) {
    if (links.walked[index] !== 1 || (!withAside && ((flags[index] as number) & links.aside) !== 0)) continue
    takesPart[index] = 1
    const parent = links.directParents[index] as number
    if (parent >= 0) isFollowed[parent] = 1
  }
  for (let index = 0; index < count; index++) if (takesPart[index] === 1 && isFollowed[index] === 0) tips.push(index)
  tips.sort((one, other) => nodeAt(thread, other).lastOrder - nodeAt(thread, one).lastOrder)
  const passed = new Uint8Array(thread.nodes.length)
  for (const tip of tips) {
    const message = messageAbove(thread, links, tip, passed)
    if (message !== null) return message
  }
  return null
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

export function pathTo(links: ContextLinks, tip: number): readonly number[] {
  const path: number[] = []
  const seen = new Uint8Array(links.parents.length)
  let at = tip
  while (at >= 0 && seen[at] === 0) {
    seen[at] = 1
    path.push(at)
    at = links.parents[at] as number
  }
  return path.reverse()
}

/** The client cuts at the last compaction even where a copy gave it a parent. */
function fromLastBoundary(thread: Thread, path: readonly number[]): readonly number[] {
  for (let place = path.length - 1; place >= 0; place--) {
    if (nodeAt(thread, path[place] as number).last.kind === 'boundary') return path.slice(place)
  }
  return path
}

/** A queued prompt that was written again as a user record right after counts only there. */
function withoutDelivered(thread: Thread, chain: readonly number[]): readonly number[] {
  let nextMessage: ThreadNode | null = null
  const kept: number[] = []
  for (let place = chain.length - 1; place >= 0; place--) {
    const index = chain[place] as number
    const node = nodeAt(thread, index)
    if (isQueued(node.last)) {
      if (nextMessage !== null && !isDelivery(nextMessage)) kept.push(index)
      continue
    }
    if (isMessage(node.last) && !node.last.isMeta && node.last.kind !== 'recap') nextMessage = node
    kept.push(index)
  }
  return kept.reverse()
}

/** A user record that may be the queued prompt itself: anything but a tool result or the notice of an interrupt. */
function isDelivery({ last }: ThreadNode): boolean {
  return last.kind !== 'reply' && last.kind !== 'tool-result' && last.injection !== 'interrupt'
}

/** Prompts queued below the tip that nobody has answered yet. */
function queuedAfter(thread: Thread, links: ContextLinks, chain: readonly number[], tip: number): readonly number[] {
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

function isMessageNode(thread: Thread, index: number): boolean {
  return ((thread.last.flags[index] as number) & MESSAGE) !== 0
}

function nodeAt(thread: Thread, index: number): ThreadNode {
  return thread.nodes[index] as ThreadNode
}

/** The ids of the messages in a Reading, as the official SDK lists them: isMeta left out, each queued prompt once. */
export function messageUuids(thread: Thread, nodes: readonly number[], rule: TipRule): readonly string[] {
  const aside = asideBy({ isClient: rule === 'resume' })
  const uuids: string[] = []
  const queued = new Set<string>()
  for (const index of nodes) {
    const { last } = nodeAt(thread, index)
    if (last.isMeta || ((thread.last.flags[index] as number) & aside) !== 0) continue
    const uuid = messageUuid(last)
    if (isMessage(last)) {
      uuids.push(uuid)
    } else if (isQueued(last) && !queued.has(uuid)) {
      queued.add(uuid)
      uuids.push(uuid)
    }
  }
  return uuids
}
