// Secrets that were found become literals: the same string is a Secret everywhere, also where nothing around it says so.

import { isWordy } from './harmless.ts'
import type { Literals } from './literals.ts'
import type { Registry } from './registry.ts'
import type { Span } from './span.ts'

/** Gives its number in the Registry. */
export function remember({ secret, rule }: Pick<Span, 'secret' | 'rule'>, { literals, registry }: Memory): number {
  const number = registry.numberOf(secret)
  const isKey = rule === 'private-key'
  if (isKey ? literals.has(number) : literals.isSettled(number)) return number
  if (isKey) rememberLines(secret, rule, { literals, registry })
  if (isTelling(secret)) literals.add(secret, number, rule, secret)
  literals.settle(number)
  return number
}

export interface Memory {
  readonly literals: Literals
  readonly registry: Registry
}

/** Short ones, words and numbers stand in many places by chance. What stands in for a Secret was left out before. */
function isTelling(secret: string): boolean {
  if (secret.length < SHORTEST || isWordy(secret)) return false
  return secret.length >= LONG || MIXED.test(secret)
}

const MIXED = /[A-Za-z].*\d|\d.*[A-Za-z]|[^A-Za-z0-9]/

const SHORTEST = 6
const LONG = 12

/** A diff or an excerpt may show a part of a key: each line of it is as secret as the whole. */
function rememberLines(block: string, rule: string, { literals, registry }: Memory): void {
  for (const [line] of block.matchAll(/[A-Za-z0-9+/=]{32,}/g)) literals.add(line, registry.numberOf(line), rule, block)
}
