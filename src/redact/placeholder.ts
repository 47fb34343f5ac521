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

/** By the numbers that Secrets have in the Registry. */
export interface Placeholders {
  /** Makes one if there is none. The rule that has found a Secret first names it for good. */
  readonly expect: (number: number, secret: string, rule: string) => void
  /** Those that are expected; 0 for any other. */
  readonly lengthOf: (number: number) => number
  readonly of: (number: number) => string
  /** Gives where it ends. */
  readonly copy: (number: number, to: Uint16Array, at: number) => number
}

export function openPlaceholders(tagOf: (secret: string) => string): Placeholders {
  // All of them one behind the other, and by numbers where each begins and ends: strings are made when they are asked for.
  let codes = new Uint16Array(1 << 8)
  let length = 0
  let starts = new Int32Array(1 << 6)
  let ends = new Int32Array(1 << 6)
  const strings = new Map<number, string>()
  const write = (text: string): void => {
    for (let at = 0; at < text.length; at++) codes[length++] = text.charCodeAt(at)
  }
  const lengthOf = (number: number): number =>
    number < ends.length ? (ends[number] as number) - (starts[number] as number) : 0
  return {
    expect: (number, secret, rule) => {
      if (number < ends.length && ends[number] !== 0) return
      if (number >= ends.length) {
        starts = grown(starts, new Int32Array(number * GROWTH))
        ends = grown(ends, new Int32Array(number * GROWTH))
      }
      const tag = cleanTag(tagOf(secret))
      if (codes.length - length < LONGEST) codes = grown(codes, new Uint16Array(codes.length * GROWTH))
      starts[number] = length
      write(BEGINNING)
      write(rule)
      codes[length++] = COLON
      write(tag)
      codes[length++] = PLACEHOLDER_CLOSING
      ends[number] = length
    },
    lengthOf,
    of: (number) => {
      const made = strings.get(number) ?? textOfCodes(codes.subarray(starts[number], ends[number]))
      strings.set(number, made)
      return made
    },
    copy: (number, to, at) => {
      const start = starts[number] as number
      const behind = at + lengthOf(number)
      for (let index = at; index < behind; index++) to[index] = codes[start + index - at] as number
      return behind
    },
  }
}

const LONGEST = 128
const GROWTH = 3

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
