// Pattern → a function that finds it in a decoded text.

import type { ScanPattern } from './scan-model.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** The first match at or behind `from`. */
export type FindNext = (from: number) => Span | null

export type Matcher = (text: string) => FindNext

export function compilePattern(pattern: ScanPattern): Matcher {
  if (pattern.kind === 'regex') return regexMatcher(pattern)
  if (pattern.ignoreCase) return foldedMatcher(pattern.text)
  const { text: needle } = pattern
  return (text) => (from) => {
    const start = text.indexOf(needle, from)
    return start === -1 ? null : { start, end: start + needle.length }
  }
}

/** V8 cannot take a text of many thousands as one expression: it is looked for by its beginning, and the rest behind that. */
const PIECE = 1000

/** The flag u folds case by the tables of Unicode: K is k, ſ is s. */
function foldedMatcher(needle: string): Matcher {
  const characters = Array.from(needle)
  const piece = (at: number): string => escapeRegex(characters.slice(at, at + PIECE).join(''))
  const first = matcherOf(new RegExp(piece(0), 'giu'))
  const rest: RegExp[] = []
  for (let at = PIECE; at < characters.length; at += PIECE) rest.push(new RegExp(piece(at), 'iuy'))
  if (rest.length === 0) return first
  return (text) => (from) => {
    const next = first(text)
    for (let found = next(from); found !== null; ) {
      const end = endOf(rest, text, found.end)
      if (end !== null) return { start: found.start, end }
      found = next(found.start + ((text.codePointAt(found.start) ?? 0) > 0xffff ? 2 : 1))
    }
    return null
  }
}

/** Where what follows one behind the other ends; null where it does not. */
function endOf(pieces: readonly RegExp[], text: string, from: number): number | null {
  let end = from
  for (const piece of pieces) {
    piece.lastIndex = end
    if (!piece.test(text)) return null
    end = piece.lastIndex
  }
  return end
}

/** One line that says why the pattern cannot be searched for; null when it can. */
export function checkPattern({ kind, text, ignoreCase }: ScanPattern): string | null {
  if (text === '') return 'the pattern is empty'
  if (kind === 'exact') return null
  const flags = flagsOf(ignoreCase)
  if (!(compile(text, `${flags}u`) instanceof RegExp)) {
    const plain = compile(text, flags)
    if (!(plain instanceof RegExp)) return plain.reason
  }
  return null
}

/**
 * `a.b` must match a🌊b, so the meaning of a pattern is that of the flag u. Where a text has no surrogates the same
 * pattern without the flag means the same, and that one V8 can hand to its linear engine when it runs away. Patterns
 * that are wrong with the flag, such as `\-`, are taken without.
 */
function regexMatcher({ text: source, ignoreCase }: ScanPattern): Matcher {
  const flags = flagsOf(ignoreCase)
  const unicode = compile(source, `${flags}u`)
  const plain = compile(source, flags)
  if (!(unicode instanceof RegExp)) {
    if (plain instanceof RegExp) return matcherOf(plain)
    throw new Error(plain.reason)
  }
  const hasOneMeaning = plain instanceof RegExp && !ignoreCase && !ONLY_UNICODE.test(source)
  if (!hasOneMeaning) return matcherOf(unicode)
  return (text) => matcherOf(SURROGATE.test(text) ? unicode : plain)(text)
}

const SURROGATE = /[\ud800-\udfff]/
const ONLY_UNICODE = /\\[pP]\{|\\u\{|[\ud800-\udfff]/

/** As in grep, ^ and $ are the ends of a line. */
function flagsOf(ignoreCase: boolean): string {
  return ignoreCase ? 'gmi' : 'gm'
}

function matcherOf(regex: RegExp): Matcher {
  return (text) => (from) => {
    regex.lastIndex = from
    const found = regex.exec(text)
    return found === null ? null : { start: found.index, end: found.index + found[0].length }
  }
}

function compile(source: string, flags: string): RegExp | { readonly reason: string } {
  try {
    const regex = new RegExp(source, flags)
    // Only then V8 finds out that one is too long.
    regex.test('')
    return regex
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { reason: message.slice(message.lastIndexOf(': ') + 2).replace(/\s+/g, ' ') }
  }
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
