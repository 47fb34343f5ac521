// Texts compared as a person compares them: Säulen, SAULEN and saulen are one word, and so are ｶﾅ and カナ.

import { graphemesOf } from './graphemes.ts'
import { isAscii } from './text.ts'

/** From and up to, in code units. */
export type Range = readonly [number, number]

/** Case, accents and widths of letters taken away. What two folded texts share, their originals share. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  // By way of upper case, which makes `ss` of ß; and the capital ẞ has to be a small one for that.
  const folded = text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().toUpperCase().toLowerCase()
  return folded.replace(UNDIVIDED, (letter) => PLAIN[letter] ?? letter)
}

// Only what stands above and below letters. Other marks are vowels to those who write with them.
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

/** Letters that Unicode does not take apart, and the sigma that ends a word. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ς: 'σ' }
const UNDIVIDED = /[øłđæœς]/g

/** The words of what somebody typed, folded. */
export function foldedWords(typed: string): readonly string[] {
  return [...new Set(fold(typed).split(/\s+/))].filter((word) => word !== '')
}

/** Where these folded words stand in a text: whole graphemes, in order, none of them overlapping. */
export function foldedRanges(text: string, words: readonly string[]): readonly Range[] {
  // Most texts hold none of them, and that is told sooner.
  const whole = fold(text)
  if (!words.some((word) => whole.includes(word))) return []
  const { folded, starts, ends } = aligned(text)
  const found: Range[] = []
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      found.push([starts(at), ends(at + word.length - 1)])
  }
  return joined(found)
}

interface Aligned {
  readonly folded: string
  /** Where the grapheme begins that the folded text has at this place, and where it ends. */
  readonly starts: (place: number) => number
  readonly ends: (place: number) => number
}

function aligned(text: string): Aligned {
  if (isAscii(text)) return { folded: fold(text), starts: (place) => place, ends: (place) => place + 1 }
  let folded = ''
  const from: number[] = []
  const to: number[] = []
  for (const grapheme of graphemesOf(text)) {
    const one = fold(grapheme.text)
    folded += one
    for (let count = 0; count < one.length; count++) {
      from.push(grapheme.offset)
      to.push(grapheme.offset + grapheme.text.length)
    }
  }
  return { folded, starts: (place) => from[place] ?? 0, ends: (place) => to[place] ?? text.length }
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const [from, to] of [...ranges].sort((one, other) => one[0] - other[0])) {
    const last = result.at(-1)
    if (last !== undefined && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)]
    else result.push([from, to])
  }
  return result
}
