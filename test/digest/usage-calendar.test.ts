// The quick way to a day is the one Intl would have gone, also on days when the clocks change.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calendarOf, monthOf, weekOf } from '../../src/digest/usage-calendar.ts'
import { boundOf, isInRange } from '../../src/digest/usage-range.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe']

test.each(ZONES)('%s: days are those of Intl', (zone) => {
  const calendar = calendarOf(zone)
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const times = fc.integer({ min: Date.UTC(2023, 0, 1), max: Date.UTC(2028, 0, 1) })
  fc.assert(
    fc.property(times, (ms) => {
      expect(calendar?.dayOf(ms)).toBe(format.format(ms))
    }),
    { numRuns: 2000 },
  )
})

test('around the hour that a clock skips or repeats', () => {
  const calendar = calendarOf('America/New_York')
  const days = (from: string): readonly (string | undefined)[] =>
    Array.from({ length: 60 }, (_, hour) => calendar?.dayOf(Date.parse(from) + hour * 1_800_000))
  expect(new Set(days('2026-03-08T04:00:00Z'))).toEqual(new Set(['2026-03-07', '2026-03-08', '2026-03-09']))
  expect(calendar?.dayOf(Date.parse('2026-03-08T04:59:59.999Z'))).toBe('2026-03-07')
  expect(calendar?.dayOf(Date.parse('2026-03-09T03:59:59.999Z'))).toBe('2026-03-08')
  expect(calendar?.dayOf(Date.parse('2026-11-02T04:59:59.999Z'))).toBe('2026-11-01')
  expect(calendar?.dayOf(Date.parse('2026-11-02T05:00:00.000Z'))).toBe('2026-11-02')
})

test('times at the end of time have a day too', () => {
  for (const ms of [8.64e15, -8.64e15, 0, -1])
    expect(calendarOf('Europe/Berlin')?.dayOf(ms)).toMatch(/^[+-]?\d{4,6}-\d\d-\d\d$/)
})

test('there is no such zone', () => {
  for (const name of ['', 'Berlin', 'Mars/Olympus', 'CET+1']) expect(calendarOf(name)).toBeNull()
})

test.each([
  ['2026-11-16', '2026-W47'],
  ['2026-11-15', '2026-W46'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2025-12-29', '2026-W01'],
  ['2021-01-01', '2020-W53'],
])('%s is in week %s', (day, week) => {
  expect(weekOf(day)).toBe(week)
  expect(monthOf(day)).toBe(day.slice(0, 7))
})

describe('a range', () => {
  const NOW = Date.parse('2026-11-16T12:00:00Z')
  const calendar = calendarOf('Europe/Berlin') ?? { timeZone: '', dayOf: () => '' }
  const cases = [
    ['2026-11-14', null, '2026-11-13T23:00:00Z', true],
    ['2026-11-14', null, '2026-11-13T22:59:59Z', false],
    [null, '2026-11-14', '2026-11-14T22:59:59Z', true],
    [null, '2026-11-14', '2026-11-14T23:00:00Z', false],
    ['12h', null, '2026-11-16T00:00:00Z', true],
    ['12h', null, '2026-11-15T23:59:59Z', false],
    [null, '2026-11-14T10:00:00Z', '2026-11-14T10:00:00Z', true],
  ] as const
  test.each(cases)('from %s until %s: %s is %s', (since, until, time, isIn) => {
    const range = { since: since && boundOf(since, NOW), until: until && boundOf(until, NOW) }
    expect(isInRange(Date.parse(time), range, calendar)).toBe(isIn)
  })

  test('what has no time is only in the whole', () => {
    expect(isInRange(null, { since: null, until: null }, calendar)).toBe(true)
    expect(isInRange(null, { since: boundOf('7d', NOW), until: null }, calendar)).toBe(false)
  })

  test.each(['', 'yesterday', '7', '2026-13-40', '14.11.2026'])('“%s” is none', (typed) => {
    expect(boundOf(typed, NOW)).toBeNull()
  })
})
