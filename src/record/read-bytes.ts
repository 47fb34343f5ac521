// A transcript that is in memory already → Envelopes, by the Scanner where there is one: for browsers and tests. Files are
// read by load/add-all.ts, in the same way.

import type { Scanner } from './scanner.ts'
import { splitLines } from './split.ts'
import type { Reader, ReadOptions, ReadTranscript } from './transcript.ts'
import { addLine, closeReader, openReader } from './transcript.ts'
import type { VisitSketch } from './window.ts'
import { addWindow } from './window.ts'

export interface ReadBytesOptions extends ReadOptions {
  /** Without one everything is read the exact way, which gives the same. */
  readonly scanner?: Scanner | null
  readonly visitSketch?: VisitSketch
}

export function readTranscriptBytes(path: string, bytes: Uint8Array, options: ReadBytesOptions = {}): ReadTranscript {
  const reader = openReader(path, options)
  const scanner = options.scanner ?? null
  if (scanner === null) for (const line of splitLines(bytes)) addLine(reader, line)
  else addBytes(reader, scanner, bytes, options.visitSketch)
  return closeReader(reader)
}

const LINE_END = 10

function addBytes(reader: Reader, scanner: Scanner, bytes: Uint8Array, visitSketch?: VisitSketch): void {
  let number = 1
  for (let from = 0; from < bytes.length; ) {
    const room = Math.min(bytes.length, from + scanner.input.length)
    const lastEnd = bytes.lastIndexOf(LINE_END, room - 1)
    if (lastEnd < from) {
      const end = bytes.indexOf(LINE_END, from)
      const ended = end !== -1
      const length = (ended ? end + 1 : bytes.length) - from
      const line = bytes.subarray(from, from + length - (ended ? 1 : 0))
      addLine(reader, { number, offset: from, length, bytes: line, ended })
      from += length
      number++
      continue
    }
    const end = lastEnd + 1 - from
    scanner.input.set(bytes.subarray(from, lastEnd + 1))
    const window = { start: 0, end, offset: from, number, lineCount: 0 }
    addWindow(reader, scanner, window, visitSketch)
    number += window.lineCount
    from += end
  }
}
