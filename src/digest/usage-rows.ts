// A ledger of API messages → rows: gathered by day, project, model or the like, added up, and priced. A row keeps which
// messages it is made of, so that every number in it can be explained.

import type { Usage } from '../record/model.ts'
import type { PriceTable } from './prices.ts'
import type { Calendar } from './usage-calendar.ts'
import { monthOf, weekOf } from './usage-calendar.ts'
import type { CountedMessage } from './usage-fold.ts'
import type { UsageLedger, UsagePlace } from './usage-ledger.ts'
import { ledgerOf } from './usage-ledger.ts'
import type { PricedTokens, Tally, UsageCounts } from './usage-sums.ts'
import { addLine, addTally, countsOf, NO_MODEL, nameOf, newTally, pricedTokens, sumOf, tokensOf } from './usage-sums.ts'

export const USAGE_BY = ['day', 'week', 'month', 'project', 'session', 'model', 'agent'] as const

export type UsageBy = (typeof USAGE_BY)[number]

export const USAGE_BY_TIME: ReadonlySet<UsageBy> = new Set(['day', 'week', 'month'])

/** What a row says. */
export interface UsageAmounts extends UsageCounts {
  /** Null for the total. */
  readonly key: string | null
  /** Of its first message. */
  readonly projectKey: string | null
  readonly usage: Usage
  /** Null as soon as something has no price: a sum that leaves tokens out is no sum. */
  readonly costUsd: number | null
  /** What has a price, added up. */
  readonly pricedCostUsd: number
  readonly unpricedModels: readonly string[]
  readonly models: readonly string[]
  readonly priced: readonly PricedTokens[]
}

export interface UsageRow extends UsageAmounts {
  readonly members: readonly CountedMessage[]
}

/** A row of a ledger; its members are numbers of lines. */
export interface LedgerRow extends UsageAmounts {
  readonly members: readonly number[]
}

export interface UsageTable {
  readonly rows: readonly UsageRow[]
  readonly total: UsageRow
}

export interface LedgerTable {
  readonly rows: readonly LedgerRow[]
  readonly total: LedgerRow
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
  const { rows, total } = ledgerTable(ledgerOf(messages), null, by, calendar, prices)
  return { rows: rows.map((row) => rowWith(row, messages)), total: rowWith(total, messages) }
}

/** Of a ledger with a line for each message. */
export function rowWith(row: LedgerRow, messages: readonly CountedMessage[]): UsageRow {
  return { ...row, members: row.members.map((line) => messages[line] as CountedMessage) }
}

/** Of these lines; null for all. */
export function ledgerTable(
  ledger: UsageLedger,
  chosen: readonly number[] | null,
  by: UsageBy,
  calendar: Calendar,
  prices: PriceTable,
): LedgerTable {
  const keyOf = keyer(ledger, by, calendar)
  const groups = new Map<string, Group>()
  const members = chosen ?? [...ledger.placeOf.keys()]
  let lastKey: string | null = null
  let group: Group | undefined
  for (const line of members) {
    const key = keyOf(line)
    // One line follows the other, mostly in the same row.
    if (key !== lastKey) group = groups.get(key)
    lastKey = key
    if (group === undefined) {
      group = { members: [], tally: newTally() }
      groups.set(key, group)
    }
    group.members.push(line)
    addLine(group.tally, ledger, line, prices)
  }
  const whole = newTally()
  for (const { tally } of groups.values()) addTally(whole, tally)
  const rows = Array.from(groups, ([key, { members: own, tally }]) => rowOf(key, own, tally, ledger, prices))
  rows.sort(USAGE_BY_TIME.has(by) ? byKey : byCost)
  return { rows, total: rowOf(null, members, whole, ledger, prices) }
}

interface Group {
  readonly members: number[]
  readonly tally: Tally
}

function keyer({ places, placeOf, firstMs }: UsageLedger, by: UsageBy, calendar: Calendar): (line: number) => string {
  if (by === 'day' || by === 'week' || by === 'month') {
    const unit = by === 'week' ? weekOf : by === 'month' ? monthOf : (day: string) => day
    return (line) => {
      const time = firstMs[line] as number
      return Number.isNaN(time) ? NO_TIME : unit(calendar.dayOf(time))
    }
  }
  const keys = places.map((place) => placeKey(place, by))
  return (line) => keys[placeOf[line] as number] as string
}

function placeKey(place: UsagePlace, by: 'project' | 'session' | 'model' | 'agent'): string {
  switch (by) {
    case 'project':
      return place.projectKey
    case 'session':
      return place.session
    case 'model':
      return place.model ?? NO_MODEL
    default:
      return place.agent === null ? MAIN_AGENT : (place.agentType ?? UNKNOWN_AGENT)
  }
}

function byKey(one: UsageAmounts, other: UsageAmounts): number {
  return (one.key ?? '') < (other.key ?? '') ? -1 : 1
}

/** The dearest first; what has no price by its tokens. */
function byCost(one: UsageAmounts, other: UsageAmounts): number {
  return other.pricedCostUsd - one.pricedCostUsd || tokensOf(other.usage) - tokensOf(one.usage) || byKey(one, other)
}

function rowOf(
  key: string | null,
  members: readonly number[],
  tally: Tally,
  ledger: UsageLedger,
  prices: PriceTable,
): LedgerRow {
  const priced = pricedTokens(tally, prices)
  const unpriced = priced.filter(({ costUsd }) => costUsd === null)
  const pricedCostUsd = priced.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
  const place = ledger.places[ledger.placeOf[members[0] ?? -1] ?? -1]
  return {
    key,
    projectKey: place?.projectKey ?? null,
    ...countsOf(tally, ledger),
    usage: sumOf(priced.map(({ usage }) => usage)),
    costUsd: unpriced.length === 0 ? pricedCostUsd : null,
    pricedCostUsd,
    unpricedModels: unpriced.map(nameOf),
    models: [...new Set(priced.map(({ model }) => model))],
    priced,
    members,
  }
}
