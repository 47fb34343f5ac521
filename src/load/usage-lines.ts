// Bytes of a transcript → usage records. The scanner reads nearly all that used tokens; of the lines it is not sure of only
// those are parsed that may be a reply, so damaged and glued records count as they do everywhere else.

import type { Body } from '../record/model.ts'
import { addLine, openReader } from '../record/transcript.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import { usageRecordOf } from '../record/usage-record.ts'
import { usageRecordOfSketch } from '../record/usage-sketch.ts'
import type { OnSketch } from '../record/window.ts'
import { scanWindow } from '../record/window.ts'
import { readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'
import { isWindow, readWindows } from '../source/windows.ts'
import { scannerHere } from './scanner.ts'

type Add = (record: UsageRecord) => void

/** In every reply, unless somebody wrote its letters as escapes. */
const NEEDLES = [Buffer.from('"assistant"'), Buffer.from('\\u')]

/** `readBytes` at once; only tests set it. */
export function readUsageLines(fd: number, add: Add, readBytes?: number): void {
  const from = { offset: 0, number: 1 }
  const scanner = scannerHere()
  const onSketch: OnSketch = (sketch, line) => {
    const record = usageRecordOfSketch(sketch, line)
    if (record !== null) add(record)
  }
  const onLine = (line: Line): void => {
    if (mayBeReply(line)) plainLine(line, add)
  }
  for (const part of scanner === null ? readLines(fd, from) : readWindows(fd, from, scanner.input, readBytes)) {
    if (scanner !== null && isWindow(part)) scanWindow(scanner, part, onSketch, onLine)
    else onLine(part as Line)
  }
}

/** One line as every other reader reads it; the standard the quick way is held to. */
export function plainLine(line: Line, add: Add): void {
  const visit = (envelope: { readonly line: number }, body: Body): void => {
    const record = usageRecordOf(body, envelope.line)
    if (record !== null) add(record)
  }
  addLine(openReader('', { visit }), line)
}

function mayBeReply({ bytes }: Line): boolean {
  if (bytes === null) return false
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return NEEDLES.some((needle) => line.includes(needle))
}
