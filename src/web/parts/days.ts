// Days of the calendar as `2026-11-14`. They compare as texts; arithmetic goes by way of midnight in UTC, where no day is
// longer than another.

const DAY_MS = 86_400_000
const zones = new Map<string, Intl.DateTimeFormat>()

/** The day a moment belongs to in a time zone. */
export function dayIn(timeZone: string, ms: number): string {
  let format = zones.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    zones.set(timeZone, format)
  }
  return format.format(ms)
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

export function mondayOf(day: string): string {
  return addDays(day, -weekdayOf(day))
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function monthOf(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? ''
}

/** `14 Nov 2026` */
export function writtenDay(day: string): string {
  return `${Number(day.slice(8))} ${monthOf(day)} ${day.slice(0, 4)}`
}

/** `14 Nov 2026`, or `9–14 Nov 2026`, `28 Oct – 3 Nov 2026` for several. */
export function writtenDays(from: string, to: string): string {
  if (from === to) return writtenDay(from)
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))}–${writtenDay(to)}`
  if (from.slice(0, 4) === to.slice(0, 4)) return `${Number(from.slice(8))} ${monthOf(from)} – ${writtenDay(to)}`
  return `${writtenDay(from)} – ${writtenDay(to)}`
}
