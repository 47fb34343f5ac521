// What stands between a name and its value: `=`, `": "`, ` => `, `\": \"`. By hand and not by a regular expression, because it is
// asked for behind every word such as `password`, and nearly everywhere the answer is no.

export interface Operator {
  readonly sign: '=' | ':' | '>' | ',' | 'is' | '=='
  /** A quote or a bracket closed the name. */
  readonly isQuotedName: boolean
  /** Nothing stands between the name and the sign. */
  readonly isClose: boolean
  readonly end: number
}

/** What comes back is told anew at the next call: most are looked at once, and a text may have a hundred thousand. */
export function operatorAt(codes: Uint16Array, nameEnd: number): Operator | null {
  let at = nameEnd
  while (at - nameEnd < BACKSLASHES_MAX && codes[at] === BACKSLASH) at++
  if (isQuote(codes[at] as number)) at++
  else if (at > nameEnd) return null
  if (codes[at] === CLOSING_BRACKET) at++
  const isQuotedName = at > nameEnd
  const signStart = skipBlanks(codes, at, BLANKS_BEFORE_MAX)
  const length = signLength(codes, signStart)
  if (length === 0) return null
  const sign = signOf(codes, signStart, length)
  const end = skipBlanks(codes, signStart + length, BLANKS_BEHIND_MAX)
  // A word needs a blank behind it, or it is the beginning of another.
  if (sign === 'is' && end === signStart + length) return null
  ANSWER.sign = sign
  ANSWER.isQuotedName = isQuotedName
  ANSWER.isClose = signStart === nameEnd && length === 1
  ANSWER.end = skipContinuation(codes, end)
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
    case 0x7c: // ||=
      return next === 0x7c && codes[at + 2] === 0x3d ? 3 : 0
    case 0x3f: // ?=, ??=
      if (next === 0x3d) return 2
      return next === 0x3f && codes[at + 2] === 0x3d ? 3 : 0
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
  const first = codes[at]
  if (first === 0x69 || first === 0x74) return 'is'
  if (length > 1) return '=='
  return first === 0x3d ? '=' : first === 0x3a ? ':' : first === 0x3e ? '>' : ','
}

function skipBlanks(codes: Uint16Array, from: number, most: number): number {
  let at = from
  while (at - from < most && (codes[at] === 32 || codes[at] === 9)) at++
  return at
}

/** A backslash at the end of a line: the value stands on the next one. */
function skipContinuation(codes: Uint16Array, at: number): number {
  if (codes[at] !== BACKSLASH) return at
  const end = codes[at + 1] === 13 ? at + 2 : at + 1
  return codes[end] === 10 ? skipBlanks(codes, end + 1, BLANKS_BEHIND_MAX) : at
}
