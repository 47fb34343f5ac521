// Strings that are known to be Secrets → all places where they stand. Each is looked for by four characters from its middle,
// since the beginnings of tokens are alike: one step for each character of the text, however many there are.

import { behindPlaceholder, PLACEHOLDER_OPENING } from './placeholder.ts'

export interface Literals {
  readonly size: () => number
  readonly has: (secret: string) => boolean
  /** `whole`: what it is a part of, or itself. The same Placeholder stands for all of it. */
  readonly add: (secret: string, rule: string, whole: string) => void
  /** Where one stands over another of the same, they are told as one. */
  readonly scan: (text: string, onFound: OnLiteral) => void
}

export type OnLiteral = (start: number, end: number, rule: string, whole: string) => void

export const LITERAL_MIN = 4

export function openLiterals(): Literals {
  const known = new Set<string>()
  // They are numbered from 1 on and kept in columns: a text may have tens of thousands, and objects are what costs most.
  const secrets: string[] = ['']
  const rules: string[] = ['']
  const wholes: string[] = ['']
  const anchors: number[] = [0]
  /** Those of one hash are a chain. */
  const nextOf: number[] = [0]
  /** How long the chain is from here. */
  const counts: number[] = [0]
  /** Where each was found last in the text that is walked over; it ends nowhere before it was. */
  const starts: number[] = [0]
  const ends: number[] = [0]
  /** Where the chains begin, and whether one does, which is asked at every step and should fit into a cache. */
  let tables: { readonly firstOf: Uint16Array; readonly mark: Uint8Array } | null = null
  return {
    size: () => known.size,
    has: (secret) => known.has(secret),
    add: (secret, rule, whole) => {
      if (secret.length < LITERAL_MIN || secret.length > LITERAL_MAX || known.size >= COUNT_MAX || known.has(secret))
        return
      // Three megabytes that most never need.
      tables ??= { firstOf: new Uint16Array(1 << BITS), mark: new Uint8Array(1 << BITS) }
      const anchor = anchorOf(secret)
      const hash = hashAt(secret, anchor)
      const next = tables.firstOf[hash] as number
      const count = (counts[next] as number) + 1
      if (count > CHAIN_MAX) return
      known.add(secret)
      tables.mark[hash] = 1
      tables.firstOf[hash] = secrets.push(secret) - 1
      rules.push(rule)
      wholes.push(whole)
      anchors.push(anchor)
      nextOf.push(next)
      counts.push(count)
      starts.push(0)
      ends.push(0)
    },
    scan: (text, onFound) => {
      if (tables === null) return
      const { firstOf, mark } = tables
      const open: number[] = []
      const tell = (one: number): void =>
        onFound(starts[one] as number, ends[one] as number, rules[one] as string, wholes[one] as string)
      const compare = (one: number, index: number): void => {
        const secret = secrets[one] as string
        const start = index - LITERAL_MIN + 1 - (anchors[one] as number)
        const endBefore = ends[one] as number
        if (start < 0 || (endBefore > 0 && start < endBefore - secret.length + passed(secret))) return
        const last = secret.length - 1
        // Nearly all that are none end in another way.
        if (text.charCodeAt(start + last) !== secret.charCodeAt(last)) return
        // `startsWith` goes by single characters, and takes thirty times as long.
        if (text.slice(start, start + secret.length) !== secret) return
        if (endBefore === 0) open.push(one)
        else if (start > endBefore) tell(one)
        if (endBefore === 0 || start > endBefore) starts[one] = start
        ends[one] = start + secret.length
      }
      let hash = 0
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index)
        if (code === PLACEHOLDER_OPENING) index = Math.max(index, behindPlaceholder(text, index) - 1)
        hash = ((hash << 5) ^ code) & MASK
        if (mark[hash] === 0) continue
        for (let one = firstOf[hash] as number; one !== 0; one = nextOf[one] as number) compare(one, index)
      }
      for (const one of open) {
        tell(one)
        ends[one] = 0
      }
    },
  }
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
  for (let index = at; index < at + LITERAL_MIN; index++) hash = ((hash << 5) ^ secret.charCodeAt(index)) & MASK
  return hash
}
