// What tokens cost, in US dollars a million: a table with a date and a source. Only ids that stand in it have a price; a
// model we do not know has none, because a guess looks exactly like a fact. Anthropic's list, without anybody's discount.

import type { Usage } from '../record/model.ts'

export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number
}

/** A price that changes for a whole request when its prompt is longer than some number of tokens. */
export interface ModelPrice extends Price {
  readonly longPrompt: LongPrompt | null
}

export interface LongPrompt extends Price {
  readonly aboveTokens: number
}

export interface PriceTable {
  readonly source: string
  /** The day it was looked up. */
  readonly date: string
  /** By the model's id as the API names it, with ` fast` or the like behind it for another rate. */
  readonly models: ReadonlyMap<string, ModelPrice>
}

/** The multiplier for inference in the United States alone, on every kind of token. */
const US_ONLY = 1.1

export interface FoundPrice {
  readonly price: Price
  readonly multiplier: number
  readonly isLongPrompt: boolean
}

/** Null when there is no price for it. */
export function findPrice(
  { models }: PriceTable,
  model: string | null,
  rate: string | null,
  isLong: boolean,
): FoundPrice | null {
  if (model === null) return null
  const own = rate === null ? undefined : models.get(`${model} ${rate}`)
  const base = own ?? (rate === null || rate === 'us' ? models.get(model) : undefined)
  if (base === undefined) return null
  const multiplier = own === undefined && rate === 'us' ? US_ONLY : 1
  const { longPrompt } = base
  const isLongPrompt = isLong && longPrompt !== null
  return { price: isLongPrompt ? longPrompt : base, multiplier, isLongPrompt }
}

/** How long the prompt of a request may be before another price holds for it: all that it sent, from the cache or not. */
export function longPromptOf({ models }: PriceTable, model: string | null): number {
  const longPrompt = model === null ? null : (models.get(model)?.longPrompt ?? null)
  return longPrompt?.aboveTokens ?? Number.POSITIVE_INFINITY
}

export function costOf({ price, multiplier }: FoundPrice, usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  const dollars =
    inputTokens * price.input +
    outputTokens * price.output +
    cacheReadTokens * price.cacheRead +
    (cacheWriteTokens - cacheWrite1hTokens) * price.cacheWrite5m +
    cacheWrite1hTokens * price.cacheWrite1h
  return (dollars * multiplier) / 1_000_000
}

/** Input, output and cache reads; writing to the cache costs 1.25 times the input for 5 minutes and twice for an hour. */
function listed(
  input: number,
  output: number,
  cacheRead = input / 10,
  longPrompt: LongPrompt | null = null,
): ModelPrice {
  return { input, output, cacheRead, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2, longPrompt }
}

function above(aboveTokens: number, input: number, output: number): LongPrompt {
  const { longPrompt: _, ...price } = listed(input, output)
  return { ...price, aboveTokens }
}

const OPUS_4 = listed(15, 75)
const OPUS_4_5 = listed(5, 25)
const SONNET = listed(3, 15)
const SONNET_LONG = listed(3, 15, 0.3, above(200_000, 6, 22.5))
const SONNET_5 = listed(2, 10)
const FABLE_5 = listed(10, 50)
const FABLE_5_1 = listed(10, 50, 0.25)
// Its cache prices are rounded in the list.
const HAIKU_3 = { ...listed(0.25, 1.25, 0.03), cacheWrite5m: 0.3 }

/** Ids as the API returns them: the dated ones, and the aliases that Anthropic documents for them. */
export const LIST_PRICES: PriceTable = {
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  date: '2026-11-16',
  models: new Map([
    ['claude-fable-5-1', FABLE_5_1],
    ['claude-mythos-5-1', FABLE_5_1],
    ['claude-fable-5', FABLE_5],
    ['claude-mythos-5', FABLE_5],
    ['claude-opus-5-5', listed(4, 20, 0.2)],
    ['claude-opus-5', OPUS_4_5],
    ['claude-opus-4-8', OPUS_4_5],
    ['claude-opus-4-7', OPUS_4_5],
    ['claude-opus-4-6', OPUS_4_5],
    ['claude-opus-4-5-20251101', OPUS_4_5],
    ['claude-opus-4-5', OPUS_4_5],
    ['claude-opus-4-1-20250805', OPUS_4],
    ['claude-opus-4-1', OPUS_4],
    ['claude-opus-4-20250514', OPUS_4],
    ['claude-opus-4-0', OPUS_4],
    ['claude-3-opus-20240229', OPUS_4],
    ['claude-3-opus-latest', OPUS_4],
    ['claude-sonnet-5-5', SONNET_5],
    ['claude-sonnet-5', SONNET_5],
    ['claude-sonnet-4-6', SONNET],
    ['claude-sonnet-4-5-20250929', SONNET_LONG],
    ['claude-sonnet-4-5', SONNET_LONG],
    ['claude-sonnet-4-20250514', SONNET_LONG],
    ['claude-sonnet-4-0', SONNET_LONG],
    ['claude-3-7-sonnet-20250219', SONNET],
    ['claude-3-7-sonnet-latest', SONNET],
    ['claude-3-5-sonnet-20241022', SONNET],
    ['claude-3-5-sonnet-20240620', SONNET],
    ['claude-3-5-sonnet-latest', SONNET],
    ['claude-haiku-5-5', listed(0.1, 0.5, 0.01, above(100_000, 0.5, 2.5))],
    ['claude-haiku-4-5-20251001', listed(1, 5)],
    ['claude-haiku-4-5', listed(1, 5)],
    ['claude-3-5-haiku-20241022', listed(0.8, 4)],
    ['claude-3-5-haiku-latest', listed(0.8, 4)],
    ['claude-3-haiku-20240307', HAIKU_3],
  ]),
}
