// Text → its long runs of letters and digits, where base64 and tokens without a keyword hide, and the line ends at which
// such a run was broken in two.

import type { Coded } from './coded.ts'
import { behindPlaceholder, PLACEHOLDER_OPENING } from './placeholder.ts'

export interface RunSink {
  /** At least RUN_MIN characters of `A-Za-z0-9+/_-`. Lines of equal length that are nothing else are one run. */
  readonly onRun: (start: number, end: number) => void
  /** As much of a run as stands in one line, told before the run: what is written in lines may be a list of tokens. */
  readonly onPart: (start: number, end: number) => void
  readonly onBreak: (broken: Break) => void
}

/** A run that ends with a line and goes on in the next: `[lineStart, end)` and `[next, nextEnd)`. */
export interface Break {
  readonly lineStart: number
  readonly end: number
  readonly next: number
  readonly nextEnd: number
  /** The two were told as one run. */
  readonly isWithinRun: boolean
}

export function findRuns(coded: Coded, { onRun, onPart, onBreak }: RunSink): void {
  const { text, codes } = coded
  const textEnd = text.length
  let runStart = 0
  let partStart = 0
  let lineStart = 0
  for (let index = 0; index <= textEnd; index++) {
    const code = index < textEnd ? (codes[index] as number) : 32
    if (code < 128 && IN_RUN[code] === 1) continue
    const length = index - runStart
    let joinedAt = -1
    if (length >= 2 && (code === NEWLINE || code === BACKSLASH || code === RETURN)) {
      const broken = breakAt(coded, lineStart, runStart, index)
      if (broken !== null) {
        onBreak(broken)
        if (broken.isWithinRun) joinedAt = broken.next
      }
    }
    if (index - partStart >= RUN_MIN) onPart(partStart, index)
    if (joinedAt !== -1) {
      partStart = joinedAt
      continue
    }
    if (length >= RUN_MIN) onRun(runStart, index)
    if (code === PLACEHOLDER_OPENING) index = Math.max(index, behindPlaceholder(text, index) - 1)
    runStart = index + 1
    partStart = runStart
    if (code === NEWLINE) lineStart = index + 1
  }
}

export const RUN_MIN = 16
const WRAPPED_MIN = 60
const NEWLINE = 10
const RETURN = 13
const BACKSLASH = 0x5c
const BREAK_LINE_MIN = 40
const BREAK_RUN_MIN = 20
const LOOK_AHEAD = 64
const LINE_KEPT = 200

function breakAt({ text, codes }: Coded, lineStart: number, runStart: number, end: number): Break | null {
  let next = end
  const isContinued = codes[next] === BACKSLASH
  if (isContinued) next++
  if (codes[next] === RETURN) next++
  if (codes[next] !== NEWLINE) return null
  if (!isContinued && end - lineStart < BREAK_LINE_MIN) return null
  next++
  const limit = Math.min(text.length, next + LOOK_AHEAD)
  while (next < limit && (codes[next] === 32 || codes[next] === 9)) next++
  let nextEnd = next
  let hasDigit = false
  const runLimit = Math.min(text.length, next + LOOK_AHEAD * 8)
  for (; nextEnd < runLimit; nextEnd++) {
    const code = codes[nextEnd] as number
    if (code >= 128 || (IN_RUN[code] === 0 && code !== 46 && code !== 61)) break
    if (code >= 48 && code <= 57) hasDigit = true
  }
  if (nextEnd - next < 2 || nextEnd - next + end - runStart < BREAK_RUN_MIN) return null
  if (!hasDigit && !hasDigitIn(codes, Math.max(runStart, end - LOOK_AHEAD), end)) return null
  // Wrapped base64: the line is nothing but a part of the run.
  const isWithinRun = end - runStart >= WRAPPED_MIN && nextEnd - next >= 4 && next - end <= 2
  return { lineStart: Math.max(lineStart, end - LINE_KEPT, 0), end, next, nextEnd, isWithinRun }
}

function hasDigitIn(codes: Uint16Array, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = codes[index] as number
    if (code >= 48 && code <= 57) return true
  }
  return false
}

const IN_RUN = inRun()

function inRun(): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
    table[character.charCodeAt(0)] = 1
  return table
}
