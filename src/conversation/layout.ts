// A Reading as Rows: what stands below what when a Conversation is unrolled, each Row with the places of its records and
// without a word of their content. It is made from Envelopes once and kept, so that any stretch of a Conversation can be
// shown by reading the records of that stretch and nothing else.

import type { Envelope, Usage } from '../record/model.ts'
import type { PlacedRecord, Reply, ToolCall, ToolStatus, Turn } from './model.ts'

/** Where a record's bytes are. `key` is the beginning of its uuid as a number, for finding it again; 0 without one. */
export interface Spot {
  readonly transcript: number
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly key: number
}

/** The order is stored: only add at the end. */
export const ROW_KINDS = [
  'prompt',
  'reply',
  'result',
  'injection',
  'system',
  'recap',
  'boundary',
  'quiet',
  'unknown',
] as const
export type RowKind = (typeof ROW_KINDS)[number]

export interface Row {
  readonly kind: RowKind
  readonly turn: number
  readonly record: Spot
  readonly ms: number | null
  /** Of a reply: the calls it makes, in the order of its Blocks. */
  readonly calls: readonly RowCall[]
  /** Of a quiet Row: the records after the first. */
  readonly further: readonly Spot[]
  /** The first record of its Reply. */
  readonly opensReply: boolean
  /** What the whole Reply used, with its last record. */
  readonly usage: Usage | null
}

export interface RowCall {
  readonly status: ToolStatus
  readonly result: Spot | null
  readonly resultMs: number | null
  readonly agentId: string | null
  readonly hasSpill: boolean
}

export interface RowTurn {
  readonly number: number
  readonly segment: number
  readonly row: number
  readonly rows: number
  /** The Row of its Prompt; -1 where it has none. */
  readonly promptRow: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly calls: number
  readonly failures: number
}

export interface Layout {
  readonly rows: readonly Row[]
  readonly turns: readonly RowTurn[]
}

export function layoutOf(turns: readonly Turn[]): Layout {
  const rows: Row[] = []
  const heads: RowTurn[] = []
  for (const turn of turns) {
    const first = rows.length
    for (const row of turnRows(turn)) rows.push(row)
    const own = rows.slice(first)
    const promptRow = own.findIndex(({ kind }) => kind === 'prompt')
    heads.push({
      number: turn.number,
      segment: turn.segment,
      row: first,
      rows: own.length,
      promptRow: promptRow < 0 ? -1 : first + promptRow,
      startedMs: turn.startedMs,
      endedMs: turn.endedMs,
      calls: turn.toolCalls.length,
      failures: turn.toolCalls.filter(({ status }) => status === 'error').length,
    })
  }
  return { rows, turns: heads }
}

/** The Rows of one Turn. A Reply stands where its first record does, a result with its call. */
export function turnRows(turn: Turn): readonly Row[] {
  const replyOf = new Map<PlacedRecord, Reply>()
  for (const reply of turn.replies) for (const record of reply.records) replyOf.set(record, reply)
  const calls = new Map(turn.toolCalls.map((call) => [call.id, call]))
  const joined = new Set(turn.toolCalls.map((call) => call.result?.envelope))
  const told = new Set<Reply>()
  const rows: Row[] = []
  for (const record of turn.records) {
    const reply = replyOf.get(record)
    if (reply !== undefined) {
      if (!told.has(reply)) for (const row of replyRows(reply, calls, turn.number)) rows.push(row)
      told.add(reply)
    } else if (!joined.has(record.envelope)) {
      const row = plainRow(record, turn.number)
      const last = rows.at(-1)
      if (isJoined(last, row)) (last.further as Spot[]).push(row.record)
      else rows.push(row)
    }
  }
  return rows
}

/** Quiet ones that follow each other share a Row, up to so many. */
const QUIET_MAX = 64

