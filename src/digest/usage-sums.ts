// Lines of a ledger → what they come to: tokens by price, counts, times. Prices are met once for each model and not for
// each message, so the arithmetic is the one an explanation shows. Sums of sums give the total.

import type { Usage } from '../record/model.ts'
import type { FoundPrice, PriceTable } from './prices.ts'
import { costOf, findPrice, longPromptOf } from './prices.ts'
import type { UsageLedger, UsagePlace } from './usage-ledger.ts'

/** Tokens that have one price, or none. */
export interface PricedTokens {
  readonly model: string
  readonly rate: string | null
  /** Null: nobody told us a price. */
  readonly found: FoundPrice | null
  readonly messages: number
  readonly usage: Usage
  readonly costUsd: number | null
}

export interface UsageCounts {
  readonly messages: number
  /** Their output tokens are known only in part. */
  readonly partialMessages: number
  readonly goneMessages: number
  readonly sessions: number
  /** Runs of subagents. */
  readonly agents: number
  readonly firstMs: number | null
  readonly lastMs: number | null
}

export const NO_MODEL = 'no model'

/** Messages added up, before prices are looked at. */
export interface Tally {
  readonly sums: Sum[]
  /** Numbers of places: sessions and agents are counted in them. */
  readonly places: Set<number>
  messages: number
  partialMessages: number
  goneMessages: number
  firstMs: number | null
  lastMs: number | null
}

interface Sum {
  readonly model: string | null
  readonly rate: string | null
  readonly isLong: boolean
  /** Prompts above this have another price; infinite for most models. */
  readonly longAbove: number
  messages: number
  readonly usage: Sums
}

type Sums = { -readonly [Field in keyof Usage]: number }

export function newTally(): Tally {
  return {
    sums: [],
    places: new Set(),
    messages: 0,
    partialMessages: 0,
    goneMessages: 0,
    firstMs: null,
    lastMs: null,
  }
}

export function addLine(tally: Tally, ledger: UsageLedger, line: number, prices: PriceTable): void {
  const { tokens } = ledger
  const place = ledger.placeOf[line] as number
  const messages = ledger.messages[line] as number
  const { model, rate, isGone } = ledger.places[place] as UsagePlace
  tally.places.add(place)
  tally.messages += messages
  tally.partialMessages += ledger.partial[line] as number
  if (isGone) tally.goneMessages += messages
  const firstMs = ledger.firstMs[line] as number
  if (!Number.isNaN(firstMs)) addTimes(tally, firstMs, ledger.lastMs[line] as number)
  const sum = sumFor(tally.sums, model, rate, ledger.promptMin[line] as number, prices)
  sum.messages += messages
  sum.usage.inputTokens += tokens.inputTokens[line] as number
  sum.usage.outputTokens += tokens.outputTokens[line] as number
  sum.usage.cacheReadTokens += tokens.cacheReadTokens[line] as number
  sum.usage.cacheWriteTokens += tokens.cacheWriteTokens[line] as number
  sum.usage.cacheWrite1hTokens += tokens.cacheWrite1hTokens[line] as number
}

function addTimes(tally: Tally, firstMs: number, lastMs: number): void {
  if (tally.firstMs === null || firstMs < tally.firstMs) tally.firstMs = firstMs
  if (tally.lastMs === null || lastMs > tally.lastMs) tally.lastMs = lastMs
}

function sumFor(sums: Sum[], model: string | null, rate: string | null, prompt: number, prices: PriceTable): Sum {
  for (const sum of sums) {
    if (sum.model === model && sum.rate === rate && prompt > sum.longAbove === sum.isLong) return sum
  }
  const longAbove = longPromptOf(prices, model)
  const made = { model, rate, isLong: prompt > longAbove, longAbove, messages: 0, usage: noTokens() }
  sums.push(made)
  return made
}

export function addTally(to: Tally, other: Tally): void {
  to.messages += other.messages
  to.partialMessages += other.partialMessages
  to.goneMessages += other.goneMessages
  for (const place of other.places) to.places.add(place)
  if (other.firstMs !== null && other.lastMs !== null) addTimes(to, other.firstMs, other.lastMs)
  for (const sum of other.sums) {
    const { model, rate, isLong } = sum
    const known = to.sums.find((one) => one.model === model && one.rate === rate && one.isLong === isLong)
    if (known === undefined) to.sums.push({ ...sum, usage: { ...sum.usage } })
    else {
      known.messages += sum.messages
      addUsage(known.usage, sum.usage)
    }
  }
}

export function countsOf(tally: Tally, { places }: UsageLedger): UsageCounts {
  const { messages, partialMessages, goneMessages, firstMs, lastMs } = tally
  const sessions = new Set<string>()
  const agents = new Set<string>()
  for (const place of tally.places) {
    const { session, agent } = places[place] as UsagePlace
    sessions.add(session)
    // Ids of agents are random; where an old client left it out, there is one to the session at least.
    if (agent !== null) agents.add(agent === '' ? session : agent)
  }
  return { messages, partialMessages, goneMessages, sessions: sessions.size, agents: agents.size, firstMs, lastMs }
}

/** By model, rate and length of the prompt: one line of the bill each, in the order of their names. */
export function pricedTokens({ sums }: Tally, prices: PriceTable): readonly PricedTokens[] {
  const priced = sums.map(({ model, rate, isLong, messages, usage }): PricedTokens => {
    const found = findPrice(prices, model, rate, isLong)
    const costUsd = found === null ? null : costOf(found, usage)
    return { model: model ?? NO_MODEL, rate, found, messages, usage, costUsd }
  })
  return priced.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

export function nameOf({ model, rate, found }: Pick<PricedTokens, 'model' | 'rate' | 'found'>): string {
  const more = [rate ?? '', found?.isLongPrompt === true ? 'long prompt' : ''].filter((part) => part !== '')
  return more.length === 0 ? model : `${model} (${more.join(', ')})`
}

function noTokens(): Sums {
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 }
}

function addUsage(sum: Sums, usage: Usage): void {
  sum.inputTokens += usage.inputTokens
  sum.outputTokens += usage.outputTokens
  sum.cacheReadTokens += usage.cacheReadTokens
  sum.cacheWriteTokens += usage.cacheWriteTokens
  sum.cacheWrite1hTokens += usage.cacheWrite1hTokens
}

export function sumOf(usages: readonly Usage[]): Usage {
  const sum = noTokens()
  for (const usage of usages) addUsage(sum, usage)
  return sum
}

export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
}
