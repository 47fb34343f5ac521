// A file of prices that somebody wrote → a table. What it names wins over the table it is laid on, and what is wrong in
// it is said in one line with the key it stands under.

import type { LongPrompt, ModelPrice, Price, PriceTable } from './prices.ts'

export type ReadPrices =
  | { readonly table: PriceTable; readonly wrong: null }
  | { readonly table: null; readonly wrong: string }

const REQUIRED = ['input', 'output'] as const
const OPTIONAL = ['cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const
const KEYS: ReadonlySet<string> = new Set([...REQUIRED, ...OPTIONAL, 'longPrompt'])

export function readPrices(text: string, name: string, under: PriceTable): ReadPrices {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return wrong(`is no JSON: ${error instanceof Error ? error.message.split('\n')[0] : 'cannot be parsed'}`)
  }
  if (!isObject(value)) return wrong('must be an object with the key “models”')
  const stray = Object.keys(value).find((key) => !['source', 'date', 'models'].includes(key))
  if (stray !== undefined) return wrong(`has a key “${stray}” that means nothing; there are source, date and models`)
  const { source = name, date = '', models } = value
  if (typeof source !== 'string') return wrong('source must be a text')
  if (typeof date !== 'string') return wrong('date must be a text')
  if (!isObject(models)) return wrong('models must be an object: {"claude-opus-5": {"input": 5, "output": 25}}')
  const merged = new Map(under.models)
  for (const [model, price] of Object.entries(models)) {
    const found = priceOf(price, `models.${model}`)
    if (typeof found === 'string') return wrong(found)
    merged.set(model, found)
  }
  const isWhole = [...under.models.keys()].every((model) => Object.hasOwn(models, model))
  const named = isWhole ? source : `${source} (other models: ${under.source}, ${under.date})`
  return { table: { source: named, date, models: merged }, wrong: null }
}

function priceOf(value: unknown, place: string): ModelPrice | string {
  if (!isObject(value)) return `${place} must be an object with input and output`
  const stray = Object.keys(value).find((key) => !KEYS.has(key))
  if (stray !== undefined) return `${place} has a key “${stray}” that means nothing; there are ${[...KEYS].join(', ')}`
  const price = plainPrice(value, place)
  if (typeof price === 'string') return price
  const { longPrompt } = value
  if (longPrompt === undefined || longPrompt === null) return { ...price, longPrompt: null }
  const long = longPriceOf(longPrompt, `${place}.longPrompt`)
  return typeof long === 'string' ? long : { ...price, longPrompt: long }
}

function longPriceOf(value: unknown, place: string): LongPrompt | string {
  if (!isObject(value)) return `${place} must be an object with aboveTokens, input and output`
  const { aboveTokens } = value
  if (!isDollars(aboveTokens)) return `${place}.aboveTokens must be a number of tokens`
  const price = plainPrice(value, place)
  return typeof price === 'string' ? price : { ...price, aboveTokens }
}

/** What is left out follows from the input price by the multipliers that hold for most models. */
function plainPrice(value: Readonly<Record<string, unknown>>, place: string): Price | string {
  for (const key of REQUIRED) if (!isDollars(value[key])) return `${place}.${key} must be dollars a million tokens`
  for (const key of OPTIONAL) {
    if (value[key] !== undefined && !isDollars(value[key])) return `${place}.${key} must be dollars a million tokens`
  }
  const input = value['input'] as number
  return {
    input,
    output: value['output'] as number,
    cacheRead: (value['cacheRead'] as number | undefined) ?? input / 10,
    cacheWrite5m: (value['cacheWrite5m'] as number | undefined) ?? input * 1.25,
    cacheWrite1h: (value['cacheWrite1h'] as number | undefined) ?? input * 2,
  }
}

function isDollars(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(reason: string): ReadPrices {
  return { table: null, wrong: reason }
}
