// API messages → what they come to: tokens by price, counts, times. Prices are met once for each model and not for each
// message, so the arithmetic is the one an explanation shows. Sums of sums give the total.

import type { Usage } from '../record/model.ts'
import type { FoundPrice, PriceTable } from './prices.ts'
import { costOf, findPrice, longPromptOf } from './prices.ts'
import type { CountedMessage } from './usage-fold.ts'
import { agentOf, isGone, sessionOf } from './usage-fold.ts'

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
  readonly sessions: Set<string>
  readonly agents: Set<string>
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
    sessions: new Set(),
    agents: new Set(),
    messages: 0,
    partialMessages: 0,
    goneMessages: 0,
    firstMs: null,
    lastMs: null,
  }
}

export function addMessage(tally: Tally, message: CountedMessage, prices: PriceTable): void {
  const { folded } = message
  const { usage, timestampMs } = folded
  const session = sessionOf(message)
  const agent = agentOf(message)
  tally.messages++
  tally.sessions.add(session)
  // Ids of agents are random; where an old client left it out, there is one to the session at least.
  if (agent !== null) tally.agents.add(agent === '' ? session : agent)
  if (!folded.isFinal) tally.partialMessages++
  if (message.source.isGone && isGone(message)) tally.goneMessages++
  if (timestampMs !== null) addTimes(tally, timestampMs, timestampMs)
  const sum = sumFor(tally.sums, folded.model, folded.rate, usage, prices)
  sum.messages++
  addUsage(sum.usage, usage)
}

function addTimes(tally: Tally, firstMs: number, lastMs: number): void {
  if (tally.firstMs === null || firstMs < tally.firstMs) tally.firstMs = firstMs
  if (tally.lastMs === null || lastMs > tally.lastMs) tally.lastMs = lastMs
}

function sumFor(sums: Sum[], model: string | null, rate: string | null, usage: Usage, prices: PriceTable): Sum {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
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
  for (const session of other.sessions) to.sessions.add(session)
  for (const agent of other.agents) to.agents.add(agent)
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

export function countsOf(tally: Tally): UsageCounts {
  const { messages, partialMessages, goneMessages, sessions, agents, firstMs, lastMs } = tally
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
