// Which calls and results of a conversation do not fit together, in the eyes of the API: each call once, each answered
// exactly once, in the very next message of the user.

import type { Envelope } from '../record/model.ts'

export interface PairFault {
  readonly code: 'call-without-result' | 'result-without-call' | 'result-misplaced' | 'result-twice' | 'call-twice'
  readonly record: Envelope
  readonly id: string
  /** Which of the calls or results of its record it is. */
  readonly at: number
  /** The record with the call, where there is one. */
  readonly call: Envelope | null
}

interface Call {
  readonly record: Envelope
  readonly at: number
  /** Which message of the assistant it stands in, counted. */
  readonly group: number
  readonly results: Answer[]
}

interface Answer {
  readonly record: Envelope
  readonly at: number
  readonly isError: boolean
  /** The message of the assistant before it. */
  readonly group: number
}

/** The faults among the records of one conversation, in order. */
export function pairFaults(records: readonly Envelope[]): readonly PairFault[] {
  const faults: PairFault[] = []
  const calls = new Map<string, Call>()
  const results: (Answer & { readonly id: string })[] = []
  /** Where the Blocks of each reply end: readers put results there. */
  const groups = new Map<string, number>()
  let group = -1
  let isUserTurn = true
  for (const record of records) {
    if (record.kind === 'reply') {
      // A tool may answer before the rest of the reply is written: its Blocks are one message all the same.
      const goesOn = record.messageId !== null && groups.get(record.messageId) === group
      if (isUserTurn && !goesOn) group++
      if (record.messageId !== null) groups.set(record.messageId, group)
      isUserTurn = false
      for (const [at, id] of callIds(record).entries()) {
        const first = calls.get(id)
        if (first !== undefined) faults.push({ code: 'call-twice', record, id, at, call: first.record })
        else calls.set(id, { record, at, group, results: [] })
      }
    } else if (record.type === 'user') {
      isUserTurn = true
      for (const [at, { id, isError }] of record.toolResults.entries()) results.push({ record, id, at, isError, group })
    }
  }
  for (const result of results) {
    const { record, id, at } = result
    const call = calls.get(id)
    if (call === undefined) faults.push({ code: 'result-without-call', record, id, at, call: null })
    else call.results.push(result)
  }
  for (const [id, call] of calls) for (const fault of resultFaults(id, call, groups)) faults.push(fault)
  return faults
}

function* resultFaults(
  id: string,
  { record, at, group, results }: Call,
  groups: ReadonlyMap<string, number>,
): Generator<PairFault, void, void> {
  const isInPlace = (one: Answer): boolean =>
    one.group === group || (record.messageId !== null && one.group === groups.get(record.messageId))
  const placed = results.filter(isInPlace)
  const best = placed.length > 0 ? placed : results
  const chosen = best.find(({ isError }) => !isError) ?? best[0]
  if (chosen === undefined) {
    yield { code: 'call-without-result', record, id, at, call: record }
    return
  }
  if (!isInPlace(chosen)) yield { code: 'result-misplaced', record: chosen.record, id, at: chosen.at, call: record }
  for (const one of results)
    if (one !== chosen) yield { code: 'result-twice', record: one.record, id, at: one.at, call: record }
}

/** The ids of calls that a client answers; those of the API's own tools are answered inside the reply. */
function callIds({ blocks, toolUses }: Envelope): readonly string[] {
  const kinds = blocks.filter((kind) => CALLS.has(kind))
  return toolUses.flatMap(({ id }, at) => (kinds[at] === 'tool_use' && id !== '' ? [id] : []))
}

const CALLS: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
