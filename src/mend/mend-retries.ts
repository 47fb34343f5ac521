// A request that failed and was tried again with success: the answer was hung beside the error, and everything after it
// below the error (CC#72203, CC#83460). So the answer is on nobody's way. What follows the error is hung below it.

import type { Thread, ThreadNode } from '../graph/thread.ts'
import type { Draft } from './draft.ts'
import { addStep, rowOf, setParent, shown, threadOf } from './draft.ts'

export function mendRetries(draft: Draft): void {
  const thread = threadOf(draft)
  const parents = Int32Array.from(thread.last.parents)
  const children = childrenOfErrors(thread, parents)
  for (const { errors, answers, others } of children.values()) {
    const [answer] = answers.filter((one) => one > (errors[0] as number))
    const walk = answer === undefined ? null : { below: new Set([answer]), last: answer, at: answer }
    for (const other of others) {
      if (walk === null || other <= walk.at) continue
      walkTo(thread, parents, walk, other)
      parents[other] = walk.last
      relink(draft, thread, other, walk.last)
    }
  }
}

interface Tries {
  /** Errors below one record, and below each other. */
  readonly errors: number[]
  /** Answers beside them. */
  readonly answers: number[]
  /** What goes on from an error although it is no answer. */
  readonly others: number[]
}

function childrenOfErrors(thread: Thread, parents: Int32Array): ReadonlyMap<number, Tries> {
  const all = new Map<number, Tries>()
  const topOf = new Map<number, number>()
  for (const [index, { last }] of thread.nodes.entries()) {
    if (last.isSidechain || last.subtype !== 'api_error') continue
    const parent = parents[index] as number
    const top = topOf.get(parent) ?? parent
    if (top < 0) continue
    topOf.set(index, top)
    const tries = all.get(top) ?? { errors: [], answers: [], others: [] }
    tries.errors.push(index)
    all.set(top, tries)
  }
  if (all.size === 0) return all
  for (const [index, { last }] of thread.nodes.entries()) {
    if (last.isSidechain || last.subtype === 'api_error') continue
    const parent = parents[index] as number
    const isAnswer = last.kind === 'reply' && last.author === 'model'
    if (isAnswer) all.get(parent)?.answers.push(index)
    else if (topOf.has(parent)) all.get(topOf.get(parent) as number)?.others.push(index)
  }
  return all
}

interface BelowAnswer {
  readonly below: Set<number>
  /** The last record seen that hangs below the answer. */
  last: number
  at: number
}

function walkTo(thread: Thread, parents: Int32Array, walk: BelowAnswer, end: number): void {
  while (walk.at < end) {
    const index = walk.at++
    if (!walk.below.has(parents[index] as number) || (thread.nodes[index] as ThreadNode).last.isSidechain) continue
    walk.below.add(index)
    walk.last = index
  }
}

function relink(draft: Draft, thread: Thread, index: number, target: number): void {
  const { last } = thread.nodes[index] as ThreadNode
  const row = rowOf(draft, last)
  const parentUuid = (thread.nodes[target] as ThreadNode).uuid
  const before = [shown(draft, row, `parentUuid: ${last.parentUuid}`)]
  setParent(draft, row, parentUuid)
  const why = 'it was hung below a failed request, beside the answer that came when it was tried again'
  addStep(draft, ['chain', 'retry-beside', 'hang what follows below the answer', why], before, [
    shown(draft, row, `parentUuid: ${parentUuid}`),
  ])
}
