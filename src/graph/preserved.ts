// What compactions kept word for word is moved behind its anchor: by the official SDK for every compaction of a file, by
// the client while it runs.

import type { Preserved } from '../record/model.ts'
import type { Thread, ThreadNode, Walks } from './thread.ts'
import { MISSING, PROGRESS, walksOver } from './thread.ts'

/** The parents that are named, after each compaction has moved what it kept, in the order they were written. */
export function moveAllKept(thread: Thread, isClient: boolean, walked: Uint8Array): Int32Array {
  const boundaries = thread.nodes.filter(({ last }) => last.kind === 'boundary' && last.boundary?.preserved != null)
  if (boundaries.length === 0) return thread.last.parents
  const moving = new Moving(thread)
  const walks = walksOver(thread)
  boundaries.sort((one, other) => one.lastOrder - other.lastOrder)
  for (const { last } of boundaries) {
    const preserved = last.boundary?.preserved ?? null
    if (preserved === null) continue
    if (preserved.uuids !== null) moveKept(moving, preserved.anchorUuid, keptNodes(thread, walked, preserved))
    else if (!isClient || isWhole(moving, walked, preserved, walks)) moveSegment(moving, preserved)
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

export function moveKept(moving: Moving, anchorUuid: string, kept: readonly number[]): void {
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
export class Moving {
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
