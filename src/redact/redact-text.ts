// Text → Findings. What was found is replaced and the outcome looked at again until nothing more is found: a Secret that was
// recognised late is then missing early too, and redacting twice gives what redacting once gives.

import { isHarmless } from './harmless.ts'
import type { Literals } from './literals.ts'
import { remember } from './memory.ts'
import type { Finding, Redacted } from './model.ts'
import type { Placeholders } from './placeholder.ts'
import { placeholdersIn } from './placeholder.ts'
import { scanText } from './scan.ts'
import type { Span } from './span.ts'
import { mergeSpans } from './span.ts'

export interface Knowledge {
  readonly literals: Literals
  readonly placeholders: Placeholders
  readonly isListed: ((word: string) => boolean) | null
}

export function redactText(text: string, knowledge: Knowledge): Redacted {
  let findings: readonly Finding[] = []
  let current = text
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const spans = findSpans(current, knowledge)
    if (spans.length === 0) break
    findings = withSpans(findings, spans, knowledge.placeholders)
    current = replaceAll(text, findings)
  }
  return { text: current, findings }
}

const ROUNDS_MAX = 8
const LAYERS = 3

function findSpans(text: string, { literals, isListed }: Knowledge): readonly Span[] {
  const found = scanText(text, { literals, layers: LAYERS, isEncodedToo: true })
  const all = isListed === null ? found : [...found, ...listedWords(text, isListed)]
  if (all.length === 0) return []
  const spans = outsidePlaceholders(all, text)
  for (const span of spans) if (span.rank !== 0) remember(span, literals)
  return mergeSpans(spans)
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
function outsidePlaceholders(spans: readonly Span[], text: string): readonly Span[] {
  const placeholders = placeholdersIn(text)
  if (placeholders.length === 0) return spans
  const sorted = [...spans].sort((one, other) => one.start - other.start)
  const outside: Span[] = []
  let first = 0
  for (const span of sorted) {
    while (first < placeholders.length && (placeholders[first]?.end ?? 0) <= span.start) first++
    let from = span.start
    let isCut = false
    for (let index = first; index < placeholders.length; index++) {
      const placeholder = placeholders[index]
      if (placeholder === undefined || placeholder.start >= span.end) break
      isCut = true
      addPart(outside, span, from, placeholder.start, text)
      from = placeholder.end
    }
    if (isCut) addPart(outside, span, from, span.end, text)
    else outside.push(span)
  }
  return outside
}

function addPart(parts: Span[], span: Span, start: number, end: number, text: string): void {
  const secret = text.slice(start, end)
  if (secret.length < PART_MIN || !/[A-Za-z0-9]{4}/.test(secret)) return
  // Replaced in any case, and only remembered when it could be a Secret by itself.
  parts.push({ start, end, rule: span.rule, secret, rank: isHarmless(secret) ? 0 : span.rank })
}

const PART_MIN = 6

/** The spans are places in the text as it is with the findings replaced; what comes back are places in the text itself. */
function withSpans(
  findings: readonly Finding[],
  spans: readonly Span[],
  placeholders: Placeholders,
): readonly Finding[] {
  const all: Finding[] = []
  let shift = 0
  let next = 0
  const passUpTo = (at: number): void => {
    for (let finding = findings[next]; finding !== undefined; finding = findings[next]) {
      if (finding.start + shift >= at) break
      all.push(finding)
      shift += finding.placeholder.length - (finding.end - finding.start)
      next++
    }
  }
  for (const { start, end, rule, secret } of spans) {
    passUpTo(end)
    all.push({ rule, start: start - shift, end: end - shift, placeholder: placeholders.of(secret, rule) })
  }
  return next === findings.length ? all : all.concat(findings.slice(next))
}

function replaceAll(text: string, findings: readonly Finding[]): string {
  let told = ''
  let from = 0
  for (const { start, end, placeholder } of findings) {
    told = told + text.slice(from, start) + placeholder
    from = end
  }
  return told + text.slice(from)
}
