// Rows with their records read → what the browser shows of them. A window is bounded in bytes: a record that is very
// long is named and not sent, and a window that is full has fewer Rows than were asked for.

import type { Row, RowCall } from '../conversation/layout.ts'
import type { PlacedRecord, ToolCall } from '../conversation/model.ts'
import type { ReplyBlock, ToolPart } from '../conversation/parts.ts'
import { blocksOf, partOf, recapIn } from '../conversation/parts.ts'
import { untagged } from '../conversation/typed.ts'
import type { Placed } from '../record/envelope.ts'
import { envelopeOf, newReadState } from '../record/envelope.ts'
import type { Body, Envelope, RecordKind } from '../record/model.ts'
import { injectionLabel, subtypeLabel } from '../render/system-words.ts'
import type { BlockView, CallLine, RowView, RowWindow, Text } from './api/rows.ts'
import { changedBy, withoutFolder } from './call-change.ts'
import type { OpenReading } from './open-reading.ts'
import type { RecordBytes } from './record-bytes.ts'
import { refOf } from './record-ref.ts'

/** So much of a text is sent with its Row. */
const TEXT_MAX = 16_000
/** A record beyond this is sent only when it is asked for by itself. */
const HEAVY_BYTES = 1 << 19
/** A window stops behind the Row that takes it over this. */
const WINDOW_BYTES = 1 << 21

export const ROWS_MAX = 200

export function rowWindow(reading: OpenReading, bytes: RecordBytes, from: number, count: number): RowWindow {
  const rows: RowView[] = []
  let size = 0
  for (const [index, row] of reading.rowsAt(from, Math.min(count, ROWS_MAX)).entries()) {
    const isHeavy = row.kind !== 'quiet' && row.record.length > HEAVY_BYTES
    rows.push(isHeavy ? heavyRow(reading, row, from + index) : rowView(reading, bytes, row, from + index))
    size += isHeavy ? 0 : row.record.length
    if (size > WINDOW_BYTES) break
  }
  return { version: reading.version, total: reading.rows, from, rows }
}

type Place = Pick<RowView, 'row' | 'turn' | 'opensTurn' | 'ref' | 'uuid' | 'line' | 'ms'>

function placeOf(reading: OpenReading, row: Row, index: number, uuid: string | null): Place {
  const { turn, record, ms } = row
  const opensTurn = reading.allTurns()[turnIndex(reading, index)]?.row === index
  return { row: index, turn, opensTurn, ref: refOf(record), uuid, line: record.line, ms }
}

/** The Turn a Row stands in, by halves: there may be ten thousand. */
export function turnIndex(reading: OpenReading, row: number): number {
  const turns = reading.allTurns()
  let low = 0
  let high = turns.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((turns[middle]?.row ?? 0) <= row) low = middle
    else high = middle - 1
  }
  return low
}

function heavyRow(reading: OpenReading, row: Row, index: number): RowView {
  return { ...placeOf(reading, row, index, null), kind: 'heavy', what: row.kind, bytes: row.record.length }
}

export function rowView(reading: OpenReading, bytes: RecordBytes, row: Row, index: number): RowView {
  const path = reading.paths[row.record.transcript] ?? ''
  const body = row.kind === 'quiet' ? null : bytes.body(path, row.record)
  const envelope = envelopeAt(body, row.record, reading.isSubagent)
  const place = placeOf(reading, row, index, envelope?.uuid ?? null)
  if (row.kind === 'quiet') return { ...place, kind: 'quiet', records: quietRecords(reading, bytes, row) }
  if (body === null || envelope === null) return { ...place, kind: 'unknown', type: 'a record that cannot be read now' }
  if (row.kind === 'reply') return replyView(place, row, body, envelope)
  return plainView(place, row, body, envelope)
}

export function envelopeAt(body: Body | null, placed: Placed, isSubagent: boolean): Envelope | null {
  return body === null ? null : envelopeOf(body, placed, newReadState(isSubagent))
}

/** The Layout knows better what a record is: a prompt that only the queue has looks like a note of the client's. */
const RECORD_KINDS: Readonly<Record<string, RecordKind>> = { prompt: 'prompt', result: 'tool-result' }

