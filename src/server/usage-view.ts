import type { UsageAmounts } from '../digest/usage-rows.ts'
import { nameOf, tokensOf } from '../digest/usage-sums.ts'
import { exact } from '../render/usage.ts'
import type { UsageRow as UsageRowView } from './api/usage.ts'

/** A row of the accounts as the browser gets it; the same numbers that `clew usage --json` prints. */
export function usageRowView(row: UsageAmounts, labelOf: (key: string) => string): UsageRowView {
  const { usage } = row
  return {
    key: row.key ?? '',
    label: row.key === null ? 'total' : labelOf(row.key),
    messages: row.messages,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadTokens: usage.cacheReadTokens,
    cacheWrite5mTokens: usage.cacheWriteTokens - usage.cacheWrite1hTokens,
    cacheWrite1hTokens: usage.cacheWrite1hTokens,
    costUsd: row.costUsd === null ? null : exact(row.costUsd),
    pricedCostUsd: exact(row.pricedCostUsd),
    partialMessages: row.partialMessages,
    sessions: row.sessions,
    models: row.models,
    parts: row.priced.map((priced) => ({
      model: nameOf(priced),
      tokens: tokensOf(priced.usage),
      costUsd: priced.costUsd === null ? null : exact(priced.costUsd),
    })),
  }
}
