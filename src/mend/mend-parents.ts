// Records whose parent was never written, whose parents lead back to themselves, or that should have a parent and name
// none. Each is hung below the record before it in the file: never by time, never below itself.

import { cutCycles, joinerOf, rootsOf } from '../graph/forest.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { CHAIN_TYPE, MESSAGE, MISSING, NO_PARENT, PROGRESS, SIDECHAIN } from '../graph/thread.ts'
import type { Draft } from './draft.ts'
import { addMade, addStep, placeBeside, rowOf, setParent, shown, threadOf } from './draft.ts'
import { hasOwnUuid } from './live-path.ts'
import { madeBoundary } from './made.ts'
import type { StepCode } from './model.ts'

type Break = Extract<StepCode, 'missing-parent' | 'no-parent' | 'parent-cycle'>

const WHY: Readonly<Record<Break, string>> = {
  'missing-parent': 'it names a parent that was never written, and readers stop there',
  'no-parent': 'it names no parent although something came before it, and readers stop there',
  'parent-cycle': 'its parents lead back to itself, and readers find no way in',
}

export function mendParents(draft: Draft): void {
  restoreBoundaries(draft)
  const thread = threadOf(draft)
  const parents = Int32Array.from(thread.last.parents)
  const breaks = breaksOf(thread, parents)
  if (breaks.size === 0) return
  const { join } = joinerOf(rootsOf(parents))
  const callers = callersOf(thread)
  const main = newTrail()
  const side = newTrail()
  for (let index = 0; index < parents.length; index++) {
    const trail = isSide(thread, index) ? side : main
    const code = breaks.get(index)
    if (code !== undefined) {
      const target = firstOf(placesFor(thread, index, callers, trail), (one) => one !== index && join(index, one))
      parents[index] = target ?? NO_PARENT
      // The first record of a file may go on from another file: that is no break.
      if (target !== null || code === 'parent-cycle') relink(draft, thread, index, code, target)
    }
    passOver(thread, parents, trail, index)
  }
}

/** The broken nodes; `parents` is a forest afterwards. */
function breaksOf(thread: Thread, parents: Int32Array): ReadonlyMap<number, Break> {
  const breaks = new Map<number, Break>()
  let seesRecords = false
  for (let index = 0; index < parents.length; index++) {
    if (isSide(thread, index) || !hasOwnUuid(thread.nodes[index] as ThreadNode)) continue
    const { last } = thread.nodes[index] as ThreadNode
    if (parents[index] === MISSING) breaks.set(index, 'missing-parent')
    // A prompt without a parent is a rewind to the first one; an answer without anything before it is none.
    else if (parents[index] === NO_PARENT && seesRecords && (last.kind === 'reply' || last.kind === 'tool-result'))
      breaks.set(index, 'no-parent')
    if (((thread.last.flags[index] as number) & MESSAGE) !== 0) seesRecords = true
  }
  for (const node of cutCycles(parents)) breaks.set(node, 'parent-cycle')
  return breaks
}

/** What came before, in file order. */
interface Trail {
  /** The last record of a type that every reader walks over. */
  previous: number
  readonly messages: number[]
  /** The nearest message at or above each record. */
  readonly nearest: Map<number, number>
}

function newTrail(): Trail {
  return { previous: -1, messages: [], nearest: new Map() }
}

function passOver(thread: Thread, parents: Int32Array, trail: Trail, index: number): void {
  if (!hasOwnUuid(thread.nodes[index] as ThreadNode)) return
  const flag = thread.last.flags[index] as number
  if ((flag & MESSAGE) !== 0) {
    trail.messages.push(index)
    trail.nearest.clear()
    trail.nearest.set(index, index)
  } else {
    const above = trail.nearest.get(parents[index] as number)
    if (above !== undefined) trail.nearest.set(index, above)
  }
  if ((flag & CHAIN_TYPE) !== 0 && (flag & PROGRESS) === 0) trail.previous = index
}