function plainView(place: Place, row: Row, body: Body, found: Envelope): RowView {
  const envelope = { ...found, kind: RECORD_KINDS[row.kind] ?? found.kind }
  const record: PlacedRecord = { transcript: row.record.transcript, envelope }
  const part = partOf(record, () => body)
  switch (part.kind) {
    case 'prompt':
      return { ...place, kind: 'prompt', text: cut(part.text), images: part.images, isQueued: part.isQueued }
    case 'injection':
      return { ...place, kind: 'system', label: injectionLabel(part.injection), text: cut(untagged(part.text)) }
    case 'system':
      return { ...place, kind: 'system', label: subtypeLabel(part.subtype ?? 'note'), text: cut(untagged(part.text)) }
    case 'recap':
      return { ...place, kind: 'recap', text: cut(part.text) }
    case 'tool-result':
      return { ...place, kind: 'result', text: cut(part.text) }
    case 'boundary': {
      const { isMicro, trigger, preTokens, postTokens, tokensSaved } = part
      const recap = recapIn(body)
      return {
        ...place,
        kind: 'boundary',
        isMicro,
        trigger,
        preTokens,
        postTokens,
        tokensSaved,
        recap: recap === null ? null : cut(recap),
      }
    }
    default:
      return { ...place, kind: 'unknown', type: envelope.type }
  }
}

function replyView(place: Place, row: Row, body: Body, envelope: Envelope): RowView {
  const blocks = replyBlocks(row, body, envelope).map((block, index) => blockView(block, index, row, envelope))
  const { usage } = row
  return {
    ...place,
    kind: 'reply',
    messageId: envelope.messageId ?? '',
    model: envelope.model,
    opensReply: row.opensReply,
    blocks,
    usage:
      usage === null
        ? null
        : {
            inputTokens: usage.inputTokens,
            outputTokens: usage.outputTokens,
            cacheReadTokens: usage.cacheReadTokens,
            cacheWriteTokens: usage.cacheWriteTokens,
          },
  }
}

/** The Blocks of a Reply's record. Results are not read for them: what a line says of a call is in the Layout. */
export function replyBlocks(row: Row, body: Body, envelope: Envelope): readonly ReplyBlock[] {
  const calls = new Map<string, ToolCall>()
  for (const [index, { id, name }] of envelope.toolUses.entries()) {
    const { status = 'pending', agentId = null } = row.calls[index] ?? {}
    const record: PlacedRecord = { transcript: row.record.transcript, envelope }
    if (!calls.has(id)) calls.set(id, { id, name, call: record, result: null, status, spillPath: null, agentId })
  }
  return blocksOf(body, calls, () => body)
}

function blockView(block: ReplyBlock, index: number, row: Row, envelope: Envelope): BlockView {
  switch (block.kind) {
    case 'text':
      return { kind: 'text', block: index, text: cut(block.text) }
    case 'thinking':
      return { kind: 'thinking', block: index, text: cut(block.text), isStored: block.isStored }
    case 'tool': {
      const number = envelope.toolUses.findIndex(({ id }) => id === block.call.id)
      return { kind: 'call', block: index, call: callLine(block.call, row.calls[number], row.ms, envelope.cwd) }
    }
    default:
      return { kind: 'other', block: index, type: block.type }
  }
}

export function callLine(
  part: ToolPart,
  call: RowCall | undefined,
  ms: number | null,
  folder: string | null,
): CallLine {
  const { result = null, resultMs = null, hasSpill = false } = call ?? {}
  return {
    id: part.id,
    name: part.name,
    title: withoutFolder(part.title, folder),
    status: part.status,
    agentId: part.agentId,
    resultRef: result === null ? null : refOf(result),
    resultBytes: result?.length ?? 0,
    durationMs: resultMs === null || ms === null ? null : Math.max(0, resultMs - ms),
    changed: changedBy(part, folder),
    hasSpill,
  }
}

function quietRecords(
  reading: OpenReading,
  bytes: RecordBytes,
  row: Row,
): Extract<RowView, { kind: 'quiet' }>['records'] {
  return [row.record, ...row.further].map((spot) => {
    const path = reading.paths[spot.transcript] ?? ''
    const body = spot.length > HEAVY_BYTES ? null : bytes.body(path, spot)
    const envelope = envelopeAt(body, spot, reading.isSubagent)
    const label = envelope === null ? 'record' : [envelope.type, envelope.subtype].filter(Boolean).join(' ')
    return { ref: refOf(spot), label: label.replaceAll('_', ' ') }
  })
}

/** How a text begins, cut between characters. */
export function cut(text: string, most = TEXT_MAX): Text {
  if (text.length <= most) return { text, length: text.length, isCut: false }
  const code = text.charCodeAt(most - 1)
  const end = code >= 0xd800 && code < 0xdc00 ? most - 1 : most
  return { text: text.slice(0, end), length: text.length, isCut: true }
}
