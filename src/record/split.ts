// Lines from bytes that are in memory already: for browsers and tests. Files are read by source/lines.ts, which splits
// in the same way.

import type { Line } from '../source/model.ts'

export function* splitLines(bytes: Uint8Array): Generator<Line, void, void> {
  let start = 0
  let number = 1
  while (start < bytes.length) {
    const newline = bytes.indexOf(10, start)
    const ended = newline !== -1
    const end = ended ? newline : bytes.length
    yield { number, offset: start, length: end - start + (ended ? 1 : 0), bytes: bytes.subarray(start, end), ended }
    start = end + 1
    number++
  }
}
