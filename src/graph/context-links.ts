// Who follows whom in the context Reading: parents as the official readers see them. The last copy of a record counts,
// progress records are stepped over, and messages that a compaction kept are moved behind its anchor.

import type { Boundary } from '../record/model.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { CHAIN_TYPE, MISSING, NO_PARENT, PROGRESS, SIDECHAIN, TEAM } from './thread.ts'

export interface ContextLinks {
  /** The parent to walk to. */
  readonly parents: Int32Array
  /** The parent that stops being a tip because of this node; a progress record stops nobody from being one. */
  readonly directParents: Int32Array
  /** 1 for nodes the rule walks over. */
  readonly walked: Uint8Array
  /** The flags of nodes that are walked over but are no part of the conversation by the rule. */
  readonly aside: number
}

export interface LinkRule {
  /**
   * The client's resume walks over record types it does not know, and a team's records are like any others to it. The
   * official SDK stops at the former and leaves out the latter.
   */
  readonly isClient: boolean
}

export function contextLinks(thread: Thread, rule: LinkRule): ContextLinks {
  const { parents: named, flags } = thread.last
  const count = thread.nodes.length
  const walked = new Uint8Array(count)
  const parents = new Int32Array(count).fill(NO_PARENT)
  const directParents = new Int32Array(count).fill(NO_PARENT)
  for (let index = 0; index < count; index++) {
    const flag = flags[index] as number
    walked[index] = (flag & PROGRESS) === 0 && (rule.isClient || (flag & CHAIN_TYPE) !== 0) ? 1 : 0
  }
  const stepped = stepOverProgress(thread)
  for (let index = 0; index < count; index++) {
    if (walked[index] !== 1) continue
    const parent = named[index] as number
    const target = parent >= 0 ? (stepped[parent] as number) : parent
    parents[index] = target >= 0 && walked[target] !== 1 ? MISSING : target
    directParents[index] = parent >= 0 && walked[parent] === 1 ? parent : NO_PARENT
  }
  const links = { parents, directParents, walked, aside: asideBy(rule) }
  movePreserved(thread, links)
  return links
}

export function asideBy({ isClient }: LinkRule): number {
  return isClient ? SIDECHAIN : SIDECHAIN | TEAM
}

/** Each node itself, or for a progress record the nearest one above that is none. Each is resolved once. */
function stepOverProgress(thread: Thread): Int32Array {
  const { parents, flags } = thread.last
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

/** Each compaction moves what it kept, in the order they were written, if all that it names is there. */
function movePreserved(thread: Thread, links: ContextLinks): void {
  const boundaries = thread.nodes.filter(({ last }) => last.kind === 'boundary' && last.boundary?.preserved != null)
  boundaries.sort((one, other) => one.lastOrder - other.lastOrder)
  for (const { last } of boundaries) if (last.boundary !== null) moveKept(thread, links, last.boundary)
}

function moveKept(thread: Thread, links: ContextLinks, boundary: Boundary): void {
  const kept = preservedNodes(thread, links, boundary)
  const tail = kept?.at(-1)
  if (boundary.preserved === null || kept === null || tail === undefined) return
  const { anchorUuid } = boundary.preserved
  const anchor = thread.byUuid.get(anchorUuid) ?? MISSING
  const isKept = new Set(kept)
  for (let index = 0; index < links.parents.length; index++) {
    if (!isKept.has(index) && namesAnchor(thread, links, index, anchor, anchorUuid)) {
      links.parents[index] = tail
      links.directParents[index] = tail
    }
  }
  for (const [place, index] of kept.entries()) {
    const parent = place === 0 ? anchor : (kept[place - 1] as number)
    links.parents[index] = parent
    links.directParents[index] = parent >= 0 ? parent : NO_PARENT
  }
}

function namesAnchor(thread: Thread, links: ContextLinks, index: number, anchor: number, anchorUuid: string): boolean {
  if (anchor >= 0) return links.parents[index] === anchor
  return links.walked[index] === 1 && (thread.nodes[index] as ThreadNode).last.parentUuid === anchorUuid
}

/** The kept nodes in order; null when one of them is not in the file. */
export function preservedNodes(thread: Thread, links: ContextLinks, boundary: Boundary): readonly number[] | null {
  const { preserved } = boundary
  if (preserved === null) return null
  if (preserved.uuids === null) return walkSegment(thread, links, preserved.headUuid, preserved.tailUuid)
  const kept: number[] = []
  for (const uuid of preserved.uuids) {
    const index = thread.byUuid.get(uuid)
    if (index === undefined) return null
    if (links.walked[index] === 1) kept.push(index)
    else if (((thread.last.flags[index] as number) & PROGRESS) === 0) return null
  }
  return kept
}

function walkSegment(
  thread: Thread,
  links: ContextLinks,
  headUuid: string | null,
  tailUuid: string | null,
): readonly number[] | null {
  const head = headUuid === null ? undefined : thread.byUuid.get(headUuid)
  let at = tailUuid === null ? undefined : thread.byUuid.get(tailUuid)
  const kept: number[] = []
  const seen = new Set<number>()
  while (at !== undefined && at >= 0 && !seen.has(at)) {
    seen.add(at)
    kept.push(at)
    if (at === head) return kept.reverse()
    at = links.parents[at]
  }
  return null
}