const PLACES_MAX = 1000

/**
 * Below its call, for the result of one. Else below the record before it, unless that hangs elsewhere than the last
 * message: a late note below an early message would hide what lies between. Then below earlier messages.
 */
function* placesFor(
  thread: Thread,
  index: number,
  callers: ReadonlyMap<string, number>,
  { previous, messages, nearest }: Trail,
): Generator<number, void, void> {
  for (const { id } of (thread.nodes[index] as ThreadNode).last.toolResults) {
    const caller = callers.get(id)
    if (caller !== undefined) yield caller
  }
  const last = messages.at(-1)
  if (previous >= 0 && (last === undefined || nearest.get(previous) === last)) yield previous
  for (let back = 1; back <= Math.min(messages.length, PLACES_MAX); back++) yield messages.at(-back) as number
}

function callersOf(thread: Thread): ReadonlyMap<string, number> {
  const callers = new Map<string, number>()
  for (const [index, node] of thread.nodes.entries()) {
    const { last } = node
    if (!last.isSidechain && hasOwnUuid(node)) for (const { id } of last.toolUses) callers.set(id, index)
  }
  return callers
}

function firstOf<Value>(values: Iterable<Value>, fits: (value: Value) => boolean): Value | null {
  for (const value of values) if (fits(value)) return value
  return null
}

function relink(draft: Draft, thread: Thread, index: number, code: Break, target: number | null): void {
  const node = thread.nodes[index] as ThreadNode
  const row = rowOf(draft, node.last)
  const before = [shown(draft, row, `parentUuid: ${node.last.parentUuid ?? 'null'}`)]
  const parentUuid = target === null ? null : (thread.nodes[target] as ThreadNode).uuid
  setParent(draft, row, parentUuid)
  const what = target === null ? 'let a record begin the conversation' : 'hang a record below the one before it'
  addStep(draft, ['chain', code, what, WHY[code]], before, [shown(draft, row, `parentUuid: ${parentUuid ?? 'null'}`)])
}

/**
 * A Recap whose Boundary was lost: below the record before it, it would bring back all that was compacted away. The
 * Boundary is made anew, under the uuid by which the Recap knows it.
 */
function restoreBoundaries(draft: Draft): void {
  const thread = threadOf(draft)
  const { parents } = thread.last
  const seen = new Set<string>()
  let previous: ThreadNode | null = null
  for (let index = 0; index < thread.nodes.length; index++) {
    const node = thread.nodes[index] as ThreadNode
    const isLost = parents[index] === MISSING && node.last.kind === 'recap' && !node.last.isSidechain
    const named = node.last.parentUuid ?? ''
    if (isLost && previous !== null && !seen.has(named)) {
      seen.add(named)
      restore(draft, node, previous)
    }
    if (((thread.last.flags[index] as number) & (MESSAGE | SIDECHAIN)) === MESSAGE && hasOwnUuid(node)) previous = node
  }
}

function restore(draft: Draft, { last }: ThreadNode, previous: ThreadNode): void {
  const row = rowOf(draft, last)
  const place = { ...last, offset: placeBeside(draft, last, 'before') }
  const { body, envelope } = madeBoundary(place, last.parentUuid ?? '', previous.uuid)
  const why = 'the compaction before it was lost, and with it what the client must not send again'
  const made = addMade(draft, body, envelope)
  addStep(
    draft,
    ['chain', 'boundary-lost', 'make a compaction mark for a recap that has none', why],
    [shown(draft, row, `parentUuid: ${last.parentUuid}`)],
    [shown(draft, made, `logicalParentUuid: ${previous.uuid}`), shown(draft, row, `parentUuid: ${last.parentUuid}`)],
  )
}

function isSide(thread: Thread, index: number): boolean {
  return ((thread.last.flags[index] as number) & SIDECHAIN) !== 0
}
