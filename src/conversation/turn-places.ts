// In which Turn each record of a session's own file stands, without building the Turns: a search asks for many records
// of many sessions at once.

import type { ThreadNode } from '../graph/thread.ts'
import { inFileOrder } from '../graph/thread.ts'
import type { Envelope } from '../record/model.ts'
import { groupByPrompt } from './branches.ts'
import type { Woven } from './build.ts'
import { looseAfter } from './reading.ts'

export interface TurnPlaces {
  /** By the order of the records in the file: the number of the Branch, -1 for a record in none. */
  readonly branches: Int32Array
  /** The number of the Turn among those the Branch has of its own, from 1. */
  readonly turns: Int32Array
}

export function turnPlaces(woven: Woven): TurnPlaces {
  const { joined, outline, source } = woven
  const envelopes = inFileOrder(source.main.envelopes)
  const recordAt = recordFinder(envelopes)
  const branches = new Int32Array(envelopes.length).fill(-1)
  const turns = new Int32Array(envelopes.length)
  const place = (offset: number, branch: number, turn: number): void => {
    const record = recordAt(offset)
    if (record === undefined) return
    branches[record] = branch
    turns[record] = turn
  }
  const loose = looseAfter(woven)
  for (const [number, branch] of outline.branches.entries()) {
    for (const [index, nodes] of groupByPrompt(branch, joined).entries()) {
      for (const node of nodes) {
        const { transcript, first, copies } = joined.nodes[node] as ThreadNode
        if (transcript === 0) place(first.offset, number, index + 1)
        for (const { offset } of copies) place(offset, number, index + 1)
        const after = number === 0 ? loose.get(node) : undefined
        if (after === undefined) continue
        for (const one of after) if (one.transcript === 0) place(one.envelope.offset, number, index + 1)
      }
    }
  }
  return { branches, turns }
}

/** Mostly the next one is asked for. */
function recordFinder(envelopes: readonly Envelope[]): (offset: number) => number | undefined {
  let last = -1
  return (offset) => {
    if (envelopes[last + 1]?.offset !== offset) last = recordBefore(envelopes, offset)
    return envelopes[last + 1]?.offset === offset ? ++last : undefined
  }
}

/** The last record that stands before an offset; -1 where none does. */
function recordBefore(envelopes: readonly Envelope[], offset: number): number {
  let low = 0
  let high = envelopes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((envelopes[middle] as Envelope).offset < offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
