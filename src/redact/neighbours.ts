// Some Secrets come in pairs, and the second one has no form of its own: it is looked for beside the first.

import { entropyOf } from './entropy.ts'
import { isMadeUp } from './harmless.ts'
import type { Span } from './span.ts'

export interface Neighbours {
  readonly addTo: (spans: Span[], span: Span) => void
}

export function neighboursIn(text: string): Neighbours {
  let searchedTo = 0
  return {
    addTo: (spans, span) => {
      const pair = PAIRS.get(span.rule)
      if (pair === undefined || span.end + REACH / 2 < searchedTo) return
      const from = Math.max(searchedTo - SECRET_MAX, span.start - REACH, 0)
      searchedTo = span.end + REACH
      addBesides(spans, text, span, from, pair)
    },
  }
}

/**
 * By hand, because a text may be full of first ones: what stands apart and has the length of a second one. It is looked at
 * from its end, so that most of what is too short is stepped over.
 */
function addBesides(spans: Span[], text: string, span: Span, from: number, pair: Pair): void {
  const limit = Math.min(text.length, span.end + REACH)
  for (let start = from; start + pair.length <= limit; ) {
    let at = start + pair.length - 1
    while (at >= start && isLetter(pair, text.charCodeAt(at))) at--
    if (at >= start) {
      start = at + 1
      continue
    }
    let end = start + pair.length
    while (end < limit && isLetter(pair, text.charCodeAt(end))) end++
    const isOther = end <= span.start || start >= span.end
    if (end - start === pair.length && isOther && (end === limit || text.charCodeAt(end) !== EQUALS)) {
      const secret = text.slice(start, end)
      if (pair.form.test(secret) && entropyOf(secret) >= pair.entropyMin && !isMadeUp(secret))
        spans.push({ start, end, rule: pair.rule, secret, rank: 1 })
    }
    start = end + 1
  }
}

function isLetter(pair: Pair, code: number): boolean {
  return code < 128 && pair.letters[code] === 1
}

const REACH = 300
const SECRET_MAX = 40
const EQUALS = 0x3d

interface Pair {
  readonly rule: string
  readonly letters: Uint8Array
  readonly length: number
  readonly form: RegExp
  readonly entropyMin: number
}

const PAIRS: ReadonlyMap<string, Pair> = new Map([
  [
    'aws-access-key',
    {
      rule: 'aws-secret-key',
      letters: lettersAnd('+/'),
      length: 40,
      form: /^(?=.*\d)(?=.*[a-z]).*[A-Z]/,
      entropyMin: 4,
    },
  ],
  [
    'twilio-account',
    { rule: 'twilio-auth-token', letters: lettersAnd(''), length: 32, form: /^[a-f0-9]{32}$/, entropyMin: 2.7 },
  ],
])

function lettersAnd(others: string): Uint8Array {
  const table = new Uint8Array(128)
  for (const character of `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${others}`)
    table[character.charCodeAt(0)] = 1
  return table
}
