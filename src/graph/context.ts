// The context Reading: what the model saw. It follows the rules of the official SDK's getSessionMessages (tip `file`)
// or of the client's own resume (tip `resume`), found out by experiment; docs/format/chains.md tells each with a fixture.

import { isMessage, isQueued, messageUuid } from '../record/roles.ts'
import type { ContextLinks } from './context-links.ts'
import { asideBy, contextLinks } from './context-links.ts'
import { tipByFileOrder } from './file-tip.ts'
import { queuedAfter, withoutDelivered } from './queued.ts'
import { asWritten } from './reply-order.ts'
import { bridgeBreaks, resumeTip } from './resume.ts'
import { putBackSiblings } from './siblings.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { SIDECHAIN } from './thread.ts'

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

/** What the model saw when it came to this node, by the rule of the client's own resume, but that it had forgotten nothing. */
export function readContextAt(thread: Thread, node: number): ContextReading {
  return readUpTo(thread, linksOf(thread, 'resume', true), 'resume', node)
}

function linksOf(thread: Thread, rule: TipRule, isRunning = false): ContextLinks {
  const links = contextLinks(thread, { isClient: rule === 'resume', isRunning })
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
  const chain = rule === 'resume' ? asWritten(thread, links, kept) : putBackSiblings(thread, links, kept)
  // The client sends them wherever they stand.
  const said = rule === 'resume' ? chain : withoutDelivered(thread, chain)
  return { tip, nodes: [...said, ...queuedAfter(thread, links, chain, tip)] }
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

function nodeAt(thread: Thread, index: number): ThreadNode {
  return thread.nodes[index] as ThreadNode
}

/**
 * The ids of the messages in a Reading, as the official SDK lists them: each queued prompt once, isMeta left out, but not
 * in a subagent's, because its caller speaks to it in such records.
 */
export function messageUuids(
  thread: Thread,
  nodes: readonly number[],
  rule: TipRule,
  isSubagent = false,
): readonly string[] {
  const aside = asideBy({ isClient: rule === 'resume' })
  const uuids: string[] = []
  const queued = new Set<string>()
  for (const index of nodes) {
    const { last } = nodeAt(thread, index)
    if ((last.isMeta && !isSubagent) || ((thread.last.flags[index] as number) & aside) !== 0) continue
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
