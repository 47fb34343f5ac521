// A ledger with a line for each message → one with a line for what was used at one place in one quarter of an hour: a tenth
// as long. Days of every time zone, rows by anything and the listed prices come out the same; what a line is too coarse
// for, it says, and then the messages have to be asked.

import type { Usage } from '../record/model.ts'
import type { PriceTable } from './prices.ts'
import { LIST_PRICES, longPromptOf } from './prices.ts'
import type { Calendar } from './usage-calendar.ts'
import type { LedgerColumns, UsageLedger, UsagePlace } from './usage-ledger.ts'
import { newColumns } from './usage-ledger.ts'
import type { UsageRange } from './usage-range.ts'
import { USAGE_BY_TIME, type UsageBy } from './usage-rows.ts'

const QUARTER_MS = 15 * 60_000

const TOKENS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'] as const

/** Null where the order of the sums could be seen in them: only whole numbers add up to the same in any. */
export function rollUp(ledger: UsageLedger): UsageLedger | null {
  if (!isWhole(ledger.tokens)) return null
  const lineOf = new Map<string, number>()
  const lines = Array.from({ length: ledger.count }, (_, line) => {
    const name = lineName(ledger, line)
    const known = lineOf.get(name) ?? lineOf.size
    lineOf.set(name, known)
    return known
  })
  const columns = newColumns(lineOf.size)
  for (const [from, to] of lines.entries()) addLine(columns, to, ledger, from)
  return { ...columns, count: lineOf.size, places: ledger.places, paths: ledger.paths }
}

/** Times that do not lie in an hour of ours stand alone, because clocks were once set by less than a quarter. */
function lineName({ placeOf, places, firstMs, promptMin }: UsageLedger, line: number): string {
  const place = placeOf[line] as number
  const ms = firstMs[line] as number
  const time = ms >= 0 ? `q${Math.floor(ms / QUARTER_MS)}` : String(ms)
  const isLong = (promptMin[line] as number) > longPromptOf(LIST_PRICES, (places[place] as UsagePlace).model)
  return `${place} ${time} ${isLong}`
}

function addLine(to: LedgerColumns, line: number, from: UsageLedger, added: number): void {
  const isFirst = to.messages[line] === 0
  const least = (name: 'firstMs' | 'promptMin'): void => {
    const value = from[name][added] as number
    to[name][line] = isFirst ? value : Math.min(to[name][line] as number, value)
  }
  const most = (name: 'lastMs' | 'promptMax'): void => {
    const value = from[name][added] as number
    to[name][line] = isFirst ? value : Math.max(to[name][line] as number, value)
  }
  least('firstMs')
  least('promptMin')
  most('lastMs')
  most('promptMax')
  to.placeOf[line] = from.placeOf[added] as number
  to.messages[line] = (to.messages[line] as number) + (from.messages[added] as number)
  to.partial[line] = (to.partial[line] as number) + (from.partial[added] as number)
  for (const name of TOKENS) {
    to.tokens[name][line] = (to.tokens[name][line] as number) + (from.tokens[name][added] as number)
  }
}

function isWhole(tokens: Readonly<Record<keyof Usage, Float64Array>>): boolean {
  return TOKENS.every((name) => {
    let sum = 0
    for (const value of tokens[name]) {
      if (!Number.isSafeInteger(value) || value < 0) return false
      sum += value
    }
    return Number.isSafeInteger(sum)
  })
}

export interface UsageQuestion {
  readonly by: UsageBy
  readonly calendar: Calendar
  readonly range: UsageRange
  readonly prices: PriceTable
}

/** True when all messages of each line fall on one day, are all in the range or all out of it, and have one price. */
export function isFineEnough(ledger: UsageLedger, { by, calendar, range, prices }: UsageQuestion): boolean {
  const { since, until } = range
  const hasDays = USAGE_BY_TIME.has(by) || since?.kind === 'day' || until?.kind === 'day'
  const { count, placeOf, places, firstMs, lastMs, promptMin, promptMax } = ledger
  const longAbove = places.map(({ model }) => longPromptOf(prices, model))
  for (let line = 0; line < count; line++) {
    const above = longAbove[placeOf[line] as number] as number
    if ((promptMin[line] as number) > above !== (promptMax[line] as number) > above) return false
    const first = firstMs[line] as number
    const last = lastMs[line] as number
    // One moment, or none.
    if (!(first < last)) continue
    if (hasDays && calendar.dayOf(first) !== calendar.dayOf(last)) return false
    if (since?.kind === 'moment' && first < since.ms && last >= since.ms) return false
    if (until?.kind === 'moment' && first <= until.ms && last > until.ms) return false
  }
  return true
}
