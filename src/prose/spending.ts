// Tokens and dollars: what a call may come to, what it came to, and whether there is enough left for the next.

import type { Ask, Price, ProseOptions, Route, Spending } from './model.ts'
import { ProseError } from './prose-error.ts'
import { tokensOf } from './tokens.ts'

export const NOTHING: Spending = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }

export function addSpending(one: Spending, other: Spending): Spending {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd,
  }
}

/** Null: nobody knows. A model on this machine costs nothing. */
export function priceOfRoute({ route, priceOf }: Pick<ProseOptions, 'route' | 'priceOf'>): Price | null {
  return priceOf(route.pricedAs) ?? (route.isLocal ? { inputPerMillion: 0, outputPerMillion: 0 } : null)
}

/** At most: an answer rarely is as long as it may be. */
export function expectedSpending(ask: Pick<Ask, 'system' | 'prompt'>, route: Route, price: Price | null): Spending {
  const inputTokens = tokensOf(ask.system) + tokensOf(ask.prompt) + route.overheadTokens
  return spendingOf(inputTokens, route.answerTokensMax, price)
}

export function spendingOf(inputTokens: number, outputTokens: number, price: Price | null): Spending {
  const costUsd =
    price === null ? null : (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1e6
  return { calls: 1, inputTokens, outputTokens, costUsd }
}

export interface Limits {
  readonly maxCostUsd: number
  readonly maxTokens: number | null
}

/** Why this would be too much; null when it is not. */
export function excessOf({ inputTokens, outputTokens, costUsd }: Spending, limits: Limits): string | null {
  const tokens = inputTokens + outputTokens
  const { maxCostUsd, maxTokens } = limits
  if (maxTokens !== null && tokens > maxTokens) {
    return `it could take ${tokens} tokens, and ${maxTokens} are allowed`
  }
  if (costUsd === null && maxTokens === null) {
    return 'the price of this model is not known, so its cost cannot be capped: set a limit of tokens, or give a price'
  }
  if (costUsd !== null && costUsd > maxCostUsd) {
    return `it could cost ${dollars(costUsd)}, and ${dollars(maxCostUsd)} are allowed`
  }
  return null
}

function dollars(amount: number): string {
  return `$${amount >= 0.1 ? amount.toFixed(2) : amount.toPrecision(2)}`
}

export interface Budget {
  /** Throws where the cap would be passed. What it gives back is to be settled when the call is over. */
  readonly reserve: (expected: Spending) => Reservation
  /** What is left in dollars, this reservation included. */
  readonly leftUsd: () => number
}

export interface Reservation {
  /** What it came to; null where nobody knows, and then it counts as what was expected. */
  readonly settle: (real: Spending | null) => void
}

/** Calls run side by side, so what is under way counts as if it were spent. */
export function openBudget(limits: Limits): Budget {
  let taken = NOTHING
  return {
    leftUsd: () => Math.max(0, limits.maxCostUsd - (taken.costUsd ?? 0)),
    reserve: (expected) => {
      const excess = excessOf(addSpending(taken, expected), limits)
      if (excess !== null) throw new ProseError('stopped', `the limit is reached: ${excess}`)
      taken = addSpending(taken, expected)
      return {
        settle: (real) => {
          if (real !== null) taken = addSpending(subtract(taken, expected), real)
        },
      }
    },
  }
}

function subtract(one: Spending, other: Spending): Spending {
  return {
    calls: one.calls - other.calls,
    inputTokens: one.inputTokens - other.inputTokens,
    outputTokens: one.outputTokens - other.outputTokens,
    costUsd: one.costUsd === null || other.costUsd === null ? null : one.costUsd - other.costUsd,
  }
}
