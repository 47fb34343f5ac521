// Local days. A day begins at an hour somebody chose, in a time zone, and may have 23 or 25 hours.

const formats = new Map<string, Intl.DateTimeFormat>()

/** Its own name for a time zone, however it was typed; null when there is none of that name. */
export function zoneName(typed: string): string | null {
  try {
    return formatOf(typed).resolvedOptions().timeZone
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The date of a moment, `2026-11-14`; before the day's first hour it is still the day before. */
export function dateIn(ms: number, zone: string, startHour = 0): string {
  const wall = wallMs(ms, zone) - startHour * HOUR_MS
  return new Date(wall).toISOString().slice(0, 10)
}

/** When a date begins. The hour that a clock change leaves out begins when the next one does. */
export function startOfDate(date: string, zone: string, startHour = 0): number {
  const wall = Date.parse(`${date}T00:00:00.000Z`) + startHour * HOUR_MS
  // The offset at the first guess may be that of the other side of a clock change; at the second it is right.
  const guess = wall - offsetMs(wall, zone)
  const found = wall - offsetMs(guess, zone)
  return wallMs(found, zone) < wall ? guess : found
}

export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00.000Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10)
}

/** The Monday of its week. */
export function mondayOf(date: string): string {
  const weekday = (new Date(`${date}T12:00:00.000Z`).getUTCDay() + 6) % 7
  return dateAfter(date, -weekday)
}

export function isDate(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** `09:12`, as a clock on the wall there shows it. */
export function clockIn(ms: number, zone: string): string {
  return new Date(wallMs(ms, zone)).toISOString().slice(11, 16)
}

const HOUR_MS = 3_600_000

/** How much later the clocks show there than in UTC. */
export function offsetMs(ms: number, zone: string): number {
  const second = wholeSecond(ms)
  const parts = new Map(
    formatOf(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') === true ? 1 - part('year') : part('year')
  const shown = new Date(0)
  shown.setUTCFullYear(year, part('month') - 1, part('day'))
  shown.setUTCHours(part('hour'), part('minute'), part('second'))
  return Number.isNaN(shown.getTime()) ? 0 : shown.getTime() - second
}

/** What clocks show there, as if it were UTC. */
function wallMs(ms: number, zone: string): number {
  return withinDates(wholeSecond(ms) + offsetMs(ms, zone))
}

function wholeSecond(ms: number): number {
  return Math.floor(withinDates(ms) / 1000) * 1000
}

/** As far as a Date goes. */
export function withinDates(ms: number): number {
  return Math.max(-8.64e15, Math.min(8.64e15, ms))
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const date = { era: 'short', year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'iso8601', ...date, ...time })
  formats.set(zone, made)
  return made
}
