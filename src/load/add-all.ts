// The one way from the bytes of a file to Envelopes: the scanner where it is there and sure, the exact way everywhere else.

import type { Reader } from '../record/transcript.ts'
import { addLine } from '../record/transcript.ts'
import type { VisitSketch } from '../record/window.ts'
import { addWindow } from '../record/window.ts'
import type { LineStart } from '../source/lines.ts'
import { readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'
import { isWindow, readWindows } from '../source/windows.ts'
import { scannerHere } from './scanner.ts'

/** Where a reading has come to: what was added last, and the line that follows. */
export interface Added extends LineStart {
  /** Lines as they are in the file, without the last line end; null for a line too long to be kept. Valid until the next. */
  readonly bytes: Uint8Array | null
  readonly length: number
}

export interface AddOptions {
  readonly visitSketch?: VisitSketch | undefined
  /** Instead of adding a last line without a line end. */
  readonly onLast?: (line: Line) => void
  /** How much is read at once; only tests set it. */
  readonly readBytes?: number | undefined
}

export function* addAll(
  reader: Reader,
  fd: number,
  from: LineStart,
  { visitSketch, onLast = (line) => addLine(reader, line), readBytes }: AddOptions = {},
): Generator<Added, void, void> {
  const scanner = scannerHere()
  const parts = scanner === null ? readLines(fd, from) : readWindows(fd, from, scanner.input, readBytes)
  for (const part of parts) {
    if (scanner !== null && isWindow(part)) {
      addWindow(reader, scanner, part, visitSketch)
      const { start, end, offset, number, lineCount } = part
      const length = end - start
      const bytes = scanner.input.subarray(start, end - 1)
      yield { bytes, length, offset: offset + length, number: number + lineCount }
      continue
    }
    const line = part as Line
    if (line.ended) addLine(reader, line)
    else onLast(line)
    yield { bytes: line.bytes, length: line.length, offset: line.offset + line.length, number: line.number + 1 }
  }
}
