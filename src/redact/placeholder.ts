// What stands in place of a Secret, and how it is told from everything else.

/** Places of Placeholders in a text. They are never redacted again. */
export function placeholdersIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes(OPENING)) return []
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
}

export function isPlaceholder(text: string): boolean {
  const [first] = placeholdersIn(text)
  return first !== undefined && first.start === 0 && first.end === text.length
}

export interface Placeholders {
  /** The rule that has found a Secret first names it for good. */
  readonly of: (secret: string, rule: string) => string
}

export function openPlaceholders(tagOf: (secret: string) => string): Placeholders {
  const known = new Map<string, string>()
  return {
    of: (secret, rule) => {
      const before = known.get(secret)
      if (before !== undefined) return before
      const tag = tagOf(secret)
        .toLowerCase()
        .replace(/[^0-9a-z]/g, '')
        .slice(0, 16)
      const placeholder = `${OPENING}secret:${rule}:${tag === '' ? '0' : tag}${CLOSING}`
      if (known.size < KNOWN_MAX) known.set(secret, placeholder)
      return placeholder
    },
  }
}

/** Secrets in the order in which they are met: 1, 2, 3, … */
export function numberTags(): (secret: string) => string {
  const numbers = new Map<string, number>()
  return (secret) => {
    const number = numbers.get(secret) ?? numbers.size + 1
    numbers.set(secret, number)
    return String(number)
  }
}

const OPENING = '⟦'
const CLOSING = '⟧'
const PLACEHOLDER = /⟦secret:[a-z0-9-]{1,40}:[0-9a-z]{1,16}⟧/g
const KNOWN_MAX = 100_000
