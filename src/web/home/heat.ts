// The days of a year as a calendar: weeks are columns, days of the week are rows. How dark a day is follows from how it
// compares with the other days that are shown.

import type { ActiveDay } from '../../server/api/home.ts'
import { addDays, daysBetween, mondayOf, monthOf } from '../parts/days.ts'

export const WEEKS = 53

export interface HeatDay {
  readonly day: string
  readonly messages: number
  readonly sessions: number
  readonly level: 0 | 1 | 2 | 3 | 4
}

export interface Heat {
  /** Seven rows, Monday first, each with a day for every week up to the last day. */
  readonly rows: readonly (readonly HeatDay[])[]
  /** How many weeks each month takes, from the left. */
  readonly months: readonly { readonly name: string; readonly key: string; readonly weeks: number }[]
  readonly first: string
  readonly last: string
}

export function heatOf(days: readonly ActiveDay[], last: string): Heat {
  const first = addDays(mondayOf(last), -7 * (WEEKS - 1))
  const byDay = new Map(days.map((active) => [active.day, active]))
  const busy = days.filter(({ day, messages }) => messages > 0 && first <= day && day <= last)
  const limits = quarters(busy.map(({ messages }) => messages))
  const rows = Array.from({ length: 7 }, (_, weekday) =>
    Array.from({ length: WEEKS }, (_, week) => addDays(first, 7 * week + weekday)).flatMap((day) => {
      if (day > last) return []
      const active = byDay.get(day)
      const messages = active?.messages ?? 0
      return { day, messages, sessions: active?.sessions.length ?? 0, level: levelOf(messages, limits) }
    }),
  )
  return { rows, months: monthsOf(first), first, last }
}

/** The last day of the calendar: today, unless all there is lies further back. */
export function lastDayFor(days: readonly ActiveDay[], today: string): string {
  const latest = days.reduce((latest, { day, messages }) => (messages > 0 && day > latest ? day : latest), '')
  return latest !== '' && daysBetween(latest, today) > 7 * (WEEKS - 1) ? latest : today
}

function quarters(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.25, 0.5, 0.75].map((part) => sorted[Math.floor(part * sorted.length)] ?? 0)
}

function levelOf(messages: number, [low = 0, middle = 0, high = 0]: readonly number[]): HeatDay['level'] {
  if (messages === 0) return 0
  if (messages >= high) return 4
  if (messages >= middle) return 3
  return messages >= low ? 2 : 1
}

/** A month begins with the week its first day is in. */
function monthsOf(first: string): Heat['months'] {
  const months: { name: string; key: string; weeks: number }[] = []
  for (let week = 0; week < WEEKS; week++) {
    const sunday = addDays(first, 7 * week + 6)
    const key = sunday.slice(0, 7)
    const month = months.at(-1)
    if (month?.key === key) month.weeks++
    else months.push({ name: monthOf(sunday), key, weeks: 1 })
  }
  return months
}
