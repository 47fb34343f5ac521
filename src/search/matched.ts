// Where in a text a query matches. Case and accents are folded as the index does it; a word matches as a whole word, but
// for scripts that do not set words apart.

import { fold } from '../base/fold.ts'
import { isAscii } from '../base/text.ts'
import type { Query, Term } from './query.ts'
import { isOpenEnded, shortHashes } from './query.ts'
import { isUnspaced } from './words.ts'

export interface Matched {
  /** How many of the query's terms are in the text. */
  readonly terms: number
  /** All that was typed with more than words in it is there as it was typed. */
  readonly isLiteral: boolean
  /** From, to; in order, and none of them overlapping. */
  readonly places: readonly Place[]
}

type Place = readonly [number, number]

const PLACES_MAX = 40

export function matchIn(text: string, query: Query): Matched {
  const folded = foldedText(text)
  const places: Place[] = []
  let terms = 0
  let isLiteral = query.wordless.every((piece) => text.includes(piece))
  const add = (group: readonly Term[], patterns: readonly Pattern[]): void => {
    const found = patterns.flatMap((pattern) => placesOf(folded, pattern))
    if (found.length > 0) terms++
    places.push(...found)
    if (!group.some(({ literal }) => literal === null || folded.text.includes(fold(literal)))) isLiteral = false
  }
  for (const group of query.groups) add(group, patternsOf(group, group))
  for (const term of [...query.paths, ...query.commands]) add([term], patternsOf(term, [term]))
  places.sort((one, other) => one[0] - other[0])
  return { terms, isLiteral, places: joined(places) }
}

/** Marks that touch or overlap are one. */
function joined(places: readonly Place[]): readonly Place[] {
  const all: [number, number][] = []
  for (const [start, end] of places) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

interface FoldedText {
  readonly text: string
  /** Where each folded character came from; null when nothing moved. */
  readonly origin: Uint32Array | null
}

/** Of a longer text the index knows less than this, and its end. */
const FOLDED_HEAD = 1 << 18
const FOLDED_TAIL = 1 << 12

function foldedText(text: string): FoldedText {
  if (text.length <= FOLDED_HEAD + FOLDED_TAIL) return foldedPart(text, 0, text.length)
  const head = foldedPart(text, 0, FOLDED_HEAD)
  const tail = foldedPart(text, text.length - FOLDED_TAIL, text.length)
  const origin = [head, tail].flatMap((part, index) => {
    const from = index === 0 ? 0 : text.length - FOLDED_TAIL
    return part.origin === null ? Array.from(part.text, (_, at) => from + at) : [...part.origin.subarray(0, -1)]
  })
  return { text: head.text + tail.text, origin: Uint32Array.from([...origin, text.length]) }
}

function foldedPart(whole: string, from: number, to: number): FoldedText {
  const text = whole.slice(from, to)
  if (isAscii(text)) return { text: text.toLowerCase(), origin: null }
  let folded = ''
  const origin: number[] = []
  // Nearly all of most texts is ASCII, which moves nowhere.
  for (const { 0: piece, index } of text.matchAll(/[\0-\x7f]+|[^\0-\x7f]/gu)) {
    const at = from + index
    if (piece.charCodeAt(0) < 0x80) {
      folded += piece.toLowerCase()
      for (let step = 0; step < piece.length; step++) origin.push(at + step)
      continue
    }
    // An accent that stands apart folds to nothing, and the letter before it is left.
    const plain = foldOne(piece)
    folded += plain
    for (let step = 0; step < plain.length; step++) origin.push(at)
  }
  origin.push(to)
  return { text: folded, origin: Uint32Array.from(origin) }
}

const FOLDS = new Map<string, string>()
const FOLDS_MAX = 1 << 14

function foldOne(character: string): string {
  const known = FOLDS.get(character)
  if (known !== undefined) return known
  const folded = fold(character)
  if (FOLDS.size < FOLDS_MAX) FOLDS.set(character, folded)
  return folded
}

interface Pattern {
  readonly expression: RegExp
  /** No letter may stand before, or behind. */
  readonly isWholeAtStart: boolean
  readonly isWholeAtEnd: boolean
  /** Up to the end of the word, whatever that is. */
  readonly isOpen: boolean
}

/** Many texts are looked at for one query. */
const PATTERNS = new WeakMap<object, readonly Pattern[]>()

function patternsOf(key: object, terms: readonly Term[]): readonly Pattern[] {
  const known = PATTERNS.get(key)
  if (known !== undefined) return known
  const isPlain = (term: Term): boolean => {
    const [word = ''] = term.words
    return term.words.length === 1 && !isOpenEnded(term) && !isUnspaced(word)
  }
  const plain = terms.filter(isPlain).map(({ words }) => words[0] as string)
  const words = [...plain, ...terms.flatMap(shortHashes)]
  const made = terms.filter((term) => !isPlain(term)).map(phrasePattern)
  if (words.length > 0) made.push(wordsPattern(words))
  PATTERNS.set(key, made)
  return made
}

/** The longest first: where a shorter one begins it, that would be followed by a letter. */
function wordsPattern(words: readonly string[]): Pattern {
  const sorted = words.map(fold).sort((one, other) => other.length - one.length)
  const expression = new RegExp(sorted.map(escaped).join('|'), 'g')
  return { expression, isWholeAtStart: true, isWholeAtEnd: true, isOpen: false }
}

/** The words side by side, whatever stands between them; in scripts without spaces only marks do. */
function phrasePattern(term: Term): Pattern {
  const { words } = term
  const parts = words.map((word, index) => {
    if (index === 0) return escaped(fold(word))
    const isClose = isUnspaced(word) || isUnspaced(words[index - 1] as string)
    return `[^\\p{L}\\p{N}]${isClose ? '*' : '+'}${escaped(fold(word))}`
  })
  const isOpen = isOpenEnded(term)
  const isUnspacedAt = (at: number): boolean => isUnspaced(words.at(at) as string)
  return {
    expression: new RegExp(parts.join(''), 'gu'),
    isWholeAtStart: !isUnspacedAt(0),
    isWholeAtEnd: !isOpen && !isUnspacedAt(-1),
    isOpen: isOpen && !isUnspacedAt(-1),
  }
}

/** Folding makes signs of some letters: ⑴ is (1). */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Looking around in the expression itself would take many times as long. */
function placesOf({ text, origin }: FoldedText, pattern: Pattern): readonly Place[] {
  const { expression } = pattern
  const places: Place[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const start = found.index
    let end = start + found[0].length
    if (end === start) break
    const isWhole =
      (!pattern.isWholeAtStart || start === 0 || !isLetter(text, start - 1)) &&
      (!pattern.isWholeAtEnd || !isLetter(text, end))
    if (!isWhole) {
      expression.lastIndex = start + 1
      continue
    }
    if (pattern.isOpen) while (isLetter(text, end)) end++
    // A vowel above the last letter belongs to it.
    else while (isMark(text, end)) end++
    places.push(origin === null ? [start, end] : [origin[start] as number, origin[end] as number])
    if (places.length >= PLACES_MAX) break
  }
  return places
}

function isMark(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0x300 && /\p{M}/u.test(text.charAt(at))
}

/** Of a word that goes on. In このCSVは the letters around CSV are words of their own. */
function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
  if (at >= text.length) return false
  // Half of a pair is no letter to the expression; both halves together may be one.
  const from = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
  const letter = String.fromCodePoint(text.codePointAt(from) ?? 0)
  return /[\p{L}\p{N}\p{M}]/u.test(letter) && !isUnspaced(letter)
}
