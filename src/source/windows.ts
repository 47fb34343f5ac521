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

export function* readWindows(
  fd: number,
  from: LineStart,
  bytes: Uint8Array,
  readSize = READ_BYTES,
): Generator<LineWindow | Line, void, void> {
  const room = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let filled = 0
  /** File offset of room[0]. */
  let base = from.offset
  let { number } = from
  while (true) {
    const read = readSync(fd, room, filled, Math.min(room.length - filled, readSize), base + filled)
    if (read === 0) {
      if (filled > 0) yield { number, offset: base, length: filled, bytes: room.subarray(0, filled), ended: false }
      return
    }
    const lastEnd = room.subarray(filled, filled + read).lastIndexOf(10)
    const end = lastEnd === -1 ? 0 : filled + lastEnd + 1
    filled += read
    if (end > 0) {
      const window: LineWindow = { end, offset: base, number, lineCount: 0 }
      yield window
      number += window.lineCount
      room.copyWithin(0, end, filled)
      base += end
      filled -= end
    }
    if (filled < room.length) continue
    const [line] = readLines(fd, { offset: base, number })
    if (line === undefined) return
    yield line
    if (!line.ended) return
    base = line.offset + line.length
    number++
    filled = 0
  }
}
