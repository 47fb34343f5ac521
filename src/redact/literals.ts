// Strings that are known to be Secrets → all places where they stand. Each is looked for by four characters from its middle,
// since the beginnings of tokens are alike: one step for each character of the text, however many there are.

import { behindPlaceholder, PLACEHOLDER_OPENING } from './placeholder.ts'

export interface Literal {
  readonly secret: string
  readonly rule: string
  /** What it is a part of, or itself: the same Placeholder stands for all of it. */
  readonly whole: string
}

export interface Literals {
  readonly size: () => number
  readonly has: (secret: string) => boolean
  readonly add: (literal: Literal) => void
  /** Where one stands over another of the same, they are told as one. */
  readonly scan: (text: string, onFound: (start: number, end: number, literal: Literal) => void) => void
}

export const LITERAL_MIN = 4

export function openLiterals(): Literals {
  const known = new Set<string>()
  // A megabyte that most never need.
  let mark: Uint8Array | null = null
  /** Those of one hash are a chain. */
  const chains = new Map<number, Chained>()
  return {
    size: () => known.size,
    has: (secret) => known.has(secret),
    add: (literal) => {
      const { secret } = literal
      if (secret.length < LITERAL_MIN || secret.length > LITERAL_MAX || known.size >= COUNT_MAX || known.has(secret))
        return
      const anchor = anchorOf(secret)
      const hash = hashAt(secret, anchor)
      const next = chains.get(hash) ?? null
      const count = (next?.count ?? 0) + 1
      if (count > CHAIN_MAX) return
      chains.set(hash, { literal, anchor, count, next })
      known.add(secret)
      mark ??= new Uint8Array(1 << BITS)
      mark[hash] = 1
    },
    scan: (text, onFound) => {
      if (mark === null) return
      const open = new Map<Literal, { readonly start: number; end: number }>()
      const compare = ({ literal, anchor }: Chained, index: number): void => {
        const { secret } = literal
        const start = index - LITERAL_MIN + 1 - anchor
        const before = open.get(literal)
        if (start < 0 || (before !== undefined && start < before.end - secret.length + passed(secret))) return
        if (!text.startsWith(secret, start)) return
        const end = start + secret.length
        if (before !== undefined && start <= before.end) before.end = end
        else {
          if (before !== undefined) onFound(before.start, before.end, literal)
          open.set(literal, { start, end })
        }
      }
      let hash = 0
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index)
        if (code === PLACEHOLDER_OPENING) index = Math.max(index, behindPlaceholder(text, index) - 1)
        hash = ((hash << 5) ^ code) & MASK
        if (mark[hash] === 0) continue
        for (let one = chains.get(hash) ?? null; one !== null; one = one.next) compare(one, index)
      }
      for (const [literal, { start, end }] of open) onFound(start, end, literal)
    },
  }
}

interface Chained {
  readonly literal: Literal
  readonly anchor: number
  /** How long the chain is from here. */
  readonly count: number
  readonly next: Chained | null
}

/** Of what repeats itself not every repetition is compared. */
function passed(secret: string): number {
  return secret.length >> 3
}

const BITS = 20
const MASK = (1 << BITS) - 1
const LITERAL_MAX = 10_000
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
