// Bytes of a transcript → usage records, without parsing most of it: a word that every assistant record holds leads to
// the lines worth parsing, a sixth of all bytes. A line that is not plain JSON takes the exact way, so damaged and glued
// records count as they do everywhere else.

import { isAscii } from '../base/text.ts'
import type { Body } from '../record/model.ts'
import { addLine, openReader } from '../record/transcript.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import { usageRecordOf } from '../record/usage-record.ts'
import type { Line } from '../source/model.ts'
import type { WindowSizes } from './lines-with.ts'
import { eachLineWith } from './lines-with.ts'

type Add = (record: UsageRecord) => void

const NEEDLE = Buffer.from('"assistant"')

export function readUsageLines(fd: number, add: Add, sizes?: WindowSizes): void {
  const visit = (line: Line): void => {
    if (!quickLine(line, add)) plainLine(line, add)
  }
  eachLineWith(fd, NEEDLE, visit, sizes)
}

/** One line as every other reader reads it; the standard the quick way is held to. */
export function plainLine(line: Line, add: Add): void {
  const visit = (envelope: { readonly line: number }, body: Body): void => {
    const record = usageRecordOf(body, envelope.line)
    if (record !== null) add(record)
  }
  addLine(openReader('', { isExact: true, visit }), line)
}

/** False when it takes more care: it is no single record, or holds a text outside of ASCII that matters. */
function quickLine({ bytes, number }: Line, add: Add): boolean {
  const body = bytes === null ? null : parse(bytes)
  if (body === null) return false
  const record = usageRecordOf(body, number)
  if (record === null) return true
  if (!isPlain(record)) return false
  add(record)
  return true
}

function isPlain({ key, model, sessionId, agentId, agentType, cwd }: UsageRecord): boolean {
  for (const text of [key, model, sessionId, agentId, agentType, cwd]) if (text !== null && !isAscii(text)) return false
  return true
}

/** One character a byte: all that is looked at is ASCII, or else looked at again. */
function parse(bytes: Uint8Array): Body | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
  } catch {
    return null
  }
}
