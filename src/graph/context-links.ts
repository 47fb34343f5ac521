// Who follows whom in the context Reading: parents as the official readers see them. The last copy of a record counts,
// progress records are stepped over, and messages that a compaction kept are moved behind its anchor.

import type { Preserved } from '../record/model.ts'
import type { Thread, ThreadNode, Walks } from './thread.ts'
import { CHAIN_TYPE, MISSING, NO_PARENT, PROGRESS, SIDECHAIN, TEAM, walksOver } from './thread.ts'

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
  const { flags } = thread.last
  const count = thread.nodes.length
  const walked = new Uint8Array(count)
  const parents = new Int32Array(count).fill(NO_PARENT)
  const directParents = new Int32Array(count).fill(NO_PARENT)
  for (let index = 0; index < count; index++) {
    const flag = flags[index] as number
    walked[index] = (flag & PROGRESS) === 0 && (rule.isClient || (flag & CHAIN_TYPE) !== 0) ? 1 : 0
  }
  const named = movePreserved(thread, rule, walked)
  const stepped = stepOverProgress(thread, named)
  for (let index = 0; index < count; index++) {
    if (walked[index] !== 1) continue
    const parent = named[index] as number
    const target = parent >= 0 ? (stepped[parent] as number) : parent
    parents[index] = target >= 0 && walked[target] !== 1 ? MISSING : target
    directParents[index] = parent >= 0 && walked[parent] === 1 ? parent : NO_PARENT
  }
  return { parents, directParents, walked, aside: asideBy(rule) }
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

/** The parents that are named, after each compaction has moved what it kept, in the order they were written. */
function movePreserved(thread: Thread, rule: LinkRule, walked: Uint8Array): Int32Array {
  const boundaries = thread.nodes.filter(({ last }) => last.kind === 'boundary' && last.boundary?.preserved != null)
  if (boundaries.length === 0) return thread.last.parents
  const moving = new Moving(thread)
  const walks = walksOver(thread)
  boundaries.sort((one, other) => one.lastOrder - other.lastOrder)
  for (const { last } of boundaries) {
    const preserved = last.boundary?.preserved ?? null
    if (preserved === null) continue
    if (preserved.uuids !== null) moveKept(moving, preserved.anchorUuid, keptNodes(thread, walked, preserved))
    else if (!rule.isClient || isWhole(moving, walked, preserved, walks)) moveSegment(moving, preserved)
  }
  return moving.parents
}

/** The kept nodes in order; none when one of them is not in the file. */
function keptNodes(thread: Thread, walked: Uint8Array, { uuids }: Preserved): readonly number[] {
  const kept: number[] = []
  for (const uuid of uuids ?? []) {
    const index = thread.byUuid.get(uuid)
    if (index === undefined) return []
    if (walked[index] !== 1 && ((thread.last.flags[index] as number) & PROGRESS) === 0) return []
    kept.push(index)
  }
  return kept
}

function moveKept(moving: Moving, anchorUuid: string, kept: readonly number[]): void {
  const tail = kept.at(-1)
  if (tail === undefined) return
  moving.hangBelow(anchorUuid, tail, new Set(kept))
  for (const [place, index] of kept.entries())
    moving.move(index, place === 0 ? moving.nodeOf(anchorUuid) : (kept[place - 1] as number))
}

/** Of a stretch only the ends are named, and only they are moved. */
function moveSegment(moving: Moving, { anchorUuid, headUuid, tailUuid }: Preserved): void {
  if (headUuid === null && tailUuid === null) return
  const head = moving.nodeOf(headUuid)
  moving.hangBelow(anchorUuid, moving.nodeOf(tailUuid), new Set([head]))
  if (head >= 0) moving.move(head, moving.nodeOf(anchorUuid))
}

/** Whether the tail of a stretch leads to its head. The official SDK does not ask, the client does. */
function isWhole(moving: Moving, walked: Uint8Array, { headUuid, tailUuid }: Preserved, walks: Walks): boolean {
  const head = moving.nodeOf(headUuid)
  let at = moving.nodeOf(tailUuid)
  if (walked[head] !== 1 || walked[at] !== 1) return false
  // Longer than all there is would be a circle.
  for (let steps = moving.parents.length; at >= 0 && at !== head && steps > 0 && walks.left > 0; steps--) {
    walks.left--
    at = moving.parents[at] as number
  }
  return at === head
}

/** Parents while compactions move them, and who names whom: very many of them would look through all nodes very often. */
class Moving {
  readonly parents: Int32Array
  readonly #thread: Thread
  /** By what they name, a node or a uuid that is nowhere. Those that have moved on are still among them. */
  readonly #naming = new Map<number | string, number[]>()

  constructor(thread: Thread) {
    this.#thread = thread
    this.parents = thread.last.parents.slice()
    for (const [index, parent] of this.parents.entries()) this.#add(parent >= 0 ? parent : this.#named(index), index)
  }

  nodeOf(uuid: string | null): number {
    return uuid === null ? MISSING : (this.#thread.byUuid.get(uuid) ?? MISSING)
  }

  move(index: number, parent: number): void {
    this.parents[index] = parent
    this.#add(parent >= 0 ? parent : null, index)
  }

  /** What follows the anchor follows the last message kept. */
  hangBelow(anchorUuid: string, tail: number, kept: ReadonlySet<number>): void {
    const anchor = this.nodeOf(anchorUuid)
    const name = anchor >= 0 ? anchor : anchorUuid
    const naming = this.#naming.get(name) ?? []
    // Whoever names what is nowhere names it still, wherever it was moved to.
    if (anchor >= 0) this.#naming.delete(name)
    for (const index of naming) {
      if (anchor >= 0 && this.parents[index] !== anchor) continue
      if (!kept.has(index)) this.move(index, tail)
      else if (anchor >= 0) this.#add(anchor, index)
    }
  }

  #named(index: number): string | null {
    return (this.#thread.nodes[index] as ThreadNode).last.parentUuid
  }

  #add(name: number | string | null, index: number): void {
    if (name === null) return
    const known = this.#naming.get(name)
    if (known === undefined) this.#naming.set(name, [index])
    else known.push(index)
  }
}
