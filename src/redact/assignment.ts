// `password = "…"`, `"apiKey": "…"`, `--token …`, `<secret>…</secret>`, `DB_PASS=…`: a name that says Secret, something that
// assigns, and a value. In escaped text the quotes have backslashes before them, as many as there are layers.

import type { Coded } from './coded.ts'
import { behindColon, behindColumn, behindMarkup } from './columns.ts'
import type { ValuePlace } from './judge-value.ts'
import { isSecretValue, needsDigit } from './judge-value.ts'
import { behindBrace, behindLabel, isSet } from './labelled.ts'
import { isLineStart } from './line-start.ts'
import { behindName, NAME_AFTER_MAX, NAME_BEFORE_MAX, nameStartOf } from './name-bounds.ts'
import type { NameKind } from './names.ts'
import { nameKind } from './names.ts'
import type { Operator } from './operator.ts'
import { isQuote, operatorAt } from './operator.ts'
import { PLACEHOLDER_OPENING } from './placeholder.ts'
import type { Span } from './span.ts'
import type { Value } from './value-bounds.ts'
import { bareValue, elementValue, lineValue, quotedValue } from './value-bounds.ts'

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

/** How many names are looked at within a value that itself belongs to a name. */
const TRIES_WITHIN_MAX = 3
/** And how many characters their values may have together. */
const READ_WITHIN_MAX = 300

function isSame(codes: Uint16Array, start: number, word: string): boolean {
  for (let index = 0; index < word.length; index++) if (codes[start + index] !== word.charCodeAt(index)) return false
  return true
}

/** `--- PASS: TestTide/high_2`, `"pass": "The page has a title"`: a test has passed, and nobody is let in. */
function isOutcome({ text }: Coded, name: string, { sign, isQuotedName }: Operator, { start, end }: Value): boolean {
  if (!OUTCOME.test(name) || sign === '=') return false
  if (sign === '>') return OUTCOME_OF.test(text.slice(start, end))
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
  const element = behindMarkup(text, codes, nameStart, nameEnd)
  if (element !== -1) return elementValue(text, element)
  if (operator === null) return besideValue(coded, nameStart, nameEnd, kind)
  const { sign, isQuotedName, isClose } = operator
  const at = sign === ':' ? behindType(text, operator.end) : operator.end
  if (sign === '>') return null
  const isWeak = sign === ',' || sign === 'is'
  // Quotes change nothing: `--password "…"` and `ENV DB_PASSWORD "…"` are what they are without.
  const isArgument = sign === ',' && !isQuotedName && (isFlag(codes, nameStart) || isSet(text, nameStart))
  const quotedPlace = isArgument ? 'flag' : isWeak ? 'near' : isQuotedName ? 'document' : 'quoted'
  const quoted = quotedValue(coded, at, quotedPlace)
  if (quoted !== null) return quoted
  if (sign === ',') return null
  const nested = behindBrace(text, codes, at)
  if (nested !== -1) return quotedValue(coded, nested, 'document')
  const place = isWeak ? 'near' : barePlace(coded, nameStart, nameEnd, isClose && sign === '=')
  if (place === 'environment' && isLineStart(text, nameStart)) return lineValue(coded, at, kind)
  const bare = bareValue(coded, at, kind, place)
  if (bare !== null || sign !== ':' || kind === 'password') return bare
  const below = behindColon(text, at)
  return below === -1 ? null : bareValue(coded, below, kind, 'near')
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

/** Without a sign: a flag, what a command is told to set, a label with the value behind it, or what stands beside it. */
function isAbout({ text, codes }: Coded, nameStart: number, nameEnd: number): boolean {
  if (isFlag(codes, nameStart) || (codes[nameEnd] === BLANK && isSet(text, nameStart))) return true
  return (
    behindLabel(text, codes, nameStart, nameEnd) !== -1 ||
    behindMarkup(text, codes, nameStart, nameEnd) !== -1 ||
    behindColumn(text, codes, nameStart, nameEnd) !== -1
  )
}

function isFlag(codes: Uint16Array, nameStart: number): boolean {
  return codes[nameStart] === DASH || (nameStart > 0 && codes[nameStart - 1] === DASH)
}

function besideValue(coded: Coded, nameStart: number, nameEnd: number, kind: NameKind): Value | null {
  const { text, codes } = coded
  const column = isFlag(codes, nameStart) ? -1 : behindColumn(text, codes, nameStart, nameEnd)
  if (column === -1) return flagValue(coded, nameEnd, kind)
  const value = quotedValue(coded, column, 'near') ?? bareValue(coded, column, kind, 'near')
  const isOfTest = value !== null && OUTCOME.test(text.slice(nameStart, nameEnd))
  return isOfTest && !NO_TEST.test(text.slice(value.start, value.end)) ? null : value
}

/** ` PASS  src/tide2.test.ts`: what has passed is a file, a name or a time, and none has such signs. */
const NO_TEST = /[!#$^&*?]/

function labelledValue(coded: Coded, at: number, kind: NameKind): Value | null {
  return quotedValue(coded, at, 'document') ?? bareValue(coded, at, kind, 'line')
}

const DASH = 0x2d

function flagValue(coded: Coded, nameEnd: number, kind: NameKind): Value | null {
  FLAG_GAP.lastIndex = nameEnd
  if (!FLAG_GAP.test(coded.text)) return null
  const at = FLAG_GAP.lastIndex
  return quotedValue(coded, at, 'flag') ?? bareValue(coded, at, kind, 'flag')
}

/** What a command sets may have a flag of its own, or come on its standard input; arguments may be a list, in YAML or one below the other. */
const FLAG_GAP =
  /[ \t]{1,4}(?:(?:--[a-z-]{1,20}[ \t=][^\s"']{1,60}[ \t]{1,4}){0,2}(?:--(?:value|body)|-b)[ \t=]{1,2}|<<<[ \t]{0,2})?|(?:(?<=(?:^|\n)-[\w-]{1,60})\r?\n(?!-)|\r?\n(?:[ \t]{0,8}\d{1,6}[→\t|:])?[-+>]?[ \t]{0,40}-[ \t]{1,4})(?=\S{4,300}[ \t]{0,4}(?:\r?\n|$))/y
