// `password = "…"`, `"apiKey": "…"`, `--token …`, `<secret>…</secret>`, `DB_PASS=…`: a name that says Secret, something that
// assigns, and a value. In escaped text the quotes have backslashes before them, as many as there are layers.

import type { Coded } from './coded.ts'
import type { ValuePlace } from './judge-value.ts'
import { endOf, isSecretValue, needsDigit } from './judge-value.ts'
import { behindBrace, behindLabel, isSet } from './labelled.ts'
import { isLineStart } from './line-start.ts'
import { behindName, NAME_AFTER_MAX, NAME_BEFORE_MAX, nameStartOf } from './name-bounds.ts'
import type { NameKind } from './names.ts'
import { nameKind } from './names.ts'
import type { Operator } from './operator.ts'
import { isQuote, operatorAt } from './operator.ts'
import { PLACEHOLDER_OPENING } from './placeholder.ts'
import type { Span } from './span.ts'

export interface Assignments {
  /** A word such as `password` was found here. Null when nothing is assigned to it, or nothing secret. */
  readonly at: (start: number, end: number) => Span | null
}

/** For one walk over one text: remembers what was looked at, so that nothing is looked at often. */
export function assignmentsIn(coded: Coded): Assignments {
  const { text, codes } = coded
  let nameEndBefore = 0
  let valueEndBefore = 0
  let triesWithin = 0
  let readWithin = 0
  // The same name comes again and again, and to be compared costs less than to be looked up.
  let lastName = ''
  let lastKind: NameKind | null = null
  const kindOf = (start: number, end: number): NameKind | null => {
    if (end - start !== lastName.length || !isSame(codes, start, lastName)) {
      lastName = text.slice(start, end)
      lastKind = nameKind(lastName)
    }
    return lastKind
  }
  // And so does the same value.
  let lastValue = ''
  let lastOf: NameKind | null = null
  let lastPlace: ValuePlace = 'bare'
  let lastIsSecret = false
  const isSecret = ({ start, end, place }: Value, kind: NameKind): boolean => {
    const isSameValue = end - start === lastValue.length && isSame(codes, start, lastValue)
    if (isSameValue && kind === lastOf && place === lastPlace) return lastIsSecret
    if (!isSameValue) lastValue = text.slice(start, end)
    lastOf = kind
    lastPlace = place
    lastIsSecret = isSecretValue(lastValue, kind, place)
    return lastIsSecret
  }
  return {
    at: (wordStart, wordEnd) => {
      if (wordEnd <= nameEndBefore || (wordStart > 0 && codes[wordStart - 1] === PLACEHOLDER_OPENING)) return null
      const nameEnd = behindName(codes, wordEnd)
      nameEndBefore = nameEnd
      const nameStart = nameStartOf(codes, wordStart)
      if (nameEnd - wordEnd === NAME_AFTER_MAX || wordStart - nameStart === NAME_BEFORE_MAX) return null
      const isWithin = wordStart < valueEndBefore
      if (!isWithin) {
        triesWithin = 0
        readWithin = 0
      } else if (++triesWithin > TRIES_WITHIN_MAX || readWithin > READ_WITHIN_MAX) return null
      const operator = operatorAt(codes, nameEnd, codes[nameStart] === DASH)
      if (operator === null ? !isAbout(coded, nameStart, nameEnd) : isPlaceholderAt(codes, operator)) return null
      const kind = kindOf(nameStart, nameEnd)
      if (kind === null) return null
      const value = valueAfter(coded, nameStart, nameEnd, operator, kind)
      if (value === null || (operator !== null && isOutcome(coded, lastName, operator, value))) return null
      valueEndBefore = Math.max(valueEndBefore, value.end)
      if (isWithin) readWithin += value.end - value.start
      if ((value.isDigitless && needsDigit(kind, value.place)) || !isSecret(value, kind)) return null
      return { start: value.start, end: value.end, rule: kind, secret: lastValue, rank: 2 }
    },
  }
}

const VALUE_MAX = 600
/** How many names are looked at within a value that itself belongs to a name. */
const TRIES_WITHIN_MAX = 3
/** And how many characters their values may have together. */
const READ_WITHIN_MAX = 300

interface Value {
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

function isSame(codes: Uint16Array, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) if (codes[start + index] !== word.charCodeAt(index)) return false
  return true
}

/** `--- PASS: TestTide/high_2`, `"pass": "The page has a title"`: a test has passed, and nobody is let in. */
function isOutcome({ text }: Coded, name: string, { sign, isQuotedName }: Operator, { start, end }: Value): boolean {
  if (!OUTCOME.test(name) || sign === '=') return false
  return name === 'PASS' || (sign !== ':' && !isQuotedName) || OUTCOME_OF.test(text.slice(start, end))
}

const OUTCOME = /^pass$/i
const OUTCOME_OF = /^\d|\s/

/** What was replaced before needs no second look. */
function isPlaceholderAt(codes: Uint16Array, { sign, end }: Operator): boolean {
  if (sign === '>') return false
  return codes[isQuote(codes[end] as number) ? end + 1 : end] === PLACEHOLDER_OPENING
}

