// Keys of rows in time, without gaps: a week in which nothing happened has its place on an axis too.

import { addDays, mondayOf, monthOf, writtenDay } from '../parts/days.ts'
import type { TimeUnit } from './view.ts'

/** More would be thinner than a line. */
const KEYS_MAX = 1500

/** From the first to the last of them, and from `since` where that is earlier. `no time` has no place. */
export function keysBetween(
  unit: TimeUnit,
  found: readonly string[],
  since: string | null,
  today: string | null,
): string[] {
  const days = found.map((key) => firstDay(unit, key)).filter((day) => day !== null)
  if (days.length === 0) return []
  const ends = [...days, ...(since === null ? [] : [since]), ...(today === null ? [] : [today])].sort()
  const last = ends.at(-1) ?? ''
  const keys = new Set<string>()
  for (let day = ends[0] ?? ''; day <= last && keys.size < KEYS_MAX; day = addDays(day, 1)) keys.add(keyOf(unit, day))
  return [...keys]
}

function firstDay(unit: TimeUnit, key: string): string | null {
  if (unit === 'day') return /^\d{4}-\d\d-\d\d$/.test(key) ? key : null
  if (unit === 'month') return /^\d{4}-\d\d$/.test(key) ? `${key}-01` : null
  const week = /^(\d{4})-W(\d\d)$/.exec(key)
  // The fourth of January is in the first week of its year.
  return week === null ? null : addDays(mondayOf(`${week[1]}-01-04`), 7 * (Number(week[2]) - 1))
}

function keyOf(unit: TimeUnit, day: string): string {
  if (unit === 'day') return day
  if (unit === 'month') return day.slice(0, 7)
  const thursday = addDays(mondayOf(day), 3)
  const year = thursday.slice(0, 4)
  const weeks = Math.round((Date.parse(mondayOf(day)) - Date.parse(mondayOf(`${year}-01-04`))) / 604_800_000)
  return `${year}-W${String(weeks + 1).padStart(2, '0')}`
}

/** For an axis: `14 Nov`, `W46`, `Nov 2026`. */
export function shortKey(unit: TimeUnit, key: string): string {
  if (unit === 'week') return key.slice(5)
  const day = firstDay(unit, key)
  if (day === null) return key
  return unit === 'day' ? `${Number(day.slice(8))} ${monthOf(day)}` : `${monthOf(day)} ${day.slice(0, 4)}`
}

/** For a row: `Sat, 14 Nov 2026`, `Week 46, from 9 Nov 2026`, `Nov 2026`. */
export function longKey(unit: TimeUnit, key: string): string {
  const day = firstDay(unit, key)
  if (day === null) return key
  if (unit === 'month') return shortKey(unit, key)
  if (unit === 'week') return `Week ${Number(key.slice(6))}, from ${writtenDay(day)}`
  return `${WEEKDAYS[new Date(day).getUTCDay()]}, ${writtenDay(day)}`
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
