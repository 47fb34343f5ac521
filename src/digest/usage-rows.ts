// API messages → rows: gathered by day, project, model or the like, added up, and priced. A row keeps its messages, so
// that every number in it can be explained.

import type { Usage } from '../record/model.ts'
import type { PriceTable } from './prices.ts'
import type { Calendar } from './usage-calendar.ts'
import { monthOf, weekOf } from './usage-calendar.ts'
import type { CountedMessage } from './usage-fold.ts'
import { agentOf, sessionOf } from './usage-fold.ts'
import type { PricedTokens, Tally, UsageCounts } from './usage-sums.ts'
import {
  addMessage,
  addTally,
  countsOf,
  NO_MODEL,
  nameOf,
  newTally,
  pricedTokens,
  sumOf,
  tokensOf,
} from './usage-sums.ts'

export const USAGE_BY = ['day', 'week', 'month', 'project', 'session', 'model', 'agent'] as const

export type UsageBy = (typeof USAGE_BY)[number]

export interface UsageRow extends UsageCounts {
  /** Null for the total. */
  readonly key: string | null
  readonly usage: Usage
  /** Null as soon as something has no price: a sum that leaves tokens out is no sum. */
  readonly costUsd: number | null
  /** What has a price, added up. */
  readonly pricedCostUsd: number
  readonly unpricedModels: readonly string[]
  readonly models: readonly string[]
  readonly priced: readonly PricedTokens[]
  readonly members: readonly CountedMessage[]
}

export interface UsageTable {
  readonly rows: readonly UsageRow[]
  readonly total: UsageRow
}

const NO_TIME = 'no time'
const MAIN_AGENT = 'main'
const UNKNOWN_AGENT = 'subagent'

export function usageTable(
  messages: readonly CountedMessage[],
  by: UsageBy,
  calendar: Calendar,
  prices: PriceTable,
): UsageTable {
  const keyOf = keyer(by, calendar)
  const groups = new Map<string, Group>()
  let lastKey: string | null = null
  let group: Group | undefined
  for (const message of messages) {
    const key = keyOf(message)
    // One message follows the other, mostly in the same row.
    if (key !== lastKey) group = groups.get(key)
    lastKey = key
    if (group === undefined) {
      group = { members: [], tally: newTally() }
      groups.set(key, group)
    }
    group.members.push(message)
    addMessage(group.tally, message, prices)
  }
  const whole = newTally()
  for (const { tally } of groups.values()) addTally(whole, tally)
  const rows = Array.from(groups, ([key, { members, tally }]) => rowOf(key, members, tally, prices))
  const isByTime = by === 'day' || by === 'week' || by === 'month'
  rows.sort(isByTime ? byKey : byCost)
  return { rows, total: rowOf(null, messages, whole, prices) }
}

interface Group {
  readonly members: CountedMessage[]
  readonly tally: Tally
}

function keyer(by: UsageBy, calendar: Calendar): (message: CountedMessage) => string {
  switch (by) {
    case 'project':
      return ({ source }) => source.projectKey
    case 'session':
      return sessionOf
    case 'model':
      return ({ folded }) => folded.model ?? NO_MODEL
    case 'agent':
      return (message) => (agentOf(message) === null ? MAIN_AGENT : (message.folded.agentType ?? UNKNOWN_AGENT))
    default: {
      const unit = by === 'week' ? weekOf : by === 'month' ? monthOf : (day: string) => day
      return ({ folded: { timestampMs } }) => (timestampMs === null ? NO_TIME : unit(calendar.dayOf(timestampMs)))
    }
  }
}

function byKey(one: UsageRow, other: UsageRow): number {
  return (one.key ?? '') < (other.key ?? '') ? -1 : 1
}

/** The dearest first; what has no price by its tokens. */
function byCost(one: UsageRow, other: UsageRow): number {
  return other.pricedCostUsd - one.pricedCostUsd || tokensOf(other.usage) - tokensOf(one.usage) || byKey(one, other)
}

function rowOf(key: string | null, members: readonly CountedMessage[], tally: Tally, prices: PriceTable): UsageRow {
  const priced = pricedTokens(tally, prices)
  const unpriced = priced.filter(({ costUsd }) => costUsd === null)
  const pricedCostUsd = priced.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  return {
    key,
    ...countsOf(tally),
    usage: sumOf(priced.map(({ usage }) => usage)),
    costUsd: unpriced.length === 0 ? pricedCostUsd : null,
    pricedCostUsd,
    unpricedModels: unpriced.map(nameOf),
    models: [...new Set(priced.map(({ model }) => model))],
    priced,
    members,
  }
}
