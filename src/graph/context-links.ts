// Who follows whom in the context Reading: parents as the official readers see them. The last copy of a record counts,
// progress records are stepped over, and messages that a compaction kept are moved behind its anchor.

import { moveAllKept } from './preserved.ts'
import { moveLastKept } from './resumed.ts'
import type { Thread } from './thread.ts'
import { CHAIN_TYPE, isMessageNode, MISSING, NO_PARENT, PROGRESS, SIDECHAIN, TEAM } from './thread.ts'

export interface ContextLinks {
  /** The parent to walk to. */
  readonly parents: Int32Array
  /** The same before missing parents and circles were bridged. */
  readonly unbridged: Int32Array
  /** The parent that stops being a tip because of this node; a progress record stops nobody from being one. */
  readonly directParents: Int32Array
  /** 1 for nodes the rule walks over. */
  readonly walked: Uint8Array
  /** The flags of nodes that are walked over but are no part of the conversation by the rule. */
  readonly aside: number
  /** The last message that the last compaction kept; -1 where the rule does not ask, or nothing was kept. */
  readonly lastKept: number
}

export interface LinkRule {
  /**
   * The client's resume walks over record types it does not know, and a team's records are like any others to it. The
   * official SDK stops at the former and leaves out the latter.
   */
  readonly isClient: boolean
  /** The client while it runs still has all that a compaction left behind. Only when it resumes, it has forgotten that. */
  readonly isRunning?: boolean
}

export function contextLinks(thread: Thread, rule: LinkRule): ContextLinks {
  const { flags } = thread.last
  const count = thread.nodes.length
  const walked = new Uint8Array(count)
  const parents = new Int32Array(count).fill(NO_PARENT)
  const directParents = new Int32Array(count).fill(NO_PARENT)
  for (let index = 0; index < count; index++) {
    const flag = flags[index] as number
    walked[index] = (flag & PROGRESS) === 0 && (rule.isClient || (flag & CHAIN_TYPE) !== 0) ? 1 : 0
  }
  const { named, lastKept } = moveKept(thread, rule, walked)
  const stepped = stepOverProgress(thread, named)
  const orphans: number[] = []
  for (let index = 0; index < count; index++) {
    if (walked[index] !== 1) continue
    const parent = named[index] as number
    const target = parent >= 0 ? (stepped[parent] as number) : parent
    const isThere = target < 0 || walked[target] === 1
    parents[index] = isThere ? target : MISSING
    directParents[index] = parent >= 0 && walked[parent] === 1 ? parent : NO_PARENT
    if (!isThere && lastKept >= 0 && isMessageNode(thread, index)) orphans.push(index)
  }
  const links = { parents, directParents, walked, aside: asideBy(rule), lastKept }
  if (orphans.length > 0) hangBelowKept(links, orphans)
  return { ...links, unbridged: parents.slice() }
}

function moveKept(thread: Thread, rule: LinkRule, walked: Uint8Array): { named: Int32Array; lastKept: number } {
  if (!rule.isClient || rule.isRunning === true)
    return { named: moveAllKept(thread, rule.isClient, walked), lastKept: -1 }
  const { parents, forgotten, lastKept } = moveLastKept(thread, walked)
  for (const index of forgotten) walked[index] = 0
  return { named: parents, lastKept }
}

/** A message below one that was forgotten goes on from the last one kept, unless that hangs below it. */
function hangBelowKept(
  { parents, directParents, lastKept }: Omit<ContextLinks, 'unbridged'>,
  orphans: readonly number[],
): void {
  const above = new Uint8Array(parents.length)
  for (let at = lastKept; at >= 0 && above[at] === 0; at = parents[at] as number) above[at] = 1
  for (const index of orphans) {
    if (above[index] === 1) continue
    parents[index] = lastKept
    directParents[index] = lastKept
  }
}

export function asideBy({ isClient }: LinkRule): number {
  return isClient ? SIDECHAIN : SIDECHAIN | TEAM
}

/** Each node itself, or for a progress record the nearest one above that is none. Each is resolved once. */
function stepOverProgress(thread: Thread, parents: Int32Array): Int32Array {
  const { flags } = thread.last
  const UNKNOWN = -3
  const stepped = new Int32Array(thread.nodes.length)
  for (let index = 0; index < stepped.length; index++) {
    stepped[index] = ((flags[index] as number) & PROGRESS) === 0 ? index : UNKNOWN
  }
  for (let index = 0; index < stepped.length; index++) {
    if (stepped[index] !== UNKNOWN) continue
    const run: number[] = []
    let at = index
    while (at >= 0 && stepped[at] === UNKNOWN) {
      run.push(at)
      // While the run is open its members lead nowhere, which also ends a cycle of progress records.
      stepped[at] = MISSING
      at = parents[at] as number
    }
    const target = at >= 0 ? (stepped[at] as number) : at
    for (const member of run) stepped[member] = target
  }
  return stepped
}
