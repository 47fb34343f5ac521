// Some Secrets come in pairs, and the second one has no form of its own: it is looked for beside the first.

import { entropyOf } from './entropy.ts'
import { isMadeUp } from './harmless.ts'
import type { Span } from './span.ts'

export interface Neighbours {
  readonly of: (span: Span) => readonly Span[]
}

export function neighboursIn(text: string): Neighbours {
  let searchedTo = 0
  return {
    of: (span) => {
      if (!(span.rule in PAIRS) || span.end + REACH / 2 < searchedTo) return []
      const from = Math.max(searchedTo - SECRET_MAX, span.start - REACH, 0)
      searchedTo = span.end + REACH
      return besides(text, span, from)
    },
  }
}

function besides(text: string, span: Span, from: number): readonly Span[] {
  const pair = PAIRS[span.rule]
  if (pair === undefined) return []
  const around = text.slice(from, span.end + REACH)
  const found: Span[] = []
  for (const match of around.matchAll(pair.pattern)) {
    const secret = match[0]
    const start = from + match.index
    if (start < span.end && start + secret.length > span.start) continue
    if (entropyOf(secret) < pair.entropyMin || isMadeUp(secret)) continue
    found.push({ start, end: start + secret.length, rule: pair.rule, secret, rank: 1 })
  }
  return found
}

const REACH = 300
const SECRET_MAX = 40

const PAIRS: Readonly<
  Record<string, { readonly rule: string; readonly pattern: RegExp; readonly entropyMin: number }>
> = {
  'aws-access-key': {
    rule: 'aws-secret-key',
    pattern:
      /(?<![A-Za-z0-9+/])(?=[A-Za-z+/]{0,39}\d)(?=[A-Z0-9+/]{0,39}[a-z])(?=[a-z0-9+/]{0,39}[A-Z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g,
    entropyMin: 4,
  },
  'twilio-account': {
    rule: 'twilio-auth-token',
    pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}(?![A-Za-z0-9])/g,
    entropyMin: 3,
  },
}
