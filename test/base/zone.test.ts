import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clockIn, dateAfter, dateIn, isDate, mondayOf, startOfDate, zoneName } from '../../src/base/zone.ts'

const ZONES = [
  'UTC',
  'Europe/London',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Tehran',
]
const HOUR_MS = 3_600_000

describe('local days', () => {
  test('a moment lies in the day that has begun and not ended', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('1990-01-01'), max: Date.parse('2030-01-01') }),
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 23 }),
        (ms, zone, hour) => {
          const date = dateIn(ms, zone, hour)
          expect(startOfDate(date, zone, hour)).toBeLessThanOrEqual(ms)
          expect(startOfDate(dateAfter(date, 1), zone, hour)).toBeGreaterThan(ms)
        },
      ),
    )
  })

  test.each([
    ['2026-10-24', 'Europe/London', 24],
    ['2026-10-25', 'Europe/London', 25],
    ['2026-03-29', 'Europe/London', 23],
    ['2026-04-05', 'Australia/Lord_Howe', 24.5],
    ['2018-11-04', 'America/Sao_Paulo', 23],
  ])('%s in %s has %d hours', (date, zone, hours) => {
    expect((startOfDate(dateAfter(date, 1), zone) - startOfDate(date, zone)) / HOUR_MS).toBe(hours)
  })

  test('before the first hour it is still yesterday', () => {
    const ms = Date.parse('2026-11-14T03:59:00Z')
    expect(dateIn(ms, 'UTC', 4)).toBe('2026-11-13')
    expect(dateIn(ms + 60_000, 'UTC', 4)).toBe('2026-11-14')
    expect(clockIn(ms, 'Asia/Kolkata')).toBe('09:29')
  })
})

test('dates and zones', () => {
  expect(['2026-11-14', '2024-02-29'].every(isDate)).toBe(true)
  expect(['2026-02-29', '2026-13-01', '14.11.2026', '', '2026-1-1'].some(isDate)).toBe(false)
  expect(['Europe/Berlin', 'utc', 'Europe/Hamburg'].map(zoneName)).toEqual(['Europe/Berlin', 'UTC', null])
  expect([mondayOf('2026-11-16'), mondayOf('2026-11-22'), mondayOf('2026-11-15')]).toEqual([
    '2026-11-16',
    '2026-11-16',
    '2026-11-09',
  ])
})
