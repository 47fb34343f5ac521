// Messages in stretches of time, for the chart: by week over a year, or by day over a quarter of it.

import type { ActiveDay } from '../../server/api/home.ts'
import { addDays, daysBetween, mondayOf } from '../parts/days.ts'
import { WEEKS } from './heat.ts'

export type Step = 'week' | 'day'

export interface Bar {
  readonly from: string
  readonly to: string
  readonly messages: number
}

const DAYS = 91

export function barsOf(days: readonly ActiveDay[], step: Step, last: string): readonly Bar[] {
  const length = step === 'week' ? 7 : 1
  const number = step === 'week' ? WEEKS : DAYS
  const end = step === 'week' ? mondayOf(last) : last
  const first = addDays(end, -length * (number - 1))
  const sums = new Array<number>(number).fill(0)
  for (const { day, messages } of days) {
    if (day > last) continue
    const place = Math.floor(daysBetween(first, day) / length)
    if (place >= 0) sums[place] = (sums[place] ?? 0) + messages
  }
  return sums.map((messages, place) => {
    const from = addDays(first, length * place)
    return { from, to: addDays(from, length - 1), messages }
  })
}
