// Strings that are known to be Secrets → all places where they stand. Each is looked for by four characters from its middle,
// since the beginnings of tokens are alike: one step for each character of the text, however many there are.

import type { Coded } from './coded.ts'
import { behindPlaceholder, PLACEHOLDER_CLOSING, PLACEHOLDER_OPENING } from './placeholder.ts'
import { grown } from './view.ts'

export interface Literals {
  readonly size: () => number
  /** By its number in the Registry. */
  readonly has: (number: number) => boolean
  /** It need not be asked again whether it should be one: it is, or the answer was no. */
  readonly isSettled: (number: number) => boolean
  readonly settle: (number: number) => void
  /** `whole`: what it is a part of, or itself. The same Placeholder stands for all of it. */
  readonly add: (secret: string, number: number, rule: string, whole: string) => void
  /** Where one stands over another of the same, they are told as one. */
  readonly scan: (coded: Coded, onFound: OnLiteral) => void
}

export type OnLiteral = (start: number, end: number, rule: string, whole: string) => void

export const LITERAL_MIN = 4

export function openLiterals(): Literals {
  // They are counted from 1 on and kept in columns: a text may have tens of thousands, and objects are what costs most.
  const secrets: string[] = ['']
  const rules: string[] = []
  /** Only of those that are parts. */
  const wholes = new Map<number, string>()
  let fields = new Int32Array(FIELDS * 64)
  /** By numbers of the Registry: whether it is one, or will be none. */
  let states = new Uint8Array(64)
  /** Where the chains begin, and whether one does, which is asked at every step and should fit into a cache. */
  let tables: { readonly firstOf: Uint16Array; readonly mark: Uint8Array } | null = null
  const has = (number: number): boolean => number < states.length && states[number] === IS_LITERAL
  const isSettled = (number: number): boolean => number < states.length && states[number] !== 0
  const setState = (number: number, state: number): void => {
    if (number >= states.length) states = grown(states, new Uint8Array(number * 4))
    states[number] = state
  }
  return {
    size: () => secrets.length - 1,
    has,
    isSettled,
    settle: (number) => {
      if (!isSettled(number)) setState(number, SETTLED)
    },
    add: (secret, number, rule, whole) => {
      if (secret.length < LITERAL_MIN || secret.length > LITERAL_MAX || secrets.length > COUNT_MAX || has(number))
        return
      // Three megabytes that most never need.
      tables ??= { firstOf: new Uint16Array(1 << BITS), mark: new Uint8Array(1 << BITS) }
      const anchor = anchorOf(secret)
      const hash = hashAt(secret, anchor)
      const next = tables.firstOf[hash] as number
      const count = (fields[next * FIELDS + COUNT] as number) + 1
      if (count > CHAIN_MAX) return
      setState(number, IS_LITERAL)
      tables.mark[hash] = 1
      const one = secrets.push(secret) - 1
      if (whole !== secret) wholes.set(one, whole)
      tables.firstOf[hash] = one
      const at = one * FIELDS
      if (at === fields.length) fields = grown(fields, new Int32Array(at * 4))
      fields[at + ANCHOR] = anchor
      fields[at + BEFORE] = secret.charCodeAt(Math.max(0, anchor - 1))
      fields[at + LAST_AT] = secret.length - 1
      fields[at + LAST] = secret.charCodeAt(secret.length - 1)
      fields[at + NEXT] = next
      fields[at + COUNT] = count
      fields[at + RULE] = rules.includes(rule) ? rules.indexOf(rule) : rules.push(rule) - 1
    },
    scan: ({ text, codes }, onFound) => {
      if (tables === null) return
      const { firstOf, mark } = tables
      const { length } = text
      const open: number[] = []
      const tell = (one: number, at: number): void => {
        const rule = rules[fields[at + RULE] as number] as string
        onFound(
          fields[at + START] as number,
          fields[at + END] as number,
          rule,
          wholes.get(one) ?? (secrets[one] as string),
        )
      }
      const compare = (one: number, start: number): void => {
        const at = one * FIELDS
        const secret = secrets[one] as string
        const endBefore = fields[at + END] as number
        if (endBefore > 0 && start < endBefore - secret.length + passed(secret)) return
        if (!isSameEnd(codes, start, secret)) return
        const moved = start - (endBefore - secret.length)
        if (endBefore > start) {
          // It would stand over where it was found before: that is so when it repeats itself, and what is new is the same.
          if (fields[at + PERIOD] !== moved && !isPeriod(secret, moved)) return
          fields[at + PERIOD] = moved
          if (!isSame(codes, start, secret, secret.length - moved)) return
        } else if (!isWhole(text, codes, start, secret)) return
        if (endBefore === 0) open.push(one)
        else if (start > endBefore) tell(one, at)
        if (endBefore === 0 || start > endBefore) fields[at + START] = start
        fields[at + END] = start + secret.length
      }
      const known = fields
      let hash = 0
      for (let index = 0; index < length; index++) {
        const code = codes[index] as number
        if (code === PLACEHOLDER_OPENING) index = Math.max(index, behindPlaceholder(text, index) - 1)
        hash = nextHash(hash, code)
        if (mark[hash] === 0) continue
        for (let one = firstOf[hash] as number; one !== 0; one = known[one * FIELDS + NEXT] as number) {
          const start = index - LITERAL_MIN + 1 - (known[one * FIELDS + ANCHOR] as number)
          const last = start + (known[one * FIELDS + LAST_AT] as number)
          if (start < 0 || last >= length) continue
          // Nearly all that are none end in another way, or differ right before the four characters.
          if (codes[last] !== known[one * FIELDS + LAST]) continue
          if (codes[Math.max(start, index - LITERAL_MIN)] === known[one * FIELDS + BEFORE]) compare(one, start)
        }
      }
      for (const one of open) {
        tell(one, one * FIELDS)
        fields[one * FIELDS + END] = 0
      }
    },
  }
}

