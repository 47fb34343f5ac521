// Bytes → windows of whole lines, read into a room that is given: the scanner's own memory. A line that does not fit there,
// and one without a line end, comes as a Line.

import { readSync } from 'node:fs'
import type { LineStart } from './lines.ts'
import { readLines } from './lines.ts'
import type { Line, LineWindow } from './model.ts'

export function isWindow(part: LineWindow | Line): part is LineWindow {
  return 'end' in part
}

/** How much is read at once; only tests set it. */
const READ_BYTES = 1 << 20

/** Some processors copy at a quarter of their speed to a place that is not at such a step. */
const STEP = 64

export function* readWindows(
  fd: number,
  from: LineStart,
  bytes: Uint8Array,
  readSize = READ_BYTES,
): Generator<LineWindow | Line, void, void> {
  const room = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** What is read and not handed on yet. */
  let start = 0
  let filled = 0
  /** File offset of room[start]. */
  let base = from.offset
  let { number } = from
  while (true) {
    const read = readSync(fd, room, filled, Math.min(room.length - filled, readSize), base + filled - start)
    if (read === 0) {
      const line = room.subarray(start, filled)
      if (filled > start) yield { number, offset: base, length: line.length, bytes: line, ended: false }
      return
    }
    const lastEnd = room.subarray(filled, filled + read).lastIndexOf(10)
    const end = lastEnd === -1 ? start : filled + lastEnd + 1
    filled += read
    if (end > start) {
      const window: LineWindow = { start, end, offset: base, number, lineCount: 0 }
      yield window
      number += window.lineCount
      base += end - start
      // The rest of a line goes to where the next read, right behind it, begins at a step.
      const rest = filled - end
      const next = Math.ceil(rest / STEP) * STEP
      room.copyWithin(next - rest, end, filled)
      start = next - rest
      filled = next
    }
    if (filled < room.length) continue
    const [line] = readLines(fd, { offset: base, number })
    if (line === undefined) return
    yield line
    if (!line.ended) return
    base = line.offset + line.length
    number++
    start = 0
    filled = 0
  }
}
