// Tokens and what they cost.

/** GET /api/usage?by=day|week|month|project|session|model|agent&since=&until=&project= */
export interface UsageAnswer {
  readonly by: string
  readonly rows: readonly UsageRow[]
  readonly total: UsageRow
  /** Rows that are not sent along because there are so many; the total has them. */
  readonly rowsLeft: number
  readonly notes: readonly string[]
  readonly priceDate: string
  readonly priceSource: string
  readonly timeZone: string
}

export interface UsageRow {
  readonly key: string
  /** A title for a session, a path for a project. */
  readonly label: string
  readonly messages: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Null as soon as something has no price. */
  readonly costUsd: number | null
  /** What has a price, added up. */
  readonly pricedCostUsd: number
  /** Messages whose output tokens are known only in part. */
  readonly partialMessages: number
  readonly sessions: number
  readonly models: readonly string[]
  /** By model and rate, one line of the bill each. */
  readonly parts: readonly UsagePart[]
}

export interface UsagePart {
  readonly model: string
  readonly tokens: number
  readonly costUsd: number | null
}

/** GET /api/usage/explain?by=…&key=…: from the raw records to the price, one line each. Without a key, of the total. */
export interface UsageExplained {
  readonly row: UsageRow
  readonly lines: readonly string[]
  readonly isCut: boolean
}
