// Text → Findings. What was found is replaced and the outcome looked at again until nothing more is found: a Secret that was
// recognised late is then missing early too, and redacting twice gives what redacting once gives.

import { codedOf, release } from './coded.ts'
import { isHarmless } from './harmless.ts'
import type { Marked } from './marked.ts'
import { MARK_LENGTH, markedText, replaceMarks } from './marked.ts'
import type { Marks } from './marks.ts'
import { copyMark, marksIn, roomForMarks } from './marks.ts'
import type { Memory } from './memory.ts'
import { remember } from './memory.ts'
import type { Placeholders } from './placeholder.ts'
import { scanText } from './scan.ts'
import type { Span } from './span.ts'
import { mergeSpans } from './span.ts'

export interface Knowledge extends Memory {
  readonly placeholders: Placeholders
  readonly isListed: ((word: string) => boolean) | null
}

export function redactText(text: string, knowledge: Knowledge): { readonly text: string; readonly marks: Marks } {
  const coded = codedOf(text)
  const before = marksIn(text)
  let marks = before
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const isMarked = marks.starts.length > 0
    const marked = isMarked ? markedText(coded, marks) : { text, codes: coded.codes, places: NONE, lasts: NONE }
    const spans = findSpans(marked, knowledge)
    if (isMarked) release(marked)
    if (spans.length === 0) break
    marks = withSpans(marks, marked, spans, knowledge)
  }
  const told = marks === before ? text : replaceMarks(coded, marks, knowledge.placeholders)
  release(coded)
  return { text: told, marks }
}

const ROUNDS_MAX = 8
const LAYERS = 3

const NONE = new Int32Array(0)

function findSpans(marked: Marked, knowledge: Knowledge): readonly Span[] {
  const { text } = marked
  const { literals, isListed } = knowledge
  const found = scanText(marked, { literals, layers: LAYERS, isEncodedToo: true })
  const all = isListed === null ? found : [...found, ...listedWords(text, isListed)]
  if (all.length === 0) return []
  const spans = outsideMarks(all, marked)
  const merged = mergeSpans(spans)
  // Those that are left are remembered when they get their Placeholders.
  if (merged.length !== spans.length) for (const span of spans) if (span.rank !== 0) remember(span, knowledge)
  return merged
}

function listedWords(text: string, isListed: (word: string) => boolean): readonly Span[] {
  const spans: Span[] = []
  for (const match of text.matchAll(WORD)) {
    const [secret] = match
    if (isListed(secret))
      spans.push({ start: match.index, end: match.index + secret.length, rule: 'listed', secret, rank: 0 })
  }
  return spans
}

const WORD = /[^\s"'`=,;:&<>(){}[\]|\\⟦⟧]{4,128}/g

/** A span over a Placeholder is what stands before it and what stands behind. */
function outsideMarks(spans: readonly Span[], { text, places }: Marked): readonly Span[] {
  if (places.length === 0) return spans
  const sorted = [...spans].sort((one, other) => one.start - other.start)
  const outside: Span[] = []
  let first = 0
  for (const span of sorted) {
    while (first < places.length && (places[first] as number) + MARK_LENGTH <= span.start) first++
    let from = span.start
    let isCut = false
    for (let index = first; index < places.length; index++) {
      const place = places[index] as number
      if (place >= span.end) break
      isCut = true
      addPart(outside, span, from, place, text)
      from = place + MARK_LENGTH
    }
    if (isCut) addPart(outside, span, from, span.end, text)
    else outside.push(span)
  }
  return outside
}

function addPart(parts: Span[], span: Span, start: number, end: number, text: string): void {
  const secret = text.slice(start, end)
  if (secret.length < PART_MIN || !PART.test(secret)) return
  // Replaced in any case, and only remembered when it could be a Secret by itself.
  parts.push({ start, end, rule: span.rule, secret, rank: isHarmless(secret) ? 0 : span.rank })
}

const PART_MIN = 6
const PART = /[A-Za-z0-9]{4}/

/** The spans are places in the marked text, none of them in a mark; what comes back are places in the text itself. */
function withSpans(marks: Marks, { places, lasts }: Marked, spans: readonly Span[], knowledge: Knowledge): Marks {
  const all = roomForMarks(marks.starts.length + spans.length)
  const { starts, ends, numbers, rules } = all
  let shift = 0
  let next = 0
  let group = 0
  // By index: a step of an iterator is an object, and there may be fifty thousand.
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index] as Span
    for (; group < places.length && (places[group] as number) < span.end; group++) {
      const last = lasts[group] as number
      while (next <= last) copyMark(marks, next++, all)
      shift = (marks.ends[last] as number) - (places[group] as number) - MARK_LENGTH
    }
    starts[rules.length] = span.start + shift
    ends[rules.length] = span.end + shift
    numbers[rules.length] = expectedNumber(span, knowledge)
    rules.push(span.rule)
  }
  while (next < marks.starts.length) copyMark(marks, next++, all)
  return all
}

function expectedNumber(span: Span, knowledge: Knowledge): number {
  const { secret, rule, rank } = span
  const number = rank === 0 ? knowledge.registry.numberOf(secret) : remember(span, knowledge)
  knowledge.placeholders.expect(number, secret, rule)
  return number
}
