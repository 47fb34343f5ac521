// The records in the bytes of a transcript. A line that is damaged is passed over: the next one is whole.

import type { Body } from '../record/model.ts'

export interface StoredLine {
  readonly bytes: Uint8Array
  readonly record: Body
}

/** The last line counts without its line end too, when it is whole. */
export function* linesOf(bytes: Buffer): Generator<StoredLine> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline < 0 ? bytes.length : newline
    const line = bytes.subarray(start, end)
    const record = parseLine(line)
    if (record !== null) yield { bytes: line, record }
    start = end + 1
  }
}

function parseLine(line: Buffer): Body | null {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0
  if (line.length === start) return null
  try {
    const value: unknown = JSON.parse(line.toString('utf8', start))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
  } catch {
    return null
  }
}
