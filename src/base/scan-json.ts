// A strict JSON reader that builds nothing: it says whether a value is complete, cut off or wrong, and at which byte.
// JSON.parse cannot tell those three apart, and salvage lives on the difference. No recursion: nesting may be a million deep.

export type Scan =
  | { readonly state: 'complete'; readonly end: number }
  | { readonly state: 'cut' }
  | { readonly state: 'wrong'; readonly at: number }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/** What may stand next. */
type Expect = 'value' | 'value-or-close' | 'key-or-close' | 'key' | 'colon' | 'comma-or-close'

export function scanJson(bytes: Uint8Array, start: number, end: number): Scan {
  const inObject: boolean[] = []
  let expect: Expect = 'value'
  let at = start
  while (at < end) {
    const byte = bytes[at] as number
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) {
      at++
      continue
    }
    if (byte === QUOTE) {
      if (expect === 'colon' || expect === 'comma-or-close') return { state: 'wrong', at }
      const close = scanString(bytes, at + 1, end)
      if (close === CUT) return { state: 'cut' }
      if (close < 0) return { state: 'wrong', at: -1 - close }
      at = close
      if (expect === 'key' || expect === 'key-or-close') {
        expect = 'colon'
        continue
      }
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (expect !== 'value' && expect !== 'value-or-close') return { state: 'wrong', at }
      inObject.push(byte === OPEN_OBJECT)
      expect = byte === OPEN_OBJECT ? 'key-or-close' : 'value-or-close'
      at++
      continue
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      const closesObject = byte === CLOSE_OBJECT
      const empty: Expect = closesObject ? 'key-or-close' : 'value-or-close'
      if (inObject.at(-1) !== closesObject || (expect !== 'comma-or-close' && expect !== empty))
        return { state: 'wrong', at }
      inObject.pop()
      at++
    } else if (byte === COLON) {
      if (expect !== 'colon') return { state: 'wrong', at }
      expect = 'value'
      at++
      continue
    } else if (byte === COMMA) {
      if (expect !== 'comma-or-close') return { state: 'wrong', at }
      expect = inObject.at(-1) ? 'key' : 'value'
      at++
      continue
    } else {
      if (expect !== 'value' && expect !== 'value-or-close') return { state: 'wrong', at }
      const next = scanWord(bytes, at, end)
      if (next === CUT) return { state: 'cut' }
      if (next < 0) return { state: 'wrong', at: -1 - next }
      at = next
    }
    if (inObject.length === 0) return { state: 'complete', end: at }
    expect = 'comma-or-close'
  }
  return { state: 'cut' }
}

const CUT = 0

function wrongAt(offset: number): number {
  return -1 - offset
}

/** The offset after the closing quote, CUT, or the wrong byte's offset as a negative number. */
function scanString(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end) {
    const byte = bytes[at] as number
    if (byte === QUOTE) return at + 1
    if (byte < 0x20) return wrongAt(at)
    if (byte !== BACKSLASH) {
      at++
      continue
    }
    if (at + 1 >= end) return CUT
    const escaped = bytes[at + 1] as number
    if (escaped !== 0x75) {
      if (!'"\\/bfnrt'.includes(String.fromCharCode(escaped))) return wrongAt(at + 1)
      at += 2
      continue
    }
    for (let digit = at + 2; digit < at + 6; digit++) {
      if (digit >= end) return CUT
      if (!isHexDigit(bytes[digit] as number)) return wrongAt(digit)
    }
    at += 6
  }
  return CUT
}

const LITERALS: ReadonlyMap<number, string> = new Map([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
])

function scanWord(bytes: Uint8Array, start: number, end: number): number {
  const literal = LITERALS.get(bytes[start] as number)
  if (literal === undefined) return scanNumber(bytes, start, end)
  for (let index = 0; index < literal.length; index++) {
    if (start + index >= end) return CUT
    if (bytes[start + index] !== literal.charCodeAt(index)) return wrongAt(start + index)
  }
  return start + literal.length
}

function scanNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const digits = (): boolean => {
    const from = at
    while (at < end && isDigit(bytes[at] as number)) at++
    return at > from
  }
  const failed = (): number => (at >= end ? CUT : wrongAt(at))
  if (bytes[at] === 0x2d) at++
  if (bytes[at] === 0x30 && at < end) at++
  else if (!digits()) return failed()
  if (at < end && bytes[at] === 0x2e) {
    at++
    if (!digits()) return failed()
  }
  if (at < end && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
    at++
    if (at < end && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++
    if (!digits()) return failed()
  }
  return at
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}
