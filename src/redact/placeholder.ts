// What stands in place of a Secret, and how it is told from everything else.

import { textOfCodes } from '../base/text.ts'
import { grown } from './view.ts'

/** Places of Placeholders in a text. They are never redacted again. */
export function placeholdersIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  const places: { readonly start: number; readonly end: number }[] = []
  for (let start = text.indexOf(BEGINNING); start !== -1; start = text.indexOf(BEGINNING, start + 1)) {
    const end = behindPlaceholder(text, start)
    if (end > start) places.push({ start, end })
  }
  return places
}

export function isPlaceholder(text: string): boolean {
  return text !== '' && behindPlaceholder(text, 0) === text.length
}

/** Behind the Placeholder that begins here, or here when none does. By hand, because a text may be full of them. */
export function behindPlaceholder(text: string, at: number): number {
  for (let index = 1; index < BEGINNING.length; index++)
    if (text.charCodeAt(at + index) !== BEGINNING.charCodeAt(index)) return at
  const ruleStart = at + BEGINNING.length
  const ruleEnd = behindName(text, ruleStart, RULE_MAX, true)
  if (ruleEnd === ruleStart || text.charCodeAt(ruleEnd) !== COLON) return at
  const tagEnd = behindName(text, ruleEnd + 1, TAG_MAX, false)
  return tagEnd > ruleEnd + 1 && text.charCodeAt(tagEnd) === CLOSING.charCodeAt(0) ? tagEnd + 1 : at
}

function behindName(text: string, from: number, most: number, isDashed: boolean): number {
  const limit = Math.min(text.length, from + most)
  let at = from
  for (; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (NAME_CODES[code] !== 1 && !(isDashed && code === DASH)) break
  }
  return at
}

/** Small letters and digits. */
const NAME_CODES = new Uint8Array(0x10000).fill(1, 0x61, 0x7b).fill(1, 0x30, 0x3a)

export interface Placeholders {
  /** By its number in the Registry. The rule that has found a Secret first names it for good. */
  readonly of: (number: number, secret: string, rule: string) => string
  /** Will be asked for. Those that are told before are made at once, of one text. */
  readonly expect: (number: number, secret: string, rule: string) => void
}

export function openPlaceholders(tagOf: (secret: string) => string): Placeholders {
  const known: (string | undefined)[] = []
  /** Where each of those that are expected ends, and its number. */
  let expected: number[] = []
  let codes = new Uint16Array(1 << 10)
  let length = 0
  const write = (text: string): void => {
    for (let at = 0; at < text.length; at++) codes[length++] = text.charCodeAt(at)
  }
  const expect = (number: number, secret: string, rule: string): void => {
    // Most are told in the order of their numbers.
    while (known.length <= number) known.push(undefined)
    if (known[number] !== undefined) return
    known[number] = EXPECTED
    if (codes.length - length < LONGEST) codes = grown(codes, new Uint16Array(codes.length * 2))
    write(BEGINNING)
    write(rule)
    codes[length++] = COLON
    write(cleanTag(tagOf(secret)))
    codes[length++] = PLACEHOLDER_CLOSING
    expected.push(length, number)
  }
  const make = (): void => {
    const all = textOfCodes(codes.subarray(0, length))
    let start = 0
    for (let index = 0; index < expected.length; index += 2) {
      known[expected[index + 1] as number] = all.slice(start, expected[index])
      start = expected[index] as number
    }
    expected = []
    length = 0
    if (codes.length > KEPT_MAX) codes = new Uint16Array(1 << 10)
  }
  return {
    expect,
    of: (number, secret, rule) => {
      expect(number, secret, rule)
      if (known[number] === EXPECTED) make()
      return known[number] as string
    },
  }
}

const EXPECTED = ''
const LONGEST = 128
const KEPT_MAX = 1 << 21

function cleanTag(tag: string): string {
  if (tag !== '' && behindName(tag, 0, TAG_MAX, false) === tag.length) return tag
  const cleaned = tag
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .slice(0, TAG_MAX)
  return cleaned === '' ? '0' : cleaned
}

/** Secrets in the order in which they are met: 1, 2, 3, … Each is asked for once. */
export function numberTags(): (secret: string) => string {
  let last = 0
  return () => String(++last)
}

const OPENING = '⟦'
const CLOSING = '⟧'
const BEGINNING = `${OPENING}secret:`
const RULE_MAX = 40
const TAG_MAX = 16
const COLON = 0x3a
const DASH = 0x2d

/** The codes of what a Placeholder begins and ends with. */
export const PLACEHOLDER_OPENING = 0x27e6
export const PLACEHOLDER_CLOSING = 0x27e7