const IS_LITERAL = 1
const SETTLED = 2

/** Of each: where its four characters stand, and the chain of those of one hash: the next one, and how long it is from here. */
const ANCHOR = 0
const NEXT = 1
const COUNT = 2
/** Where it was found last in the text that is walked over; it ends nowhere before it was. */
const START = 3
const END = 4
const RULE = 5
/** What it repeats itself by, as far as that was asked for. */
const PERIOD = 6
/** Its last character, and where in it that stands. */
const LAST_AT = 7
const LAST = 8
/** The one before its four characters, or the first of them when they begin it. */
const BEFORE = 9
const FIELDS = 10

function isSameEnd(codes: Uint16Array, start: number, secret: string): boolean {
  const least = Math.max(0, secret.length - END_COMPARED)
  for (let index = secret.length - 1; index >= least; index--)
    if (codes[start + index] !== secret.charCodeAt(index)) return false
  return true
}

const END_COMPARED = 16

function isPeriod(secret: string, period: number): boolean {
  return secret.slice(period) === secret.slice(0, secret.length - period)
}

function isSame(codes: Uint16Array, start: number, secret: string, from: number): boolean {
  for (let index = from; index < secret.length; index++)
    if (codes[start + index] !== secret.charCodeAt(index)) return false
  return true
}

/** Long ones are compared at once; `startsWith` goes by single characters, and takes thirty times as long. */
function isWhole(text: string, codes: Uint16Array, start: number, secret: string): boolean {
  if (secret.length <= LONG) return isSame(codes, start, secret, 0)
  return text.slice(start, start + secret.length) === secret
}

/** Of what repeats itself not every repetition is compared. */
function passed(secret: string): number {
  return secret.length >> 3
}

const BITS = 20
const MASK = (1 << BITS) - 1
const LITERAL_MAX = 10_000
/** Numbers have sixteen bits. */
const COUNT_MAX = 50_000
const CHAIN_MAX = 64
const LONG = 64

/**
 * Where the four characters stand. Those of a long literal stand in no other place of it, if it has such: a text full of
 * what it repeats would be compared with it at every step.
 */
function anchorOf(secret: string): number {
  const middle = (secret.length - LITERAL_MIN) >> 1
  if (secret.length <= LONG) return middle
  const isPlace = (at: number): boolean => at >= 0 && at <= secret.length - LITERAL_MIN
  const times = new Map<number, number>()
  for (let at = 0; at <= secret.length - LITERAL_MIN; at++) {
    const hash = hashAt(secret, at)
    times.set(hash, (times.get(hash) ?? 0) + 1)
  }
  for (let away = 0; away <= middle + 1; away++)
    for (const at of [middle - away, middle + away]) if (isPlace(at) && times.get(hashAt(secret, at)) === 1) return at
  return middle
}

function hashAt(secret: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + LITERAL_MIN; index++) hash = nextHash(hash, secret.charCodeAt(index))
  return hash
}

/** What four characters leave behind. It begins anew with a Placeholder, since a text may be full of them. */
function nextHash(hash: number, code: number): number {
  return code === PLACEHOLDER_OPENING || code === PLACEHOLDER_CLOSING ? 0 : ((hash << 5) ^ code) & MASK
}