function valueAfter(
  coded: Coded,
  nameStart: number,
  nameEnd: number,
  operator: Operator | null,
  kind: NameKind,
): Value | null {
  const { text, codes } = coded
  const labelled = behindLabel(text, codes, nameStart, nameEnd)
  if (labelled !== -1) return labelledValue(coded, labelled, kind)
  if (operator === null) return flagValue(coded, nameEnd, kind)
  const { sign, isQuotedName, isClose } = operator
  const at = sign === ':' ? behindType(text, operator.end) : operator.end
  if (sign === '>') return text.charAt(nameStart - 1) === '<' ? elementValue(text, at) : null
  const isWeak = sign === ',' || sign === 'is'
  const quoted = quotedValue(coded, at, isWeak ? 'near' : isQuotedName ? 'document' : 'quoted')
  if (quoted !== null) return quoted
  if (sign === ',') return null
  const nested = behindBrace(text, codes, at)
  if (nested !== -1) return quotedValue(coded, nested, 'document')
  const place = isWeak ? 'near' : barePlace(coded, nameStart, nameEnd, isClose && sign === '=')
  const isWholeLine = place === 'environment' && isLineStart(text, nameStart)
  const { end: stop, isDigitless } = bareEnd(coded, at, isWholeLine ? LINE_STOPS : BARE_STOPS)
  const end = endOf(codes, at, stop, kind)
  if (end === at) return null
  return foundAt(at, end, codes[end] === ROUND_BRACKET || codes[end] === SQUARE_BRACKET ? 'call' : place, isDigitless)
}

/** Where a value without quotes stands. `isClose`: the sign follows the name without a blank. */
function barePlace({ text, codes }: Coded, nameStart: number, nameEnd: number, isClose: boolean): ValuePlace {
  const before = nameStart === 0 ? NEWLINE : (codes[nameStart - 1] as number)
  if (isClose) {
    if (before === QUESTION || (before === AMPERSAND && codes[nameStart - 2] !== AMPERSAND)) return 'query'
    if (codes[nameStart] === DASH && codes[nameStart + 1] === DASH) return 'flag'
    if (before === NEWLINE || VARIABLE.test(text.slice(nameStart, nameEnd))) return 'environment'
  }
  // Indented, it may be an argument of a function.
  return before === BLANK || isLineStart(text, nameStart) ? 'line' : 'bare'
}

const ROUND_BRACKET = 0x28
const SQUARE_BRACKET = 0x5b
const QUESTION = 0x3f
const AMPERSAND = 0x26
const NEWLINE = 10
const BLANK = 32
const VARIABLE = /^[A-Z][A-Z0-9]{0,24}(?:_[A-Z0-9]{1,24}){0,8}$/

/** `token: string = "…"` and `let password: &str = "…"`. Base64 may end with the sign too, before the quote of a text around it. */
function behindType(text: string, at: number): number {
  TYPE.lastIndex = at
  return TYPE.test(text) ? TYPE.lastIndex : at
}

const TYPE =
  /[&*A-Za-z](?:[A-Za-z_.<>&'?[\] |]{0,40}|[A-Za-z0-9_.<>&'?[\] |]{0,40}[ \t])=[ \t]{0,8}(?=[brfu@$]{0,2}["'`])/y

/** Without a sign: a flag, what a command is told to set, or a label with the value behind it. */
function isAbout({ text, codes }: Coded, nameStart: number, nameEnd: number): boolean {
  if (codes[nameStart] === DASH || (nameStart > 0 && codes[nameStart - 1] === DASH)) return true
  return codes[nameEnd] === BLANK ? isSet(text, nameStart) : behindLabel(text, codes, nameStart, nameEnd) !== -1
}

function labelledValue(coded: Coded, at: number, kind: NameKind): Value | null {
  return quotedValue(coded, at, 'document') ?? bareValue(coded, at, kind, 'line')
}

function bareValue(coded: Coded, at: number, kind: NameKind, place: ValuePlace): Value | null {
  const end = endOf(coded.codes, at, bareEnd(coded, at, BARE_STOPS).end, kind)
  return end === at ? null : foundAt(at, end, place)
}

const DASH = 0x2d

function flagValue(coded: Coded, nameEnd: number, kind: NameKind): Value | null {
  BLANKS.lastIndex = nameEnd
  if (!BLANKS.test(coded.text)) return null
  const at = BLANKS.lastIndex
  return quotedValue(coded, at, 'flag') ?? bareValue(coded, at, kind, 'flag')
}

/** What a command sets may have a flag of its own, or come on its standard input; arguments may be a list in YAML. */
const BLANKS =
  /[ \t]{1,4}(?:(?:--[a-z-]{1,20}[ \t=][^\s"']{1,60}[ \t]{1,4}){0,2}(?:--(?:value|body)|-b)[ \t=]{1,2}|<<<[ \t]{0,2})?|\r?\n[ \t]{0,40}-[ \t]{1,4}(?=\S{4,300}[ \t]*(?:\r?\n|$))/y

function elementValue(text: string, at: number): Value | null {
  const end = text.slice(at, at + VALUE_MAX).search(/[<\n]/)
  return end < 1 || text.charAt(at + end) !== '<' ? null : foundAt(at, at + end, 'document')
}

/** Up to the same quote behind as many backslashes. A quote that is not closed on its line is no quote. */
function quotedValue({ text, codes }: Coded, at: number, place: ValuePlace): Value | null {
  let start = at
  // The letters that may stand before a string: b"…", r"…", f"…", u"…", @"…", $"…".
  while (start - at < 2 && PREFIXES[codes[start] as number] === 1) start++
  const backslashesFrom = start
  while (start - backslashesFrom < 6 && codes[start] === BACKSLASH) start++
  const backslashes = start - backslashesFrom
  const quote = codes[start] as number
  if (!isQuote(quote)) return null
  start++
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
/** In a file of variables nearly anything may be in a value. */
const LINE_STOPS = stopsOf('"\'`')

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
