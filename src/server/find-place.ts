// Where a permalink leads to: the Row of a record, on whichever Branch it stands.

import type { Row } from '../conversation/layout.ts'
import { inlineAgentOf, locateRecord } from '../conversation/locate.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Place, ReadingChoice } from './api/conversation.ts'
import type { OpenConversations } from './open-conversations.ts'
import { wovenOf } from './open-conversations.ts'
import type { OpenReading } from './open-reading.ts'
import { LIVE_BRANCH, rowAtOffset, rowsNamed } from './open-reading.ts'
import type { RecordBytes } from './record-bytes.ts'
import { refOf } from './record-ref.ts'
import { envelopeAt } from './row-views.ts'

export function placeOf(
  conversations: OpenConversations,
  file: TranscriptFile,
  reading: OpenReading,
  record: string,
): Place | null {
  const here = placeIn(reading, conversations.bytes, record)
  if (here !== null) return here
  // On another Branch: only the woven conversation knows which.
  const { agent } = reading.choice
  const woven = wovenOf(conversations.session(file), agent)
  const located = woven === null ? null : locateRecord(woven, record)
  if (located === null) {
    const inside = woven === null || agent !== null ? null : inlineAgentOf(woven, record)
    const run = inside === null ? null : conversations.reading(file, { ...LIVE_BRANCH, agent: inside })
    return run === null ? null : placeOf(conversations, file, run, record)
  }
  const choice: ReadingChoice = { reading: 'full', branch: located.branch, agent, at: null }
  const there = conversations.reading(file, choice)
  return there === null ? null : placeIn(there, conversations.bytes, located.uuid ?? `@${located.offset}`)
}

function placeIn(reading: OpenReading, bytes: RecordBytes, record: string): Place | null {
  const offset = /^@(\d{1,15})$/.exec(record)?.[1]
  if (offset !== undefined) return placeAt(reading, bytes, rowAtOffset(reading, Number(offset)))
  for (const index of rowsNamed(reading, record)) {
    const [row] = reading.rowsAt(index, 1)
    if (row !== undefined && holds(reading, bytes, row, record)) return placeAt(reading, bytes, index)
  }
  return null
}

function placeAt(reading: OpenReading, bytes: RecordBytes, index: number): Place | null {
  const [row] = index < 0 ? [] : reading.rowsAt(index, 1)
  if (row === undefined) return null
  return {
    ...reading.choice,
    row: index,
    turn: row.turn,
    uuid: uuidAt(reading, bytes, row.record),
    ref: refOf(row.record),
  }
}

function holds(reading: OpenReading, bytes: RecordBytes, row: Row, name: string): boolean {
  const spots = [row.record, ...row.further, ...row.calls.flatMap(({ result }) => result ?? [])]
  return spots.some((spot) => uuidAt(reading, bytes, spot)?.startsWith(name) === true)
}

function uuidAt(reading: OpenReading, bytes: RecordBytes, spot: Row['record']): string | null {
  const body = bytes.body(reading.paths[spot.transcript] ?? '', spot)
  return envelopeAt(body, spot, reading.isSubagent)?.uuid ?? null
}
