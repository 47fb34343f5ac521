// Each API message counts once, whoever wrote it down however often, and belongs to the session that made it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIST_PRICES } from '../../src/digest/prices.ts'
import { calendarWith } from '../../src/digest/usage-calendar.ts'
import type { UsageSource } from '../../src/digest/usage-fold.ts'
import { agentOf, foldUsage, isGone, sessionOf } from '../../src/digest/usage-fold.ts'
import { USAGE_BY, usageTable } from '../../src/digest/usage-rows.ts'
import { record, source, usage } from './usage-case.ts'

const UTC = calendarWith('UTC', () => 0)

function folded(...sources: readonly UsageSource[]) {
  return foldUsage(sources).map((message) => ({
    key: message.folded.key,
    session: sessionOf(message),
    agent: agentOf(message),
    usage: message.folded.usage,
    isFinal: message.folded.isFinal,
    isRaised: message.folded.isRaised,
    records: message.folded.records,
    ms: message.folded.timestampMs,
  }))
}

const [EARLY, LATE] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 2)]

describe('who owns a message', () => {
  const cases = {
    'the one that is no fork, though the fork is earlier': [
      source('fork', [record('m', { sessionId: 'fork', isFork: true, timestampMs: EARLY })]),
      source('one', [record('m', { timestampMs: LATE })]),
    ],
    'the earliest': [
      source('later', [record('m', { sessionId: 'later', timestampMs: LATE })]),
      source('one', [record('m', { timestampMs: EARLY })]),
    ],
    'the session that wrote it, not the file it was copied into': [
      source('copy', [record('m'), record('n', { sessionId: 'copy', timestampMs: LATE, line: 2 })]),
      source('one', [record('m')]),
    ],
    'of two files that say the same, the one that ended first': [
      source('a', [record('m', { sessionId: 'a' }), record('n', { sessionId: 'a', timestampMs: LATE + 1e12 })]),
      source('one', [record('m')]),
    ],
  }
  test.each(Object.entries(cases))('%s', (_, sources) => {
    for (const order of [sources, [...sources].reverse()]) {
      const found = folded(...order).find(({ key }) => key === 'm')
      expect(found).toMatchObject({ session: 'one' })
    }
  })
})

test('the highest of each field, the earliest time, final if any is', () => {
  const parts = [
    record('m', { usage: usage(3, 8, 100, 20), isFinal: false, timestampMs: LATE }),
    record('m', { usage: usage(3, 777, 90, 20, 20), line: 2, timestampMs: EARLY }),
  ]
  expect(folded(source('one', parts))).toEqual([
    {
      key: 'm',
      session: 'one',
      agent: null,
      usage: usage(3, 777, 100, 20, 20),
      isFinal: true,
      isRaised: true,
      records: 2,
      ms: EARLY,
    },
  ])
})

test('a subagent is told from the main conversation, in its own file and in an old client’s', () => {
  const agents = folded(
    source('one', [record('m'), record('old', { isSidechain: true, line: 2 })]),
    source('one', [record('own', { isSidechain: true })], {
      role: 'subagent',
      agentId: 'a1',
      path: '/p/agent-a1.jsonl',
    }),
  )
  expect(agents.map(({ key, agent }) => [key, agent])).toEqual([
    ['m', null],
    ['old', ''],
    ['own', 'a1'],
  ])
})

test('a message is gone when no transcript on disk holds it', () => {
  const sources = [
    source('one', [record('m'), record('n', { line: 2 })], { isGone: true }),
    source('two', [record('m', { sessionId: 'two', isFork: true })]),
  ]
  expect(foldUsage(sources).map((message) => [message.folded.key, isGone(message)])).toEqual([
    ['m', false],
    ['n', true],
  ])
})

const tokens = fc.nat({ max: 1000 })
const anyRecord = fc
  .record({
    key: fc.constantFrom('a', 'b', 'c', 'd', null),
    line: fc.nat({ max: 50 }),
    model: fc.constantFrom('claude-opus-5', 'nobody-knows-1', null),
    timestampMs: fc.option(fc.integer({ min: EARLY, max: EARLY + 4 * 86_400_000 })),
    sessionId: fc.constantFrom('one', 'two', null),
    isFork: fc.boolean(),
    isFinal: fc.boolean(),
    usage: fc
      .tuple(tokens, tokens, tokens, tokens)
      .map(([input, output, read, write]) => usage(input, output, read, write)),
  })
  .map(({ key, ...more }) => record(key, more))
const anySources = fc
  .array(fc.uniqueArray(anyRecord, { selector: ({ line }) => line }), { maxLength: 4 })
  .map((files) => files.map((records, index) => source(`s${index}`, records)))

test('the order of files does not matter', () => {
  const byKey = (sources: readonly UsageSource[]) =>
    folded(...sources)
      .map((message) => JSON.stringify(message))
      .sort()
  fc.assert(
    fc.property(anySources, (sources) => {
      expect(byKey([...sources].reverse())).toEqual(byKey(sources))
    }),
  )
})

test('rows add up to the total, whatever they are gathered by', () => {
  fc.assert(
    fc.property(anySources, fc.constantFrom(...USAGE_BY), (sources, by) => {
      const messages = foldUsage(sources)
      const { rows, total } = usageTable(messages, by, UTC, LIST_PRICES)
      const sum = (pick: (row: (typeof rows)[number]) => number): number =>
        rows.reduce((all, row) => all + pick(row), 0)
      expect(sum((row) => row.messages)).toBe(messages.length)
      expect(total.messages).toBe(messages.length)
      for (const field of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const) {
        const plain = messages.reduce((all, { folded }) => all + folded.usage[field], 0)
        expect(sum((row) => row.usage[field])).toBe(plain)
        expect(total.usage[field]).toBe(plain)
      }
      expect(sum((row) => row.pricedCostUsd)).toBeCloseTo(total.pricedCostUsd, 9)
      expect(total.costUsd === null).toBe(messages.some(({ folded }) => folded.model !== 'claude-opus-5'))
    }),
  )
})

test('a copy of everything changes nothing but the number of records', () => {
  fc.assert(
    fc.property(anySources, (sources) => {
      const known = sources.map(({ records, ...rest }) => ({
        ...rest,
        records: records.filter(({ key }) => key !== null),
      }))
      const copies = known.map((one) => ({ ...one, path: `${one.path}.copy` }))
      const { total } = usageTable(foldUsage(known), 'day', UTC, LIST_PRICES)
      const { total: twice } = usageTable(foldUsage([...known, ...copies]), 'day', UTC, LIST_PRICES)
      expect(twice.usage).toEqual(total.usage)
      expect(twice.messages).toBe(total.messages)
    }),
  )
})
