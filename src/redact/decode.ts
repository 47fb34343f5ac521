// Text with escapes → the same without: those of JSON and of programs (`\u002d`, `\x2d`, `\"`, `\/`, `\n`), of links (`%2D`),
// of HTML (`&#45;`, `&amp;`), quotes within those of a shell (`'\''`) and the colours of a terminal. Only lines that have some
// are taken, and one layer is taken off.

import { isBase64 } from './base64-code.ts'
import type { Coded } from './coded.ts'
import type { Draft, View } from './view.ts'
import { beginStretch, finishView, gap, makeRoom, openView } from './view.ts'

/** What the automaton looks for to learn where escapes may be. */
export const ESCAPE_SIGNS: readonly string[] = [
  '\\',
  '&#',
  '&amp;',
  '&quot;',
  '&lt;',
  '&gt;',
  '&apos;',
  '%',
  '\x1b',
  '[0m',
  '[39m',
  '[22m',
  `'"'"'`,
]

/** Whether what stands here is an escape indeed. */
export function isEscape(text: string, at: number): boolean {
  return lengthOfColour(text, at) > 0 || lengthOfEscape(text, at) > 0 || lengthOfShellQuote(text, at) > 0
}

/** `signs` are places of escapes, in order. */
export function decodedView(coded: Coded, signs: readonly number[]): View {
  const { text, codes } = coded
  const draft = openView(Math.min(text.length, signs.length * SIGN_ROOM) + 8)
  let doneTo = 0
  for (let index = 0; index < signs.length; ) {
    const start = lineStart(codes, signs[index] as number, doneTo)
    let end = start
    let bridge = signs[index] as number
    for (let sign = signs[index]; sign !== undefined && sign <= bridge; sign = signs[++index]) {
      end = lineEnd(coded, sign, Math.max(end, sign))
      if (end + BRIDGE > bridge) bridge = bridgeEnd(coded, end + BRIDGE)
    }
    end = Math.max(doneTo, bridge)
    if (doneTo > 0 && start > doneTo) gap(draft)
    doneTo = Math.max(end, decode(coded, start, end, draft))
  }
  return finishView(draft)
}

/** Returns where it has come to: an escape may reach over the end. */
function decode({ text, codes }: Coded, start: number, end: number, draft: Draft): number {
  makeRoom(draft, end - start)
  const meant = draft.codes
  // Taken out of the draft and put back, because there is a step for each character.
  let { length, step, end: stretchEnd } = draft
  let at = start
  while (at < end) {
    const code = codes[at] as number
    // Of several backslashes the first one is asked for all.
    const mayColour = code === BACKSLASH ? codes[at - 1] !== BACKSLASH : code === ESCAPE || code === BRACKET
    const colour = mayColour ? lengthOfColour(text, at) : 0
    if (colour > 0) {
      // It means no character: grep colours the middle of a word.
      at += colour
      continue
    }
    const isSign = code === BACKSLASH || code === PERCENT || code === AMPERSAND
    const taken = isSign ? lengthOfEscape(text, at) : code === QUOTE ? lengthOfShellQuote(text, at) : 0
    const newStep = taken === 0 ? 1 : taken
    if (newStep !== step || at !== stretchEnd) beginStretch(draft, length, at, newStep)
    step = newStep
    meant[length++] = taken === 0 ? code : meaning(text, at, at + taken)
    at += newStep
    stretchEnd = at
  }
  draft.length = length
  draft.step = step
  draft.end = stretchEnd
  return at
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const AMPERSAND = 0x26
const QUOTE = 0x27
const ESCAPE = 0x1b
const BRACKET = 0x5b

function lengthOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code === BACKSLASH) {
    const next = text.charCodeAt(at + 1)
    if (next === 0x75) return isHex(text, at + 2, 4) ? 6 : 0
    if (next === 0x78) return isHex(text, at + 2, 2) ? 4 : 0
    return next < 128 && SHORT[next] !== 0 ? 2 : 0
  }
  if (code === PERCENT) return isHex(text, at + 1, 2) && text.charCodeAt(at + 1) < 0x38 ? 3 : 0
  ENTITY.lastIndex = at
  return ENTITY.test(text) ? ENTITY.lastIndex - at : 0
}

/** In single quotes a shell knows no escape: they are closed, one comes between, and they are opened again. */
function lengthOfShellQuote(text: string, at: number): number {
  if (text.startsWith("'\\''", at)) return 4
  return text.startsWith(`'"'"'`, at) ? 5 : 0
}

