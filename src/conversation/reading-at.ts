// What the model saw when it came to a record: the context Reading of what had been written by then. What was written
// later (a compaction, another Branch) plays no part in it.

import { readContextAt as contextAt, messageUuids } from '../graph/context.ts'
import { buildThread } from '../graph/thread.ts'
import { turnsInOrder } from './branches.ts'
import type { Woven } from './build.ts'
import type { Reading } from './reading.ts'
import { resultsById } from './tool-calls.ts'

export interface RecordPlace {
  readonly transcript: number
  readonly offset: number
}

/** Null when no record begins there. */
export function readContextAt(woven: Woven, { transcript, offset }: RecordPlace): Reading | null {
  const { main, earlier } = woven.source
  const written = [main, ...earlier][transcript]?.envelopes.filter((envelope) => envelope.offset <= offset) ?? []
  const thread = buildThread([{ transcript, envelopes: written }])
  const node = thread.nodes.findIndex(
    ({ first, copies }) => first.offset === offset || copies.some((copy) => copy.offset === offset),
  )
  if (node < 0) return null
  const { nodes } = contextAt(thread, node)
  const turns = turnsInOrder(nodes, {
    thread,
    parents: new Int32Array(thread.nodes.length).fill(-1),
    results: resultsById(thread.nodes.map(({ first }) => ({ transcript, envelope: first }))),
    agentOfCall: woven.agents.agentOfCall,
    looseAfter: new Map(),
  })
  const tipUuid = thread.nodes[node]?.uuid ?? null
  const chain = messageUuids(thread, nodes, 'resume', woven.source.isSubagent)
  return { rule: 'context', branch: 0, tipUuid, turns, chain }
}
