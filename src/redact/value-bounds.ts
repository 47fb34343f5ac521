// From where to where a value goes: up to the quote that closes it, to the next blank or sign, to the end of its line or element.

import type { Coded } from './coded.ts'
import type { ValuePlace } from './judge-value.ts'
import { endOf } from './judge-value.ts'
import type { NameKind } from './names.ts'
import { isQuote } from './operator.ts'
import { PLACEHOLDER_OPENING } from './placeholder.ts'

export interface Value {
  readonly start: number
  readonly end: number
  readonly place: ValuePlace
  /** It is known that no digit is in it. */
  readonly isDigitless: boolean
}

/** Told anew each time, as an Operator is. */
const VALUE: { -readonly [Key in keyof Value]: Value[Key] } = { start: 0, end: 0, place: 'bare', isDigitless: false }

function foundAt(start: number, end: number, place: ValuePlace, isDigitless = false): Value {
  VALUE.start = start
  VALUE.end = end
  VALUE.place = place
  VALUE.isDigitless = isDigitless
  return VALUE
}

const VALUE_MAX = 600

export function elementValue(text: string, at: number): Value | null {
  const end = at + text.slice(at, at + VALUE_MAX).search(/\]\]>|[<\n]/)
  return end <= at || !/^(?:\]\]>)?<\//.test(text.slice(end, end + 5)) ? null : foundAt(at, end, 'document')
}

/** Up to the same quote behind as many backslashes. A quote that is not closed on its line is no quote. */
export function quotedValue({ text, codes }: Coded, at: number, place: ValuePlace): Value | null {
  let start = at
  // The letters that may stand before a string: b"…", r"…", f"…", u"…", @"…", $"…".
  while (start - at < 2 && PREFIXES[codes[start] as number] === 1) start++
  const backslashesFrom = start
  while (start - backslashesFrom < 6 && codes[start] === BACKSLASH) start++
  const backslashes = start - backslashesFrom
  const quote = codes[start] as number
  if (!isQuote(quote)) return null
  // Three of Python and of TOML are as one.
  start += codes[start + 1] === quote && codes[start + 2] === quote ? 3 : 1
  const limit = Math.min(text.length, start + VALUE_MAX)
  for (let index = start; index < limit; index++) {
    const code = codes[index] as number
    // A value with a Placeholder in it was looked at before.
    if (code === 10 || code === PLACEHOLDER_OPENING) return null
    if (code === BACKSLASH) {
      let end = index
      while (codes[end] === BACKSLASH) end++
      if (codes[end] === quote && end - index <= backslashes) return foundAt(start, index, place)
      index = end
    } else if (code === quote) return foundAt(start, index, place)
  }
  return null
}

const PREFIXES = tableOf('brfuBRFU@$')
const BACKSLASH = 0x5c

export function bareValue(coded: Coded, at: number, kind: NameKind, place: ValuePlace): Value | null {
  const { end: stop, isDigitless } = bareEnd(coded, at, BARE_STOPS)
  const end = endOf(coded.codes, at, stop, kind)
  if (end === at) return null
  const isCall = place !== 'flag' && (coded.codes[end] === ROUND_BRACKET || coded.codes[end] === SQUARE_BRACKET)
  return foundAt(at, end, isCall ? 'call' : place, isDigitless)
}

/** In a file of variables nearly anything may be in a value; but no token has the sign behind which another command stands. */
export function lineValue(coded: Coded, at: number, kind: NameKind): Value | null {
  const isOpen = kind === 'password' || kind === 'cookie' || kind === 'authorization'
  const { end: stop, isDigitless } = bareEnd(coded, at, isOpen ? LINE_STOPS : COMMAND_STOPS)
  const end = endOf(coded.codes, at, stop, kind)
  return end === at ? null : foundAt(at, end, 'environment', isDigitless)
}

const ROUND_BRACKET = 0x28
const SQUARE_BRACKET = 0x5b

function bareEnd({ text, codes }: Coded, at: number, stops: Uint8Array): Readonly<BareEnd> {
  const limit = Math.min(text.length, at + VALUE_MAX)
  let end = at
  let kinds = 0
  for (; end < limit; end++) {
    const code = codes[end] as number
    const kind = code < 128 ? (stops[code] as number) : isOtherStop(code) ? STOP : 0
    if (kind === STOP) break
    kinds |= kind
  }
  // What ends a sentence is no part of a word, nor is the backslash that lets a command go on in the next line.
  while (end > at && (codes[end - 1] === 0x2e || codes[end - 1] === 0x3f || codes[end - 1] === BACKSLASH)) end--
  BARE_END.end = end
  BARE_END.isDigitless = kinds === 0
  return BARE_END
}

interface BareEnd {
  end: number
  isDigitless: boolean
}

const BARE_END: BareEnd = { end: 0, isDigitless: false }
const STOP = 1
const DIGIT = 2
const BARE_STOPS = stopsOf('"\'`,;&<>()[]{}|\\')
const LINE_STOPS = stopsOf('"\'`')
const COMMAND_STOPS = stopsOf('"\'`;')

/** Those of ASCII; blanks are always among them. Digits are told too. */
function stopsOf(characters: string): Uint8Array {
  return tableOf(characters).fill(STOP, 0, 33).fill(DIGIT, 0x30, 0x3a)
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128)
  for (let index = 0; index < characters.length; index++) table[characters.charCodeAt(index)] = 1
  return table
}

/** Blanks beyond ASCII, and what begins and ends a Placeholder. */
function isOtherStop(code: number): boolean {
  return code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0x27e6 || code === 0x27e7
}