const ENTITY =
  /&(?:#\d{1,6};?|#[xX][0-9a-fA-F]{1,5};?|(?:amp|quot|lt|gt|apos|nbsp|sol|colon|equals|period|lowbar|hyphen|dash|plus|commat);)/y

function lengthOfColour(text: string, at: number): number {
  const code = text.charCodeAt(at)
  // Most backslashes are before something else.
  if (code === BACKSLASH && !COLOUR_NEXT.includes(text.charAt(at + 1))) return 0
  const pattern = code === BRACKET ? COLOUR : TERMINAL
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex - at : 0
}

const COLOUR_NEXT = '\\e0xu'

/** Colours, and whatever else a program tells its terminal in this form; also as programs and JSON write it, in any layer. */
const TERMINAL = /(?:\x1b|\\{1,8}(?:e|033|x1[bB]|u001[bB]))(?:\[[0-?]{0,24}[ -/]{0,2}[@-~]|\([0-9A-Z])/y
/** A colour that has lost its escape, as it does in what was cleaned or copied. */
const COLOUR = /\[\d{1,3}(?:;\d{1,3}){0,6}m/y

function isHex(text: string, at: number, count: number): boolean {
  for (let index = at; index < at + count; index++) {
    const code = text.charCodeAt(index)
    const isDigit = (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)
    if (!isDigit) return false
  }
  return true
}

function meaning(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start)
  if (code === PERCENT) return numberAt(text, start + 1, end, 16)
  if (code === QUOTE) return QUOTE
  if (code === BACKSLASH) {
    if (end - start > 2) return numberAt(text, start + 2, end, 16)
    return SHORT[text.charCodeAt(start + 1)] ?? 32
  }
  const nameEnd = text.charCodeAt(end - 1) === SEMICOLON ? end - 1 : end
  if (text.charCodeAt(start + 1) !== HASH) return (ENTITIES[text.slice(start + 1, nameEnd)] ?? ' ').charCodeAt(0)
  const isHexadecimal = (text.charCodeAt(start + 2) | 0x20) === 0x78
  return numberAt(text, start + (isHexadecimal ? 3 : 2), nameEnd, isHexadecimal ? 16 : 10) & 0xffff
}

const SEMICOLON = 0x3b
const HASH = 0x23

/** Nothing but digits stands there. */
function numberAt(text: string, start: number, end: number, base: 10 | 16): number {
  let number = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    number = number * base + (code < 0x40 ? code - 0x30 : (code & 0x1f) + 9)
  }
  return number
}

/** What stands behind the backslash, and what it means: `n r t b f " ' \ / `` ` ``. */
const SHORT = shortEscapes()

function shortEscapes(): Uint8Array {
  const meanings = new Uint8Array(128)
  for (const pair of ['n\n', 'r\r', 't\t', 'b ', 'f ', '""', "''", '\\\\', '//', '``'])
    meanings[pair.charCodeAt(0)] = pair.charCodeAt(1)
  return meanings
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: ' ',
  sol: '/',
  colon: ':',
  equals: '=',
  period: '.',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  plus: '+',
  commat: '@',
}

/** A line that is very long is taken in stretches around its escapes. */
function lineStart(codes: Uint16Array, at: number, from: number): number {
  const least = Math.max(from, at - REACH)
  let start = Math.max(from, at)
  while (start > least && codes[start - 1] !== 10) start--
  return start
}

/** `from` is known to be no further than the end. */
function lineEnd({ text, codes }: Coded, at: number, from: number): number {
  const limit = Math.min(text.length, at + REACH)
  let end = from
  while (end < limit && codes[end] !== 10) end++
  return end
}

/** A key goes over many lines, and not each of them has an escape: those of base64 are taken to the last. */
function bridgeEnd({ text, codes }: Coded, from: number): number {
  const limit = Math.min(text.length, from + KEY_MAX)
  let end = Math.min(text.length, from)
  for (let at = keyLineStart(codes, end); at < limit; ) {
    let behind = at
    while (behind < limit && behind - at < KEY_LINE_MAX && isBase64(codes[behind] as number)) behind++
    if (codes[behind] === RETURN) behind++
    if (behind - at < KEY_LINE_MIN || codes[behind] !== NEWLINE) break
    at = behind + 1
    end = Math.max(end, at)
  }
  return end
}

function keyLineStart(codes: Uint16Array, at: number): number {
  let start = at
  while (start > 0 && at - start < KEY_LINE_MAX && isBase64(codes[start - 1] as number)) start--
  return start > 0 && codes[start - 1] !== NEWLINE ? at : start
}

const NEWLINE = 10
const RETURN = 13
const KEY_LINE_MIN = 16
const KEY_LINE_MAX = 200
const KEY_MAX = 1 << 16

const REACH = 600
/** How much of a text is taken because of one escape, about. */
const SIGN_ROOM = 200
const BRIDGE = 300
