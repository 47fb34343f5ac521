import { dateAfter, startOfDate } from '../base/zone.ts'
import type { Day } from './gather.ts'

export function dayOf(date: string, zone: string, startHour: number): Day {
  return {
    date,
    fromMs: startOfDate(date, zone, startHour),
    toMs: startOfDate(dateAfter(date, 1), zone, startHour),
  }
}