function isJoined(last: Row | undefined, row: Row): last is Row {
  if (row.kind !== 'quiet' || last?.kind !== 'quiet') return false
  return last.turn === row.turn && last.further.length + 1 < QUIET_MAX
}

/** To Rows that somebody may hold already: another one takes the place of the last. */
export function addRow(rows: Row[], row: Row): void {
  const last = rows.at(-1)
  if (isJoined(last, row)) rows[rows.length - 1] = { ...last, further: [...last.further, row.record] }
  else rows.push(row)
}

const NONE: readonly never[] = []

/** A quiet one has a list of its own, to which those behind it are added. */
export function plainRow(record: PlacedRecord, turn: number): Row {
  const kind = kindOf(record.envelope)
  return {
    kind,
    turn,
    record: spotOf(record),
    ms: record.envelope.timestampMs,
    calls: NONE,
    further: kind === 'quiet' ? [] : NONE,
    opensReply: false,
    usage: null,
  }
}

function replyRows({ records, usage }: Reply, calls: ReadonlyMap<string, ToolCall>, turn: number): readonly Row[] {
  return records.map((record, index) => ({
    kind: 'reply',
    turn,
    record: spotOf(record),
    ms: record.envelope.timestampMs,
    calls:
      record.envelope.toolUses.length === 0 ? NONE : record.envelope.toolUses.map(({ id }) => rowCall(calls.get(id))),
    further: NONE,
    opensReply: index === 0,
    usage: index === records.length - 1 ? usage : null,
  }))
}

export const NO_CALL: RowCall = { status: 'pending', result: null, resultMs: null, agentId: null, hasSpill: false }

function rowCall(call: ToolCall | undefined): RowCall {
  if (call === undefined) return NO_CALL
  const { status, result, agentId, spillPath } = call
  return {
    status,
    result: result === null ? null : spotOf(result),
    resultMs: result?.envelope.timestampMs ?? null,
    agentId,
    hasSpill: spillPath !== null,
  }
}

/** What the client writes for itself, by subtype: nobody reads it. */
const QUIET_SYSTEM: ReadonlySet<string> = new Set([
  'turn_duration',
  'stop_hook_summary',
  'file_snapshot',
  'bridge_status',
])

function kindOf({ kind, subtype, injection }: Envelope): RowKind {
  switch (kind) {
    case 'prompt':
    case 'recap':
      return kind
    case 'injection':
      return injection === 'empty' ? 'quiet' : 'injection'
    case 'tool-result':
      return 'result'
    case 'reply':
      return 'reply'
    case 'boundary':
    case 'micro-boundary':
      return 'boundary'
    case 'system':
      return QUIET_SYSTEM.has(subtype ?? '') ? 'quiet' : 'system'
    case 'attachment':
    case 'progress':
    case 'metadata':
      return 'quiet'
    default:
      return 'unknown'
  }
}

export function spotOf({ transcript, envelope: { uuid, line, offset, length } }: PlacedRecord): Spot {
  return { transcript, line, offset, length, key: uuidKey(uuid) }
}

/** Thirty-two bits of an id. Made-up transcripts have ids that are no hexadecimal numbers. */
export function uuidKey(uuid: string | null): number {
  if (uuid === null || uuid === '') return 0
  const head = hexadecimal(uuid)
  if (head !== null) return head
  let key = 0
  for (let at = 0; at < uuid.length; at++) key = (key * 31 + uuid.charCodeAt(at)) >>> 0
  return key
}

/** Of its first eight characters, if they are lower-case digits all of them. */
function hexadecimal(uuid: string): number | null {
  if (uuid.length < 8) return null
  let value = 0
  for (let at = 0; at < 8; at++) {
    const unit = uuid.charCodeAt(at)
    if (unit >= 0x30 && unit <= 0x39) value = value * 16 + (unit - 0x30)
    else if (unit >= 0x61 && unit <= 0x66) value = value * 16 + (unit - 0x57)
    else return null
  }
  return value
}
