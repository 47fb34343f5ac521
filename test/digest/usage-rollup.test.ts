// A rolled-up ledger answers what its messages answer, or says that it cannot; and its bytes are the ledger.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PriceTable } from '../../src/digest/prices.ts'
import { LIST_PRICES } from '../../src/digest/prices.ts'
import { calendarOf } from '../../src/digest/usage-calendar.ts'
import { foldUsage } from '../../src/digest/usage-fold.ts'
import type { UsageLedger } from '../../src/digest/usage-ledger.ts'
import { ledgerOf } from '../../src/digest/usage-ledger.ts'
import type { UsageBound, UsageRange } from '../../src/digest/usage-range.ts'
import { isInRange } from '../../src/digest/usage-range.ts'
import type { UsageQuestion } from '../../src/digest/usage-rollup.ts'
import { isFineEnough, rollUp } from '../../src/digest/usage-rollup.ts'
import type { LedgerRow } from '../../src/digest/usage-rows.ts'
import { ledgerTable, USAGE_BY } from '../../src/digest/usage-rows.ts'
import { packLedger, unpackLedger } from '../../src/search/ledger-pack.ts'
import { record, source, usage } from './usage-case.ts'

/** An hour before a midnight, and one after the clocks are changed in many places. */
const STARTS = [Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 9, 25, 0), -86_400_000]

const anyTokens = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.constantFrom(0, 90_000, 150_000, 250_000))
const anyRecord = fc
  .record({
    key: fc.option(
      fc.integer({ min: 0, max: 60 }).map((number) => `m${number}`),
      { freq: 9 },
    ),
    timestampMs: fc.option(
      fc.tuple(fc.constantFrom(...STARTS), fc.integer({ min: 0, max: 4 * 3_600_000 })).map(([ms, more]) => ms + more),
    ),
    model: fc.constantFrom('claude-haiku-5-5', 'claude-sonnet-4-5', 'nobody-knows-1', null),
    sessionId: fc.constantFrom('one', 'two', null),
    agentId: fc.constantFrom(null, 'a1'),
    isSidechain: fc.boolean(),
    isFinal: fc.boolean(),
    rate: fc.constantFrom(null, 'us', 'fast'),
    cwd: fc.constantFrom('/home/ada/tidewatch', '/home/ada', null),
    usage: anyTokens.map(([input, output, read]) => usage(input, output, read, input, input)),
  })
  .map(({ key, ...more }) => record(key, more))
const anyLedger = fc
  .array(fc.tuple(fc.array(anyRecord, { maxLength: 40 }), fc.boolean()), { maxLength: 3 })
  .map((files) =>
    ledgerOf(foldUsage(files.map(([records, isGone], index) => source(`s${index}`, records, { isGone })))),
  )

const anyBound: fc.Arbitrary<UsageBound | null> = fc.oneof(
  fc.constant(null),
  fc.constantFrom('2026-03-28', '2026-03-29', '2026-10-25').map((day) => ({ kind: 'day', day }) as const),
  fc
    .integer({ min: 0, max: 240 })
    .map((minutes) => ({ kind: 'moment', ms: (STARTS[0] ?? 0) + minutes * 60_000 }) as const),
)
const OTHER_PRICES: PriceTable = {
  source: 'ours',
  date: '',
  models: new Map([
    [
      'claude-sonnet-4-5',
      { ...LIST_PRICES.models.get('claude-haiku-5-5'), longPrompt: { aboveTokens: 100_000 } } as never,
    ],
  ]),
}
const anyQuestion: fc.Arbitrary<UsageQuestion> = fc.record({
  by: fc.constantFrom(...USAGE_BY),
  calendar: fc
    .constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe')
    .map((zone) => calendarOf(zone) as NonNullable<ReturnType<typeof calendarOf>>),
  range: fc.record({ since: anyBound, until: anyBound }),
  prices: fc.constantFrom(LIST_PRICES, OTHER_PRICES),
})

function answer(ledger: UsageLedger, { by, calendar, range, prices }: UsageQuestion): object {
  const chosen = [...ledger.firstMs.entries()].flatMap(([line, ms]) =>
    isInRange(Number.isNaN(ms) ? null : ms, range, calendar) ? [line] : [],
  )
  const { rows, total } = ledgerTable(ledger, chosen, by, calendar, prices)
  const said = ({ members: _, ...row }: LedgerRow): object => row
  return [...rows.map(said), said(total)]
}

test('what it can answer, it answers alike', () => {
  let answered = 0
  fc.assert(
    fc.property(anyLedger, anyQuestion, (ledger, question) => {
      const rolled = rollUp(ledger)
      if (rolled === null) throw new Error('all numbers are whole')
      if (!isFineEnough(rolled, question)) return
      answered++
      expect(answer(rolled, question)).toEqual(answer(ledger, question))
    }),
    { numRuns: 500 },
  )
  expect(answered).toBeGreaterThan(200)
})

test('days of every zone and the listed prices it can always answer', () => {
  const range: UsageRange = { since: null, until: { kind: 'day', day: '2026-10-25' } }
  fc.assert(
    fc.property(anyLedger, anyQuestion, (ledger, { by, calendar }) => {
      expect(isFineEnough(rollUp(ledger) as UsageLedger, { by, calendar, range, prices: LIST_PRICES })).toBe(true)
    }),
  )
})

test('a line is one quarter of an hour at one place', () => {
  const at = (minutes: number): number => (STARTS[0] ?? 0) + minutes * 60_000
  const times = [0, 14, 15, 29, 30]
  const records = times.map((minutes) => record(`m${minutes}`, { timestampMs: at(minutes), line: minutes + 1 }))
  const rolled = rollUp(ledgerOf(foldUsage([source('one', records)])))
  expect([...(rolled?.messages ?? [])]).toEqual([2, 2, 1])
  expect([...(rolled?.firstMs ?? [])]).toEqual([at(0), at(15), at(30)])
})

test.each([0.5, 1e300, Number.POSITIVE_INFINITY])('%d tokens are not rolled up', (odd) => {
  expect(rollUp(ledgerOf(foldUsage([source('one', [record('m', { usage: usage(odd) })])])))).toBeNull()
})

test('packed and unpacked it is the same', () => {
  fc.assert(
    fc.property(anyLedger, fc.boolean(), (ledger, isRolled) => {
      const one = isRolled ? (rollUp(ledger) as UsageLedger) : ledger
      expect(unpackLedger(packLedger(one))).toEqual(one)
    }),
  )
})

test('damaged bytes are noticed', () => {
  const packed = packLedger(ledgerOf(foldUsage([source('one', [record('m'), record('n', { line: 2 })])])))
  for (let at = 0; at < packed.length; at++) {
    const damaged = Uint8Array.from(packed)
    damaged[at] = (damaged[at] ?? 0) ^ 0x55
    expect(() => unpackLedger(damaged)).toThrow()
  }
})
