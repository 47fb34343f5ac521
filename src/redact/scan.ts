// Text → Spans. The automaton walks over it once and leads to the rules; runs of letters are looked into for base64; then the
// same for the text as it was meant: without its escapes, and without the line ends in the middle of words.

import { assignmentsIn } from './assignment.ts'
import { textInBase64 } from './base64.ts'
import { decodedView, isEscape } from './decode.ts'
import { joinedView } from './joined.ts'
import { openKeywords, RULES } from './keywords.ts'
import type { Literals } from './literals.ts'
import { matchRules } from './match-rules.ts'
import { neighboursIn } from './neighbours.ts'
import { pemBlock, pemRest, puttyBlock } from './pem.ts'
import type { Break } from './runs.ts'
import { findRuns } from './runs.ts'
import { shapeOf } from './shapes.ts'
import type { Span } from './span.ts'
import { spanAt } from './span.ts'
import type { View } from './view.ts'

export interface ScanOptions {
  readonly literals: Literals
  /** How many layers of escapes may still be taken off, and whether base64 may still be looked into. */
  readonly layers: number
  readonly isEncodedToo: boolean
}

export function scanText(text: string, options: ScanOptions): readonly Span[] {
  const spans: Span[] = []
  const { escapes, joins } = scanKeywords(text, spans)
  options.literals.scan(text, (start, end, { rule, whole }) => spans.push({ start, end, rule, secret: whole, rank: 0 }))
  const breaks: Break[] = []
  const neighbours = neighboursIn(text)
  findRuns(text, {
    onBreak: (broken) => breaks.push(broken),
    onRun: (start, end) => {
      const shaped = shapeOf(text, start, end)
      if (shaped !== null) {
        spans.push(shaped)
        neighbours.addTo(spans, shaped)
      }
      const encoded = options.isEncodedToo ? insideBase64(text, start, end, options) : null
      if (encoded !== null) spans.push(encoded)
    },
  })
  if (options.layers === 0) return spans
  const { literals, layers, isEncodedToo } = options
  if (escapes.length > 0) throughView(decodedView(text, escapes), { literals, layers: layers - 1, isEncodedToo }, spans)
  if (breaks.length + joins.length === 0) return spans
  // Wrapped base64 was looked into as it stands.
  const isEncodedWithin = isEncodedToo && (joins.length > 0 || breaks.some(({ isWithinRun }) => !isWithinRun))
  throughView(joinedView(text, breaks, joins), { literals, layers: 0, isEncodedToo: isEncodedWithin }, spans)
  return spans
}

const { automaton, keywords } = openKeywords()

/** One escape tells about those right behind it. */
const ESCAPE_STEP = 64

interface Signs {
  readonly escapes: readonly number[]
  readonly joins: readonly number[]
}

function scanKeywords(text: string, spans: Span[]): Signs {
  const escapes: number[] = []
  const joins: number[] = []
  const assignments = assignmentsIn(text)
  const rules = matchRules(text, RULES)
  const neighbours = neighboursIn(text)
  let blockEnd = 0
  let nextEscape = 0
  const addBlock = (span: Span | null): void => {
    if (span === null) return
    spans.push(span)
    blockEnd = span.end
  }
  automaton.scan(text, (number, end) => {
    const keyword = keywords[number]
    if (keyword === undefined) return
    const start = end - keyword.length
    if (keyword.isEscape && start >= nextEscape && isEscape(text, start)) {
      escapes.push(start)
      nextEscape = start + ESCAPE_STEP
    }
    if (keyword.isJoin) joins.push(start)
    if (keyword.isName) {
      const span = assignments.at(start, end)
      if (span !== null) spans.push(span)
    }
    for (const rule of keyword.rules) {
      const span = rules.at(rule, start)
      if (span === null) continue
      spans.push(span)
      neighbours.addTo(spans, span)
    }
    if (keyword.block === null || start < blockEnd) return
    if (keyword.block === 'begin') addBlock(pemBlock(text, start))
    else if (keyword.block === 'end') addBlock(pemRest(text, start, blockEnd))
    else addBlock(puttyBlock(text, start))
  })
  return { escapes, joins }
}

/** The whole run goes when there is a Secret in it: a part of base64 tells its neighbours. */
function insideBase64(text: string, start: number, end: number, options: ScanOptions): Span | null {
  for (let skip = 0; skip < 4; skip++) {
    const inside = textInBase64(text, start, end, skip)
    if (inside === null) continue
    const found = firstOfLowestRank(scanText(inside, { literals: options.literals, isEncodedToo: false, layers: 1 }))
    if (found !== null) return spanAt(found, start, behindPadding(text, end))
  }
  return null
}

function firstOfLowestRank(spans: readonly Span[]): Span | null {
  let best: Span | null = null
  for (const span of spans) if (best === null || span.rank < best.rank) best = span
  return best
}

function behindPadding(text: string, end: number): number {
  let behind = end
  while (behind - end < 2 && text.charAt(behind) === '=') behind++
  return behind
}

function throughView(view: View, options: ScanOptions, spans: Span[]): void {
  for (const span of scanText(view.text, options))
    spans.push(spanAt(span, view.startOf(span.start), view.endOf(span.end)))
}
