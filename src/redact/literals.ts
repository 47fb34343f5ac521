// Strings that are known to be Secrets → all places where they stand. Each is looked for by four characters from its middle,
// since the beginnings of tokens are alike: one step for each character of the text, however many there are.

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
  const buckets = new Map<number, Literal[]>()
  return {
    size: () => known.size,
    has: (secret) => known.has(secret),
    add: (literal) => {
      const { secret } = literal
      if (secret.length < LITERAL_MIN || secret.length > LITERAL_MAX || known.size >= COUNT_MAX || known.has(secret))
        return
      const hash = hashAt(secret, anchorOf(secret))
      const bucket = buckets.get(hash)
      if (bucket === undefined) buckets.set(hash, [literal])
      else if (bucket.length >= BUCKET_MAX) return
      else bucket.push(literal)
      known.add(secret)
      mark ??= new Uint8Array(1 << BITS)
      mark[hash] = 1
    },
    scan: (text, onFound) => {
      if (mark === null) return
      const open = new Map<Literal, { readonly start: number; end: number }>()
      /** Of what repeats itself not every repetition is compared. */
      const step = (literal: Literal): number => literal.secret.length - (literal.secret.length >> 3)
      let hash = 0
      for (let index = 0; index < text.length; index++) {
        hash = ((hash << 5) ^ text.charCodeAt(index)) & MASK
        if (mark[hash] === 0) continue
        for (const literal of buckets.get(hash) ?? []) {
          const start = index - LITERAL_MIN + 1 - anchorOf(literal.secret)
          const before = open.get(literal)
          if (start < 0 || (before !== undefined && start < before.end - step(literal))) continue
          if (!text.startsWith(literal.secret, start)) continue
          const end = start + literal.secret.length
          if (before !== undefined && start <= before.end) {
            before.end = end
            continue
          }
          if (before !== undefined) onFound(before.start, before.end, literal)
          open.set(literal, { start, end })
        }
      }
      for (const [literal, { start, end }] of open) onFound(start, end, literal)
    },
  }
}

const BITS = 20
const MASK = (1 << BITS) - 1
const LITERAL_MAX = 10_000
const COUNT_MAX = 50_000
const BUCKET_MAX = 64

function anchorOf(secret: string): number {
  return (secret.length - LITERAL_MIN) >> 1
}

function hashAt(secret: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + LITERAL_MIN; index++) hash = ((hash << 5) ^ secret.charCodeAt(index)) & MASK
  return hash
}
