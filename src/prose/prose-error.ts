// Why a call came to nothing, in one line that says what to do next.

import { excerpt } from '../base/text.ts'

/**
 * `setup`: no call can succeed until the user changes something, so no other is tried. `passing`: it may succeed in a
 * moment. `lasting`: this one call cannot. `stopped`: somebody wanted it so.
 */
export type ProseErrorKind = 'setup' | 'passing' | 'lasting' | 'stopped'

export interface ProseErrorFacts {
  /** How long the server asks us to wait. */
  readonly retryAfterMs?: number | null
  /** A model may have worked for it, and somebody may have to pay. */
  readonly isCharged?: boolean
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number | null
}

export class ProseError extends Error {
  readonly kind: ProseErrorKind
  readonly facts: ProseErrorFacts

  constructor(kind: ProseErrorKind, message: string, facts: ProseErrorFacts = {}) {
    super(oneLine(message))
    this.name = 'ProseError'
    this.kind = kind
    this.facts = facts
  }
}

const LENGTH_MAX = 300

/** A server's own words may be a page of HTML, or hold what a terminal must not see. */
export function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return plain.length > LENGTH_MAX ? `${excerpt(plain, LENGTH_MAX - 1)}…` : plain
}

/** What an HTTP status means for the next attempt. */
export function statusError(status: number, said: string, retryAfter: string | null, advice: string): ProseError {
  const told = said === '' ? `status ${status}` : `status ${status}: ${said}`
  if (status === 401 || status === 403)
    return new ProseError('setup', `the model's server refused the key (${told}). ${advice}`)
  if (status === 404)
    return new ProseError('setup', `the model's server has no such model or address (${told}). ${advice}`)
  if (status === 429 || status === 408 || status === 409 || status >= 500) {
    const why = status === 429 ? 'is asked too often' : 'is not well'
    return new ProseError('passing', `the model's server ${why} (${told}). Try again later`, {
      retryAfterMs: retryAfterMs(retryAfter, Date.now()),
    })
  }
  return new ProseError('lasting', `the model's server did not accept the request (${told})`)
}

/** Seconds, or a date. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const waitMs = /[a-z]/i.test(header) ? Date.parse(header) - nowMs : Number(header) * 1000
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : null
}
