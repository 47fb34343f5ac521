// Names with their values in tables, in markup and on the line below: nothing assigns them, they only stand beside each other.

/** Where the value begins behind `| API_TOKEN | …`, `API_TOKEN    …` and `<td>API_TOKEN</td><td>…`; -1 when nothing stands so. */
export function behindColumn(text: string, codes: Uint16Array, nameStart: number, nameEnd: number): number {
  const code = codes[nameEnd] as number
  if (code === LESS) return behind(CELL, text, nameEnd)
  // A word and a blank: most of what is asked for.
  if (code === BLANK && !isGap(codes[nameEnd + 1] as number)) return -1
  if (!isGap(code) && code !== STAR && code !== BACKTICK) return -1
  const value = behind(COLUMN, text, nameEnd)
  return value === -1 || !isAfter(OPENING, text, nameStart) || behind(OTHER, text, value) !== -1 ? -1 : value
}

/** Behind `<password>`, `<ns:password type="…">`, `<property name="password">`. */
export function behindMarkup(text: string, codes: Uint16Array, nameStart: number, nameEnd: number): number {
  const code = codes[nameEnd] as number
  if (code === DOUBLE || code === SINGLE) {
    const value = behind(NAMED, text, nameEnd)
    return value === -1 || !isAfter(NAMING, text, nameStart) ? -1 : value
  }
  const before = codes[nameStart - 1]
  if ((code !== MORE && code !== BLANK) || (before !== LESS && before !== COLON)) return -1
  return isAfter(TAG, text, nameStart) ? behind(ELEMENT, text, nameEnd) : -1
}

/** In the line below `Your API key:`, with nothing else on it but the number of a line in a listing or the sign of one in a diff. */
export function behindColon(text: string, at: number): number {
  return behind(BELOW, text, at)
}

function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function isAfter(pattern: RegExp, text: string, at: number): boolean {
  return pattern.test(text.slice(Math.max(0, at - BEFORE_MAX), at))
}

/** A blank, a tab, or a line between columns. */
function isGap(code: number): boolean {
  return code === BLANK || code === TAB || code === BAR || (code >= 0x2500 && code <= 0x257f)
}

const BLANK = 32
const TAB = 9
const BAR = 0x7c
const STAR = 0x2a
const BACKTICK = 0x60
const LESS = 0x3c
const MORE = 0x3e
const COLON = 0x3a
const DOUBLE = 0x22
const SINGLE = 0x27
const BEFORE_MAX = 120

const COLUMN =
  /[`*]{0,3}(?:[ \t]{0,60}[|\u2500-\u257f][ \t]{1,8}|[ \t]{0,8}\t[ \t]{0,8}| {2,60})(?=[^ \t|])(?:\*\*|`)?/y
const OPENING = /(?:^|\n|[|\u2500-\u257f\t]| {2})(?:[ \t]{0,8}\d{1,6}[→\t|:])?[ \t+>-]{0,8}[`*]{0,3}$/
/** A date, a version, an address, a port, a short commit: what lists tell of the things that they name. */
const OTHER = /\d{4}-\d\d-\d\d|(?:\d{1,2}:)?v?\d{1,6}\.\d|\d{1,5}\/|[0-9a-f]{7,12}(?![^ \t\r\n|])/y
const CELL = /(?:<\/\w{1,10}>\s{0,40}(?:(?:\d{1,6}[→\t|:]|[-+>])[ \t]{0,40})?){1,2}(?:<\w[^<>\n]{0,80}>\s{0,8}){1,2}/y
const TAG = /<(?:[\w-]{1,24}:)?$/
const ELEMENT = /(?:\s[^<>\n]{0,160})?>(?:<!\[CDATA\[)?/y
const NAMING = /<(?!input|select|textarea|button|label|meta|a\s)[\w:.-]{1,40}\s[^<>\n]{0,80}(?:name|key)=["']$/i
const NAMED = /["'](?:\s[^<>\n]{0,160})?>(?:\s{0,40}<value>)?(?:<!\[CDATA\[)?/y
const BELOW =
  /[*_]{0,2}[ \t]{0,4}(?:\r?\n(?:[ \t]{0,8}\d{1,6}[→\t|:])?[ \t>+-]{0,16}(?:```\w{0,12}[ \t]{0,4}(?=\r?\n))?){1,3}(?=[^\s"'`]{16,300}[ \t]{0,4}(?:\r?\n|$))/y
