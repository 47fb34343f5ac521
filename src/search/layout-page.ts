// Rows and Turns of a Layout as bytes and back, some forty bytes a Row. Pages have a fixed number of Rows, so that a
// window of a conversation is one page or two.

import type { Row, RowCall, RowTurn, Spot } from '../conversation/layout.ts'
import { ROW_KINDS } from '../conversation/layout.ts'
import type { ToolStatus } from '../conversation/model.ts'
import { ByteReader, ByteWriter } from '../load/packed-bytes.ts'
import type { Usage } from '../record/model.ts'

export const PAGE_ROWS = 256

/** The order is stored: only add at the end. */
const STATUSES: readonly ToolStatus[] = ['pending', 'ok', 'error', 'denied', 'interrupted']

export function packRows(rows: readonly Row[]): Buffer {
  const to = new ByteWriter()
  to.whole(rows.length)
  for (const { kind, turn, record, ms, calls, further, opensReply, usage } of rows) {
    to.whole(ROW_KINDS.indexOf(kind) * 4 + (opensReply ? 2 : 0) + (usage === null ? 0 : 1))
    to.whole(turn)
    packSpot(to, record)
    to.number(ms)
    to.whole(calls.length)
    for (const call of calls) packCall(to, call)
    to.whole(further.length)
    for (const spot of further) packSpot(to, spot)
    if (usage !== null) packUsage(to, usage)
  }
  return to.finish()
}

export function unpackRows(packed: Uint8Array): Row[] {
  const from = new ByteReader(packed)
  const count = from.whole()
  const rows: Row[] = []
  for (let index = 0; index < count; index++) {
    const code = from.whole()
    rows.push({
      kind: ROW_KINDS[code >> 2] ?? 'unknown',
      turn: from.whole(),
      record: unpackSpot(from),
      ms: from.number(),
      calls: unpackAll(from, unpackCall),
      further: unpackAll(from, unpackSpot),
      opensReply: (code & 2) !== 0,
      usage: (code & 1) === 0 ? null : unpackUsage(from),
    })
  }
  return rows
}

export function packTurns(turns: readonly RowTurn[]): Buffer {
  const to = new ByteWriter()
  to.whole(turns.length)
  for (const { number, segment, row, rows, promptRow, startedMs, endedMs, calls, failures } of turns) {
    for (const value of [number, segment, row, rows, promptRow + 1]) to.whole(value)
    to.number(startedMs)
    to.number(endedMs)
    to.whole(calls)
    to.whole(failures)
  }
  return to.finish()
}

export function unpackTurns(packed: Uint8Array): RowTurn[] {
  const from = new ByteReader(packed)
  const count = from.whole()
  const turns: RowTurn[] = []
  for (let index = 0; index < count; index++) {
    turns.push({
      number: from.whole(),
      segment: from.whole(),
      row: from.whole(),
      rows: from.whole(),
      promptRow: from.whole() - 1,
      startedMs: from.number(),
      endedMs: from.number(),
      calls: from.whole(),
      failures: from.whole(),
    })
  }
  return turns
}

function packSpot(to: ByteWriter, { transcript, line, offset, length, key }: Spot): void {
  to.whole(transcript)
  to.whole(line)
  to.whole(offset)
  to.whole(length)
  to.whole(key)
}

function unpackSpot(from: ByteReader): Spot {
  return {
    transcript: from.whole(),
    line: from.whole(),
    offset: from.whole(),
    length: from.whole(),
    key: from.whole(),
  }
}

function packCall(to: ByteWriter, { status, result, resultMs, agentId, hasSpill }: RowCall): void {
  to.whole(STATUSES.indexOf(status) * 4 + (hasSpill ? 2 : 0) + (result === null ? 0 : 1))
  if (result !== null) packSpot(to, result)
  to.number(resultMs)
  to.text(agentId)
}

function unpackCall(from: ByteReader): RowCall {
  const code = from.whole()
  const result = (code & 1) === 0 ? null : unpackSpot(from)
  const resultMs = from.number()
  const agentId = from.text()
  return { status: STATUSES[code >> 2] ?? 'pending', result, resultMs, agentId, hasSpill: (code & 2) !== 0 }
}

function packUsage(to: ByteWriter, usage: Usage): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  for (const value of [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens]) {
    to.number(value)
  }
}

function unpackUsage(from: ByteReader): Usage {
  const next = (): number => from.number() ?? 0
  return {
    inputTokens: next(),
    outputTokens: next(),
    cacheReadTokens: next(),
    cacheWriteTokens: next(),
    cacheWrite1hTokens: next(),
  }
}

const NONE: readonly never[] = []

function unpackAll<Value>(from: ByteReader, unpack: (from: ByteReader) => Value): readonly Value[] {
  const count = from.whole()
  if (count === 0) return NONE
  const values: Value[] = []
  for (let index = 0; index < count; index++) values.push(unpack(from))
  return values
}
