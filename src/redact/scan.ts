// Text → Spans. The automaton walks over it once and leads to the rules; runs of letters are looked into for base64; then the
// same for the text as it was meant: without its escapes, and without the line ends in the middle of words.

import { assignmentsIn } from './assignment.ts'
import { encodedIn } from './base64.ts'
import type { Coded } from './coded.ts'
import { codedOf, release } from './coded.ts'
import { decodedView, isEscape } from './decode.ts'
import { joinedView } from './joined.ts'
import { openKeywords, RULES } from './keywords.ts'
import type { Literals } from './literals.ts'
import { matchRules } from './match-rules.ts'
import { neighboursIn } from './neighbours.ts'
import { beyondLines } from './own-lines.ts'
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

export function scanText(coded: Coded, options: ScanOptions): readonly Span[] {
  const { text } = coded
  const spans: Span[] = []
  const { escapes, joins } = scanKeywords(coded, spans)
  options.literals.scan(coded, (start, end, rule, secret) => spans.push({ start, end, rule, secret, rank: 0 }))
  const breaks: Break[] = []
  const neighbours = neighboursIn(text)
  const encoded = options.isEncodedToo ? encodedIn(coded) : null
  findRuns(coded, {
    onBreak: (broken) => breaks.push(broken),
    onRun: (start, end) => encoded?.add(start, end),
    onPart: (start, end) => {
      const shaped = shapeOf(coded, start, end)
      if (shaped !== null) {
        spans.push(shaped)
        neighbours.addTo(spans, shaped)
      }
    },
  })
  const { literals, layers, isEncodedToo } = options
  encoded?.addTo(spans, (inside) => scanOnce(codedOf(inside), { literals, layers: 1, isEncodedToo: false }))
  if (layers === 0) return spans
  if (escapes.length > 0)
    throughView(decodedView(coded, escapes), { literals, layers: layers - 1, isEncodedToo }, spans)
  if (breaks.length + joins.length === 0) return spans
  // Wrapped base64 was looked into as it stands.
  const isEncodedWithin = isEncodedToo && (joins.length > 0 || breaks.some(({ isWithinRun }) => !isWithinRun))
  const joined: Span[] = []
  throughView(joinedView(coded, breaks, joins), { literals, layers: 0, isEncodedToo: isEncodedWithin }, joined)
  for (const span of beyondLines(text, spans, joined)) spans.push(span)
  return spans
}

const { automaton, keywords } = openKeywords()

/** One escape tells about those right behind it. */
const ESCAPE_STEP = 64

interface Signs {
  readonly escapes: readonly number[]
  readonly joins: readonly number[]
}

function scanKeywords(coded: Coded, spans: Span[]): Signs {
  const { text } = coded
  const escapes: number[] = []
  const joins: number[] = []
  const assignments = assignmentsIn(coded)
  const rules = matchRules(text, RULES)
  const neighbours = neighboursIn(text)
  let blockEnd = 0
  let nextEscape = 0
  const addBlock = (span: Span | null): void => {
    if (span === null) return
    spans.push(span)
    blockEnd = span.end
  }
  automaton.scan(coded, (number, end) => {
    const keyword = keywords[number]
    if (keyword === undefined) return
    const start = end - keyword.length
    if (keyword.isEscape) {
      if (start < nextEscape || !isEscape(text, start)) return
      escapes.push(start)
      nextEscape = start + ESCAPE_STEP
      return
    }
    if (keyword.isJoin) joins.push(start)
    if (keyword.isName) {
      const span = assignments.at(start, end)
      if (span !== null) spans.push(span)
    }
    for (let index = 0; index < keyword.rules.length; index++) {
      const span = rules.at(keyword.rules[index] as number, start)
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

function throughView(view: View, options: ScanOptions, spans: Span[]): void {
  for (const span of scanOnce(view, options)) spans.push(spanAt(span, view.startOf(span.start), view.endOf(span.end)))
}

function scanOnce(coded: Coded, options: ScanOptions): readonly Span[] {
  const spans = scanText(coded, options)
  release(coded)
  return spans
}
