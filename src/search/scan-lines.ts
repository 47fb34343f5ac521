// File → the Lines a prefilter cannot rule out. The searches run over whole windows of the file, not line by line; only
// around what they find are the ends of the line looked for. Lines are counted on the way.

import { constants } from 'node:buffer'
import { readSync } from 'node:fs'
import type { LineStart } from '../source/lines.ts'
import { readBytes, readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'
import type { ByteSearch } from './scan-bytes.ts'
import type { Prefilter } from './scan-prefilter.ts'

/** What stays in the second-level cache between being read and being searched. */
export const WINDOW_BYTES = 1 << 17

export function* candidateLines(
  fd: number,
  { searches, overlapBytes }: Prefilter,
  window: Buffer,
  from: LineStart = { offset: 0, number: 1 },
): Generator<Line, void, void> {
  /** File offset of window[0]. */
  let base = from.offset
  let filled = 0
  let searched = 0
  const at: Cursor = { ...from, counted: 0 }
  while (true) {
    const read = readSync(fd, window, filled, window.length - filled, base + filled)
    filled += read
    const bytes = window.subarray(0, filled)
    const next = merge(searches, bytes)
    let isOpen = false
    for (let found = next(searched); found !== -1; found = next(searched)) {
      const newline = countTo(at, bytes, base, found)
      searched = found
      isOpen = newline === -1 && read > 0
      if (isOpen) break
      yield lineOf(fd, at, bytes, base, newline)
      if (newline === -1) return
      passLine(at, base, newline)
      searched = at.counted
    }
    if (read === 0) return
    if (isOpen && at.offset <= base) {
      // The line is longer than the window.
      const [line] = readLines(fd, at)
      if (line === undefined) return
      yield line
      if (!line.ended) return
      base = line.offset + line.length
      filled = 0
      searched = 0
      passLine(at, base, -1)
      continue
    }
    const keptFrom = isOpen ? at.offset - base : Math.max(searched, filled - overlapBytes)
    countTo(at, bytes, base, keptFrom)
    at.counted = Math.max(at.counted - keptFrom, 0)
    searched = Math.max(searched - keptFrom, 0)
    base += keptFrom
    window.copyWithin(0, keptFrom, filled)
    filled -= keptFrom
  }
}

/** The line that is being looked at, and up to where in the window its end was looked for. */
interface Cursor {
  number: number
  offset: number
  counted: number
}

/** Passes all lines that end before `to`; returns the end of the one that does not, or -1 when it is not there yet. */
function countTo(at: Cursor, bytes: Buffer, base: number, to: number): number {
  let newline = bytes.indexOf(10, at.counted)
  while (newline !== -1 && newline < to) {
    passLine(at, base, newline)
    newline = bytes.indexOf(10, at.counted)
  }
  return newline
}

function passLine(at: Cursor, base: number, newline: number): void {
  at.number++
  at.counted = newline + 1
  at.offset = base + at.counted
}

/** The nearest find of all searches. Each goes on only when its last find was passed: none looks twice at a byte. */
function merge(searches: readonly ByteSearch[], bytes: Buffer): (from: number) => number {
  const finds = searches.map(() => UNSEARCHED)
  return (from) => {
    let nearest = -1
    for (const [index, search] of searches.entries()) {
      let find = finds[index] as number
      if (find === UNSEARCHED || (find !== -1 && find < from)) {
        find = search(bytes, from)
        finds[index] = find
      }
      if (find !== -1 && (nearest === -1 || find < nearest)) nearest = find
    }
    return nearest
  }
}

const UNSEARCHED = -2

function lineOf(fd: number, { number, offset }: Cursor, bytes: Buffer, base: number, newline: number): Line {
  const ended = newline !== -1
  const end = ended ? newline : bytes.length
  const contentLength = base + end - offset
  const length = ended ? contentLength + 1 : contentLength
  if (offset >= base) return { number, offset, length, bytes: bytes.subarray(offset - base, end), ended }
  // It began before the window.
  const isTooLong = contentLength > constants.MAX_STRING_LENGTH
  return { number, offset, length, bytes: isTooLong ? null : readBytes(fd, offset, contentLength), ended }
}
