// The lines of a transcript that hold some bytes: found by one search over large stretches, which takes a tenth of the
// time that looking at each line would. They are the Lines that readLines gives.

import { readSync } from 'node:fs'
import { newWindow, readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'

type Visit = (line: Line) => void

const LINE_END = 10
const WINDOW_BYTES = 4 << 20
/** A line longer than this is read the way all other code reads it. */
const WINDOW_BYTES_MAX = 64 << 20

/** Only tests set them. */
export interface WindowSizes {
  readonly windowBytes: number
  readonly windowBytesMax: number
}

let kept = newWindow(0)

export function eachLineWith(fd: number, needle: Buffer, visit: Visit, sizes?: WindowSizes): void {
  let window = sizes === undefined ? keptWindow() : newWindow(sizes.windowBytes)
  let filled = 0
  let base = 0
  let number = 1
  while (true) {
    const read = readSync(fd, window, filled, window.length - filled, base + filled)
    const lastEnd = window.subarray(filled, filled + read).lastIndexOf(LINE_END)
    const end = lastEnd === -1 ? 0 : filled + lastEnd + 1
    filled += read
    if (end > 0) {
      number = visitWindow(window.subarray(0, end), needle, base, number, visit)
      window.copyWithin(0, end, filled)
      base += end
      filled -= end
    }
    if (read === 0) {
      const rest = window.subarray(0, filled)
      if (rest.includes(needle)) visit({ number, offset: base, length: filled, bytes: rest, ended: false })
      return
    }
    if (filled < window.length) continue
    if (window.length >= (sizes?.windowBytesMax ?? WINDOW_BYTES_MAX)) {
      for (const line of readLines(fd, { offset: base, number })) if (holds(line, needle)) visit(line)
      return
    }
    const larger = newWindow(window.length * 2)
    window.copy(larger, 0, 0, filled)
    window = larger
  }
}

/** One for all files: to ask for four megabytes anew takes longer than to fill them. */
function keptWindow(): Buffer {
  if (kept.length === 0) kept = newWindow(WINDOW_BYTES)
  return kept
}

/** Whole lines; gives the number of the line that follows them. */
function visitWindow(bytes: Buffer, needle: Buffer, base: number, first: number, visit: Visit): number {
  let number = first
  let start = 0
  for (let hit = bytes.indexOf(needle); hit !== -1; hit = bytes.indexOf(needle, start)) {
    let end = bytes.indexOf(LINE_END, start)
    while (end < hit) {
      number++
      start = end + 1
      end = bytes.indexOf(LINE_END, start)
    }
    const length = end + 1 - start
    visit({ number, offset: base + start, length, bytes: bytes.subarray(start, end), ended: true })
    start = end + 1
    number++
  }
  for (let end = bytes.indexOf(LINE_END, start); end !== -1; end = bytes.indexOf(LINE_END, end + 1)) number++
  return number
}

function holds({ bytes }: Line, needle: Buffer): boolean {
  return bytes !== null && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(needle)
}
