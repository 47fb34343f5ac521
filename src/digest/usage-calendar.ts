// A time → the day, week and month it falls on in a time zone. To ask Intl for each message would be most of the work, so
// it is asked how far the zone is from UTC at midnight, and where two midnights agree the rest is arithmetic.

import { offsetMs, withinDates, zoneName } from '../base/zone.ts'

export interface Calendar {
  readonly timeZone: string
  /** `2026-11-14` */
  readonly dayOf: (ms: number) => string
}

const DAY_MS = 86_400_000

/** Null when there is no time zone of this name. */
export function calendarOf(typed: string): Calendar | null {
  const zone = zoneName(typed)
  return zone === null ? null : calendarWith(zone, (ms) => offsetMs(ms, zone))
}

/** With another way to tell how much later the clocks show than UTC, in milliseconds. */
export function calendarWith(timeZone: string, offsetOf: (ms: number) => number): Calendar {
  const names = new Map<number, string>()
  const offsets = new Map<number, number>()
  let lastDay = Number.NaN
  let lastName = ''
  const offsetAtMidnight = (day: number): number => {
    const known = offsets.get(day)
    if (known !== undefined) return known
    const offset = offsetOf(day * DAY_MS)
    offsets.set(day, offset)
    return offset
  }
  const dayOf = (ms: number): string => {
    const day = Math.floor(ms / DAY_MS)
    const before = offsetAtMidnight(day)
    // On a day on which the clocks change, each time is looked up.
    const offset = before === offsetAtMidnight(day + 1) ? before : offsetOf(ms)
    const local = Math.floor((ms + offset) / DAY_MS)
    // One message follows the other, mostly on the same day.
    if (local === lastDay) return lastName
    lastDay = local
    lastName = names.get(local) ?? dayName(local * DAY_MS)
    names.set(local, lastName)
    return lastName
  }
  return { timeZone, dayOf }
}

function dayName(ms: number): string {
  return new Date(withinDates(ms)).toISOString().split('T')[0] ?? ''
}

/** `2026-W46`: weeks begin on Monday, and the first one of a year holds its first Thursday (ISO 8601). */
export function weekOf(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`)
  const weekday = (new Date(ms).getUTCDay() + 6) % 7
  const thursday = new Date(ms + (3 - weekday) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

export function monthOf(day: string): string {
  return day.slice(0, -3)
}
