// Prices are known or they are not; what somebody wrote into a file is taken as it stands, or refused with its place.

import { describe, expect, test } from 'vitest'
import { readPrices } from '../../src/digest/price-file.ts'
import { costOf, findPrice, LIST_PRICES } from '../../src/digest/prices.ts'
import { calendarWith } from '../../src/digest/usage-calendar.ts'
import { foldUsage } from '../../src/digest/usage-fold.ts'
import { usageTable } from '../../src/digest/usage-rows.ts'
import { record, source, usage } from './usage-case.ts'

const MILLION = 1_000_000

function cost(
  model: string,
  used = usage(MILLION, MILLION),
  rate: string | null = null,
  isLong = false,
): number | null {
  const found = findPrice(LIST_PRICES, model, rate, isLong)
  return found === null ? null : costOf(found, used)
}

test.each([
  ['claude-opus-5-5', 24],
  ['claude-opus-4-5-20251101', 30],
  ['claude-opus-4-1', 90],
  ['claude-sonnet-4-5', 18],
  ['claude-sonnet-5', 12],
  ['claude-haiku-4-5-20251001', 6],
  ['claude-3-5-haiku-20241022', 4.8],
  ['claude-3-haiku-20240307', 1.5],
  ['claude-fable-5', 60],
])('%s costs $%d for a million in and out', (model, dollars) => {
  expect(cost(model)).toBeCloseTo(dollars, 9)
})

test('the client’s own sum for a session of Opus 5.5', () => {
  expect(cost('claude-opus-5-5', usage(9, 38, 6886, 2154))).toBeCloseTo(0.0129432, 12)
})

test('cache writes for five minutes and for an hour have prices of their own', () => {
  expect(cost('claude-opus-5', usage(0, 0, 0, MILLION, 0))).toBeCloseTo(6.25, 9)
  expect(cost('claude-opus-5', usage(0, 0, 0, MILLION, MILLION))).toBeCloseTo(10, 9)
  expect(cost('claude-opus-5', usage(0, 0, MILLION))).toBeCloseTo(0.5, 9)
})

test.each(['claude-opus-9', 'claude-opus-4-5-20250101', 'opus', 'gpt-6', 'CLAUDE-OPUS-5', 'claude-opus-5 '])(
  'there is no price for “%s”',
  (model) => expect(cost(model)).toBeNull(),
)

test('other rates: the United States cost a tenth more, and what nobody told has no price', () => {
  expect(cost('claude-opus-5', usage(MILLION), 'us')).toBeCloseTo(5.5, 9)
  expect(cost('claude-opus-5', usage(MILLION), 'fast')).toBeNull()
  expect(cost('claude-opus-5', usage(MILLION), 'batch')).toBeNull()
})

test('a long prompt has another price, by all that the request sent', () => {
  const messages = foldUsage([
    source('one', [
      record('short', { model: 'claude-sonnet-4-5', usage: usage(0, 1000, 200_000) }),
      record('long', { model: 'claude-sonnet-4-5', usage: usage(1, 1000, 200_000), line: 2 }),
    ]),
  ])
  const { total } = usageTable(
    messages,
    'day',
    calendarWith('UTC', () => 0),
    LIST_PRICES,
  )
  expect(total.priced.map(({ costUsd, found }) => [found?.isLongPrompt, costUsd])).toEqual([
    [false, (200_000 * 0.3 + 1000 * 15) / 1e6],
    [true, (1 * 6 + 200_000 * 0.6 + 1000 * 22.5) / 1e6],
  ])
})

describe('a file of prices', () => {
  test('wins over the list, and leaves the rest', () => {
    const text = JSON.stringify({
      source: 'contract',
      date: '2026-01-01',
      models: { 'claude-opus-5': { input: 1, output: 2 }, 'claude-opus-5 fast': { input: 9, output: 9 } },
    })
    const { table } = readPrices(text, 'p.json', LIST_PRICES)
    // It names some models only, and the rest have the prices it is laid on.
    const others = `contract (other models: ${LIST_PRICES.source}, ${LIST_PRICES.date})`
    expect(table).toMatchObject({ source: others, date: '2026-01-01' })
    const all = Object.fromEntries([...LIST_PRICES.models.keys()].map((model) => [model, { input: 1, output: 2 }]))
    const whole = readPrices(JSON.stringify({ source: 'contract', models: all }), 'file', LIST_PRICES)
    expect(whole.table?.source).toBe('contract')
    expect(table?.models.get('claude-opus-5')).toEqual({
      input: 1,
      output: 2,
      cacheRead: 0.1,
      cacheWrite5m: 1.25,
      cacheWrite1h: 2,
      longPrompt: null,
    })
    expect(table?.models.get('claude-sonnet-5')).toEqual(LIST_PRICES.models.get('claude-sonnet-5'))
    expect(table && findPrice(table, 'claude-opus-5', 'fast', false)?.price.input).toBe(9)
  })

  test.each([
    ['{', 'is no JSON'],
    ['[]', 'must be an object'],
    ['{}', 'models must be an object'],
    ['{"models":{"m":3}}', 'models.m must be an object'],
    ['{"models":{"m":{"input":3}}}', 'models.m.output must be dollars'],
    ['{"models":{"m":{"input":"3","output":1}}}', 'models.m.input must be dollars'],
    ['{"models":{"m":{"input":-3,"output":1}}}', 'models.m.input must be dollars'],
    ['{"models":{"m":{"input":3,"output":1,"cache":1}}}', 'models.m has a key “cache”'],
    ['{"models":{"m":{"input":3,"output":1,"longPrompt":{"input":1,"output":1}}}}', 'models.m.longPrompt.aboveTokens'],
    ['{"prices":{}}', 'has a key “prices”'],
    ['{"models":{},"date":7}', 'date must be a text'],
  ])('%s: %s', (text, reason) => {
    const { table, wrong } = readPrices(text, 'p.json', LIST_PRICES)
    expect(table).toBeNull()
    expect(wrong).toContain(reason)
    expect(wrong).not.toContain('\n')
  })
})
