import type { Calendar } from './usage-calendar.ts'
import type { UsageLedger } from './usage-ledger.ts'
import type { UsageRange } from './usage-range.ts'
import { isInRange } from './usage-range.ts'

/** Which lines are in range and at a place that is meant; null for all. */
export function chosenLines(
  { count, placeOf, firstMs }: UsageLedger,
  there: readonly boolean[] | null,
  range: UsageRange,
  calendar: Calendar,
): readonly number[] | null {
  if (there === null && range.since === null && range.until === null) return null
  const chosen: number[] = []
  for (let line = 0; line < count; line++) {
    const time = firstMs[line] as number
    if (there !== null && there[placeOf[line] as number] !== true) continue
    if (isInRange(Number.isNaN(time) ? null : time, range, calendar)) chosen.push(line)
  }
  return chosen
}
