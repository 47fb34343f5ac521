// What the word index makes of a text. Its tokenizer splits at everything that is no letter or digit and folds case and
// accents. It takes a run of Chinese for one word, so characters of scripts without spaces are set apart here, each a word
// of its own; a query does the same and asks for them side by side.

import { decodeUtf8 } from '../base/text.ts'

/** Thai to Khmer, Chinese, Japanese, Korean, Yi and their later additions. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc]|[\ud82c\ud840-\ud888][\udc00-\udfff]/g

const IS_UNSPACED = new RegExp(UNSPACED.source)

/** Of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word)
}

/** Letters that the tokenizer takes for letters of their own, and people leave out: Strasse means Straße. */
const UNDIVIDED = /[ßẞıøØłŁđĐæÆœŒ]/g
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  ı: 'i',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
}

/** Also one way to write what can be written in several: か and a mark as が, ＡＢＣ as ABC. */
export function setApart(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNDIVIDED, (letter) => PLAIN[letter] ?? letter)
    .replace(UNSPACED, ' $& ')
}

/** How much of what a tool printed is indexed word by word: its beginning and its end, where results and errors stand. */
const OUTPUT_HEAD = 640
const OUTPUT_TAIL = 320
const SAID_HEAD = 1 << 18

/** A text; one that is all ASCII may come as bytes. */
export type Words = string | Uint8Array

/** What is indexed of a text: its beginning, and if it was cut its end. */
export interface Indexed<Text extends Words = Words> {
  readonly head: Text
  readonly end: Text | null
}

export function indexedOutput(text: Words): Indexed {
  return cut(text, OUTPUT_HEAD)
}

export function indexedSaid(text: Words): Indexed {
  return cut(text, SAID_HEAD)
}

/** A character takes at most three bytes for each of its code units. */
const BYTES_MAX = 3

/** Of the bytes of a text: enough of it, decoded, for `indexedOutput` to give the same. */
export function decodedOutput(bytes: Uint8Array): string {
  let headEnd = BYTES_MAX * (OUTPUT_HEAD + 1)
  let tailStart = bytes.length - BYTES_MAX * (OUTPUT_TAIL + 1)
  if (tailStart <= headEnd) return decodeUtf8(bytes)
  while (isInside(bytes, headEnd)) headEnd++
  while (isInside(bytes, tailStart)) tailStart--
  return decodeUtf8(bytes.subarray(0, headEnd)) + decodeUtf8(bytes.subarray(tailStart))
}

/** Not where a character begins. */
function isInside(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] as number) & 0xc0) === 0x80
}

function cut(text: Words, head: number): Indexed {
  const isLong = text.length > head + OUTPUT_TAIL
  if (typeof text !== 'string') {
    if (!isLong) return { head: text, end: null }
    // Whole words on both sides of the gap: half a word would be found by nobody, or by the wrong one.
    const breaks = asciiBreaks()
    const isBreak = (at: number): boolean => breaks[text[at] as number] === 1
    const tail = firstBreak(isBreak, text.length - OUTPUT_TAIL)
    return { head: text.subarray(0, lastBreak(isBreak, head)), end: text.subarray(tail) }
  }
  if (!isLong) return { head: inWords(text), end: null }
  const isBreak = (at: number): boolean => isBreakLetter(text.charAt(at))
  const tail = firstBreak(isBreak, text.length - OUTPUT_TAIL)
  return { head: inWords(text.slice(0, lastBreak(isBreak, head))), end: inWords(text.slice(tail)) }
}

const OTHER_THAN_ASCII = /[^\0-\x7f]/

/**
 * What may have to be set apart. Nothing in ASCII has, nor have most letters of Europe, dashes, quotes, arrows, frames, check
 * marks and emoji, which is what programs print beside it. A test asks all of them. V8 takes ten times as long for a class
 * with more stretches than this.
 */
const UNSETTLED =
  /[^\0-\x7f\xc0-\xc5\xc7-\xd7\xd9-\xde\xe0-\xe5\xe7-\xf7\xf9-\xff\u0400-\u0482\u048a-\u052f\u2012-\u2016\u2018-\u2023\u2190-\u21ff\u2500-\u27bf\udc00-\udfef\ud83d\ud83e]/

export function inWords(text: string): string {
  return UNSETTLED.test(text) ? setApart(text) : text
}

/** In functions, here and below: patterns with classes of Unicode take a millisecond to get ready, and not all need them. */
function isBreakLetter(letter: string): boolean {
  return /[\s\p{P}\p{S}]/u.test(letter)
}

let knownBreaks: Uint8Array | null = null

function asciiBreaks(): Uint8Array {
  knownBreaks ??= Uint8Array.from({ length: 128 }, (_, code) => (isBreakLetter(String.fromCharCode(code)) ? 1 : 0))
  return knownBreaks
}

const WORD_MAX = 200

function lastBreak(isBreak: (at: number) => boolean, from: number): number {
  for (let at = from; at > from - WORD_MAX; at--) if (isBreak(at)) return at
  return from
}

function firstBreak(isBreak: (at: number) => boolean, from: number): number {
  for (let at = from; at < from + WORD_MAX; at++) if (isBreak(at)) return at
  return from
}

/**
 * The words of a text as the index has them, for queries. A word begins with a letter or a digit: marks alone, as behind an
 * emoji, are none to the index either.
 */
export function wordsOf(text: string): readonly string[] {
  if (!OTHER_THAN_ASCII.test(text)) return text.match(/[a-z0-9]+/gi) ?? []
  return setApart(text).match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu) ?? []
}
