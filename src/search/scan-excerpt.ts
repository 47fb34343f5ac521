// The surroundings of a match, short enough for a line of a list.

import type { Excerpt } from './scan-model.ts'
import type { Span } from './scan-pattern.ts'

const LENGTH = 160
const LEAD_MIN = 20
const LEAD_MAX = 60

export function excerptAround(text: string, match: Span): Excerpt {
  const start = pairStart(text, match.start)
  const end = pairEnd(text, match.end)
  const lead = Math.min(LEAD_MAX, Math.max(LEAD_MIN, Math.floor((LENGTH - (end - start)) / 2)))
  const from = pairStart(text, Math.max(0, Math.min(start - lead, text.length - LENGTH)))
  const to = pairEnd(text, Math.min(text.length, from + LENGTH))
  return { text: ownText(text.slice(from, to)), start: start - from, end: Math.min(end, to) - from }
}

function pairStart(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at
}

function pairEnd(text: string, at: number): number {
  return splitsPair(text, at) ? at + 1 : at
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const behind = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff
}

/** V8 keeps the whole text alive behind a slice of it; a hundred hits in a hundred large results must not. */
function ownText(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le')
}
