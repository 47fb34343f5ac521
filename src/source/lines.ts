// Bytes → Lines. Split on 0x0A only: readline breaks records on U+2028, which JSON allows inside texts. One buffer is
// reused for the whole file. A line longer than what is kept is first measured and only then read in one piece, so that a
// line beyond the string limit costs no memory at all.

import { constants } from 'node:buffer'
import { readSync } from 'node:fs'
import type { Line } from './model.ts'

export interface LineStart {
  readonly offset: number
  /** The number of the line that begins at `offset`. */
  readonly number: number
}

/** How much is read at once and how much of a line is kept while it is measured; only tests set it. */
export interface ReadSizes {
  readonly readBytes: number
  readonly keepBytes: number
}

const SIZES: ReadSizes = { readBytes: 1 << 20, keepBytes: 1 << 25 }

export function* readLines(
  fd: number,
  from: LineStart = { offset: 0, number: 1 },
  { readBytes: readSize, keepBytes }: ReadSizes = SIZES,
): Generator<Line, void, void> {
  let buffer = newWindow(readSize)
  let filled = 0
  /** File offset of buffer[0]. */
  let base = from.offset
  let number = from.number
  while (true) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, base + filled)
    const searchedTo = filled
    filled += read
    let start = 0
    let newline = buffer.subarray(0, filled).indexOf(10, searchedTo)
    while (newline !== -1) {
      const bytes = buffer.subarray(start, newline)
      yield { number, offset: base + start, length: newline + 1 - start, bytes, ended: true }
      number++
      start = newline + 1
      newline = buffer.subarray(0, filled).indexOf(10, start)
    }
    if (read === 0) {
      if (filled > start) {
        const bytes = buffer.subarray(start, filled)
        yield { number, offset: base + start, length: filled - start, bytes, ended: false }
      }
      return
    }
    base += start
    buffer.copyWithin(0, start, filled)
    filled -= start
    if (filled < buffer.length) continue
    if (buffer.length < keepBytes) {
      const larger = newWindow(buffer.length * 2)
      buffer.copy(larger, 0, 0, filled)
      buffer = larger
      continue
    }
    const end = findLineEnd(fd, base + filled, buffer)
    yield longLine(fd, number, base, end)
    // What a live file grew by meanwhile is the rest of this line, not a line of its own.
    if (!end.ended) return
    number++
    base = end.offset
    filled = 0
    if (buffer.length > readSize) buffer = newWindow(readSize)
  }
}

/** Room to read into, away from the start of a page: there some processors copy at a quarter of their speed. */
export function newWindow(sizeBytes: number): Buffer {
  return Buffer.allocUnsafe(sizeBytes + 64).subarray(64)
}

interface LineEnd {
  readonly offset: number
  readonly ended: boolean
}

function findLineEnd(fd: number, from: number, scratch: Buffer): LineEnd {
  let offset = from
  while (true) {
    const read = readSync(fd, scratch, 0, scratch.length, offset)
    if (read === 0) return { offset, ended: false }
    const newline = scratch.subarray(0, read).indexOf(10)
    if (newline !== -1) return { offset: offset + newline + 1, ended: true }
    offset += read
  }
}

function longLine(fd: number, number: number, offset: number, end: LineEnd): Line {
  const length = end.offset - offset
  const contentLength = end.ended ? length - 1 : length
  if (contentLength > constants.MAX_STRING_LENGTH) return { number, offset, length, bytes: null, ended: end.ended }
  const bytes = readBytes(fd, offset, contentLength)
  // The file has shrunk since it was measured: what is left of the line is all there is.
  if (bytes.length < contentLength) return { number, offset, length: bytes.length, bytes, ended: false }
  return { number, offset, length, bytes, ended: end.ended }
}

/** Exactly `length` bytes from `offset`, or fewer when the file has shrunk meanwhile. */
export function readBytes(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return bytes.subarray(0, filled)
}
