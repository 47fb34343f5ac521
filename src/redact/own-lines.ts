// Secrets that stand below each other look like one that was broken in two: a list of tokens, a file of variables. What was
// found over the ends of lines says nothing new where each of the lines is all told by Secrets of its own.

import type { Span } from './span.ts'
import { mergeSpans } from './span.ts'

/** Those of `joined` that say more than `spans` do, which were found without joining lines. */
export function beyondLines(text: string, spans: readonly Span[], joined: readonly Span[]): readonly Span[] {
  if (spans.length < 2 || joined.length === 0) return joined
  const told = mergeSpans(spans)
  return joined.filter((span) => !isToldByLines(text, told, span))
}

/** Whether all of it is told but ends of lines, and names behind them whose values are told too. */
function isToldByLines(text: string, told: readonly Span[], { start, end }: Span): boolean {
  let at = endOfTold(told, start)
  let hasLines = false
  while (at !== -1 && at < end) {
    const next = behind(LINE_END, text, at)
    if (next === -1) return false
    const straight = endOfTold(told, next)
    at = straight === -1 ? endOfTold(told, behind(NAME, text, next)) : straight
    hasLines = true
  }
  return hasLines && at !== -1
}

/** Where the one that covers a place ends; -1 when none does. */
function endOfTold(told: readonly Span[], place: number): number {
  let low = 0
  let high = told.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((told[middle] as Span).start <= place) low = middle + 1
    else high = middle
  }
  const end = told[low - 1]?.end ?? -1
  return end > place ? end : -1
}

function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

const LINE_END = /\\?\r?\n[ \t]{0,64}/y
/** `API_KEY=`, `apiKey: "`: words, and not the end of something that goes on here. */
const NAME = /[A-Za-z]{2,32}\d{0,2}(?:[_.-][A-Za-z]{1,32}\d{0,2}){0,8}["']?[ \t]{0,8}[:=][ \t]{0,8}["'`]?/y
