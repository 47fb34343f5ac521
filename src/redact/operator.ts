// What stands between a name and its value: `=`, `": "`, ` => `, `\": \"`, `:** `, ` ?? `. By hand and not by a regular expression, because it is
// asked for behind every word such as `password`, and nearly everywhere the answer is no.

export interface Operator {
  /** A comma stands for all that tells nothing without a quote behind it: an argument, a call, `??`, a quote alone. */
  readonly sign: '=' | ':' | '>' | ',' | 'is' | '=='
  /** A quote or a bracket closed the name. */
  readonly isQuotedName: boolean
  /** Nothing stands between the name and the sign. */
  readonly isClose: boolean
  readonly end: number
}

/** What comes back is told anew at the next call: most are looked at once, and a text may have a hundred thousand. */
export function operatorAt(codes: Uint16Array, nameEnd: number, isFlag: boolean): Operator | null {
  let at = nameEnd
  while (at - nameEnd < BACKSLASHES_MAX && codes[at] === BACKSLASH) at++
  if (isQuote(codes[at] as number)) at++
  else if (at > nameEnd) return null
  if (codes[at] === CLOSING_BRACKET || (at > nameEnd && codes[at] === CLOSING_PARENTHESIS)) at++
  const isQuotedName = at > nameEnd
  at = skipStars(codes, at)
  const signStart = skipBlanks(codes, at, BLANKS_BEFORE_MAX)
  const length = signLength(codes, signStart)
  if (length === 0 && (signStart === at || !isQuote(codes[signStart] as number))) return null
  const sign = length === 0 ? ',' : signOf(codes, signStart, length)
  const isColon = sign === 'is' && codes[signStart + length] === COLON
  const end = skipBlanks(codes, skipStars(codes, signStart + length + (isColon ? 1 : 0)), BLANKS_BEHIND_MAX)
  // A word needs a blank behind it, or it is the beginning of another.
  if (sign === 'is' && end === signStart + length) return null
  ANSWER.sign = sign
  ANSWER.isQuotedName = isQuotedName
  ANSWER.isClose = signStart === nameEnd && length === 1
  // Strings below each other are a list, which says of none what another is; but a flag goes before its value.
  const isOnLine = sign === 'is' || (sign === ',' && isQuotedName && !isFlag)
  ANSWER.end = isOnLine ? end : skipLineEnd(codes, end)
  return ANSWER
}

const ANSWER: { -readonly [Key in keyof Operator]: Operator[Key] } = {
  sign: '=',
  isQuotedName: false,
  isClose: false,
  end: 0,
}

const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_PARENTHESIS = 0x28
const CLOSING_PARENTHESIS = 0x29
const STAR = 0x2a
const COLON = 0x3a
const EQUALS = 0x3d
const STARS_MAX = 2
const BACKSLASHES_MAX = 6
const BLANKS_BEFORE_MAX = 8
const BLANKS_BEHIND_MAX = 24

export function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60
}

function signLength(codes: Uint16Array, at: number): number {
  const next = codes[at + 1]
  switch (codes[at]) {
    case 0x3d: // =, ==, ===, =>
      if (next === 0x3e) return 2
      return next !== 0x3d ? 1 : codes[at + 2] === 0x3d ? 3 : 2
    case 0x3a: // :, :=
      return next === 0x3d ? 2 : 1
    case 0x3e: // >
    case 0x2c: // ,
      return 1
    case OPENING_PARENTHESIS:
      return 1
    case 0x7c: // ||, ||=
      return next !== 0x7c ? 0 : codes[at + 2] === 0x3d ? 3 : 2
    case 0x3f: // ?=, ?:, ??, ??=
      if (next === 0x3d || next === COLON) return 2
      return next !== 0x3f ? 0 : codes[at + 2] === 0x3d ? 3 : 2
    case 0x21: // !=, !==
      return next !== 0x3d ? 0 : codes[at + 2] === 0x3d ? 3 : 2
    case 0x2d: // ->
      return next === 0x3e ? 2 : 0
    case 0x2014: // —
    case 0x2192: // →
      return 1
    case 0x6f: // or
      return next === 0x72 ? 2 : 0
    case 0x2b: // +=
      return next === 0x3d ? 2 : 0
    case 0x69: // is
      return next === 0x73 ? 2 : 0
    case 0x74: // to
      return next === 0x6f ? 2 : 0
    default:
      return 0
  }
}

function signOf(codes: Uint16Array, at: number, length: number): Operator['sign'] {
  const first = codes[at] as number
  if (WORDS.has(first)) return 'is'
  if (QUOTED_ONLY.has(first) || (OTHERWISE.has(first) && codes[at + length - 1] !== EQUALS)) return ','
  if (length > 1) return '=='
  return first === 0x3d ? '=' : first === 0x3a ? ':' : first === 0x3e ? '>' : ','
}

/** The first of `is`, `to`, `->`, `—`, `→`. */
const WORDS: ReadonlySet<number> = new Set([0x69, 0x74, 0x2d, 0x2014, 0x2192])
/** Of `(`, `or`, `!=`. */
const QUOTED_ONLY: ReadonlySet<number> = new Set([OPENING_PARENTHESIS, 0x6f, 0x21])
/** `process.env.API_KEY || '…'`, `??` and `?:`; with `=` at its end it assigns. */
const OTHERWISE: ReadonlySet<number> = new Set([0x7c, 0x3f])

/** `**Password:** …` */
function skipStars(codes: Uint16Array, from: number): number {
  let at = from
  while (at - from < STARS_MAX && codes[at] === STAR) at++
  return at
}

function skipBlanks(codes: Uint16Array, from: number, most: number): number {
  let at = from
  while (at - from < most && (codes[at] === 32 || codes[at] === 9)) at++
  return at
}

/** The value stands on the next line: behind a backslash, or as a string that was too long for this one. */
function skipLineEnd(codes: Uint16Array, at: number): number {
  const isContinued = codes[at] === BACKSLASH
  let end = isContinued || codes[at] === OPENING_PARENTHESIS ? at + 1 : at
  if (codes[end] === 13) end++
  if (codes[end] !== 10) return at
  if (isContinued) return skipBlanks(codes, end + 1, BLANKS_BEHIND_MAX)
  let next = end + 1
  while (next - end <= LINE_HEAD_MAX && isLineHead(codes[next] as number)) next++
  return isQuote(codes[next] as number) ? next : at
}

const LINE_HEAD_MAX = 80

/** Blanks, the number of a line in a listing, the sign of one in a diff. */
function isLineHead(code: number): boolean {
  return code === 32 || code === 9 || (code >= 0x30 && code <= 0x39) || LINE_SIGNS.has(code)
}

/** `→ | + > -` */
const LINE_SIGNS: ReadonlySet<number> = new Set([0x2192, 0x7c, 0x2b, 0x3e, 0x2d])
