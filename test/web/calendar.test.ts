// Ages, days and the two pictures that are made of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActiveDay } from '../../src/server/api/home.ts'
import { barsOf } from '../../src/web/home/bars.ts'
import { heatOf, lastDayFor, WEEKS } from '../../src/web/home/heat.ts'
import { addDays, dayIn, daysBetween, isDay, mondayOf, weekdayOf, writtenDays } from '../../src/web/parts/days.ts'
import { age, exactTime, folderOf, lastName, money, shortModel, size } from '../../src/web/parts/units.ts'
import { NOON_MS } from './rows.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [0, 'now'],
  [-HOUR, 'now'],
  [59_999, 'now'],
  [MINUTE, '1 min'],
  [HOUR, '1 h'],
  [47 * HOUR, '47 h'],
  [2 * DAY, '2 d'],
  [21 * DAY, '3 w'],
  [120 * DAY, '4 mo'],
  [730 * DAY, '2 y'],
])('%i ms ago is %s', (ms, words) => {
  expect(age(NOON_MS - ms, NOON_MS)).toBe(words)
})

test.each([
  [size(999), '999 B'],
  [size(1.1e9), '1.1 GB'],
  [size(340e6), '340 MB'],
  [money(null), '–'],
  [money(undefined), '–'],
  [money(0), '$0'],
  [money(0.001), '<$0.01'],
  [money(3.2), '$3.20'],
  [money(1234.5), '$1,235'],
  [shortModel('claude-opus-4-1-20250805'), 'opus-4-1'],
  [lastName('/home/ada/code/clew/'), 'clew'],
  [lastName('C:\\Users\\ada\\clew'), 'clew'],
  [folderOf('/home/ada/code/clew'), '/home/ada/code'],
  [folderOf('clew'), ''],
  [exactTime(NOON_MS, 'Asia/Tokyo'), 'Sat, 14 Nov 2026, 21:00'],
])('%s', (told, words) => {
  expect(told).toBe(words)
})

describe('days', () => {
  test('belong to a time zone', () => {
    const late = Date.parse('2026-11-14T23:30:00Z')
    expect([dayIn('UTC', late), dayIn('Asia/Tokyo', late), dayIn('America/Lima', late)]).toEqual([
      '2026-11-14',
      '2026-11-15',
      '2026-11-14',
    ])
  })

  test('are counted the same across a change of the clocks', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 3000 }), (days) => {
        const other = addDays('2026-03-29', days)
        expect(isDay(other)).toBe(true)
        expect(daysBetween('2026-03-29', other)).toBe(days)
        expect(weekdayOf(mondayOf(other))).toBe(0)
        expect(daysBetween(mondayOf(other), other)).toBeLessThan(7)
      }),
    )
  })

  test.each([
    ['2026-11-14', '2026-11-14', '14 Nov 2026'],
    ['2026-11-09', '2026-11-15', '9–15 Nov 2026'],
    ['2026-10-26', '2026-11-01', '26 Oct – 1 Nov 2026'],
    ['2025-12-29', '2026-01-04', '29 Dec 2025 – 4 Jan 2026'],
  ])('%s to %s', (from, to, words) => {
    expect(writtenDays(from, to)).toBe(words)
  })
})

const active = (day: string, messages: number): ActiveDay => ({
  day,
  messages,
  outputTokens: 0,
  costUsd: null,
  sessions: ['one'],
})

describe('the calendar', () => {
  const last = '2026-11-14'

  test('has every day of a year once, in its row', () => {
    const { rows, months, first } = heatOf([], last)
    const days = rows.flat()
    expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
    expect(days.length).toBe(daysBetween(first, last) + 1)
    rows.forEach((row, weekday) => {
      for (const { day } of row) expect(weekdayOf(day)).toBe(weekday)
    })
    expect(months.reduce((sum, { weeks }) => sum + weeks, 0)).toBe(WEEKS)
    expect(rows.flat().every(({ level }) => level === 0)).toBe(true)
  })

  test('days are as dark as they are busy', () => {
    const busy = [1, 2, 3, 4, 5, 6, 7, 8].map((messages) => active(`2026-11-0${messages}`, messages))
    const levels = heatOf(busy, last)
      .rows.flat()
      .filter(({ messages }) => messages > 0)
      .toSorted((one, other) => one.messages - other.messages)
      .map(({ level }) => level)
    expect(levels).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  })

  test('ends today, unless all of it is long past', () => {
    expect(lastDayFor([active('2026-10-01', 1)], last)).toBe(last)
    expect(lastDayFor([active('2024-02-01', 1), active('2024-03-01', 0)], last)).toBe('2024-02-01')
    expect(lastDayFor([], last)).toBe(last)
  })
})

test('bars hold all messages of their time, each once', () => {
  const days = [active('2026-11-14', 3), active('2026-11-09', 4), active('2026-11-08', 5), active('2020-01-01', 9)]
  const weeks = barsOf(days, 'week', '2026-11-14')
  expect(weeks.slice(-2)).toEqual([
    { from: '2026-11-02', to: '2026-11-08', messages: 5 },
    { from: '2026-11-09', to: '2026-11-15', messages: 7 },
  ])
  expect(weeks.length).toBe(WEEKS)
  expect(barsOf(days, 'day', '2026-11-14').reduce((sum, { messages }) => sum + messages, 0)).toBe(12)
  expect(barsOf(days, 'day', '2026-11-10').at(-1)).toEqual({ from: '2026-11-10', to: '2026-11-10', messages: 0 })
})
