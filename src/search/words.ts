// What the word index makes of a text. Its tokenizer splits at everything that is no letter or digit and folds case and
// accents. It takes a run of Chinese for one word, so characters of scripts without spaces are set apart here, each a word
// of its own; a query does the same and asks for them side by side.

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
const OUTPUT_HEAD = 768
const OUTPUT_TAIL = 384
const SAID_HEAD = 1 << 18

export interface Indexed {
  readonly text: string
  readonly isCut: boolean
}

export function indexedOutput(text: string, isPlain: boolean): Indexed {
  return cut(text, OUTPUT_HEAD, OUTPUT_TAIL, isPlain)
}

export function indexedSaid(text: string, isPlain: boolean): Indexed {
  return cut(text, SAID_HEAD, OUTPUT_TAIL, isPlain)
}

/** A character takes at most three bytes for each of its code units. */
const BYTES_MAX = 3

/** For a text that has a character for each byte: enough of it, decoded, for `indexedOutput` to give the same. */
export function decodedOutput(bytes: string): string {
  let headEnd = BYTES_MAX * (OUTPUT_HEAD + 1)
  let tailStart = bytes.length - BYTES_MAX * (OUTPUT_TAIL + 1)
  if (tailStart <= headEnd) return decoded(bytes)
  while (isInside(bytes, headEnd)) headEnd++
  while (isInside(bytes, tailStart)) tailStart--
  return decoded(bytes.slice(0, headEnd)) + decoded(bytes.slice(tailStart))
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Not where a character begins. */
function isInside(bytes: string, at: number): boolean {
  return (bytes.charCodeAt(at) & 0xc0) === 0x80
}

/** A plain text is all ASCII: nothing in it needs to be set apart. */
function cut(text: string, head: number, tail: number, isPlain: boolean): Indexed {
  if (text.length <= head + tail) return { text: isPlain ? text : setApart(text), isCut: false }
  // Whole words on both sides of the gap: half a word would be found by nobody, or by the wrong one.
  const headEnd = lastBreak(text, head)
  const tailStart = firstBreak(text, text.length - tail)
  const kept = `${text.slice(0, headEnd)}\n${text.slice(tailStart)}`
  return { text: isPlain ? kept : setApart(kept), isCut: true }
}

const BREAK = /[\s\p{P}\p{S}]/u
const WORD_MAX = 200

function lastBreak(text: string, from: number): number {
  for (let at = from; at > from - WORD_MAX; at--) if (BREAK.test(text.charAt(at))) return at
  return from
}

function firstBreak(text: string, from: number): number {
  for (let at = from; at < from + WORD_MAX; at++) if (BREAK.test(text.charAt(at))) return at
  return from
}

/** A word begins with a letter or a digit: marks alone, as behind an emoji, are none to the index either. */
const TOKEN = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu

/** The words of a text as the index has them, for queries. */
export function wordsOf(text: string): readonly string[] {
  return setApart(text).match(TOKEN) ?? []
}
