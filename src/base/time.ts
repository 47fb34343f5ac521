import { isDate } from './zone.ts'

/** Milliseconds since 1970 from an ISO text or an epoch number; null when it is neither. */
export function timeMs(value: unknown): number | null {
  if (typeof value === 'number') return Math.abs(value) <= TIME_MS_MAX ? value : null
  if (typeof value !== 'string') return null
  const ms = value.length === 24 ? (canonicalMs(value) ?? Date.parse(value)) : Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}

/** As far as a Date goes. */
const TIME_MS_MAX = 8.64e15

let knownDay = ''
let knownDayMs = 0

/**
 * `2026-11-15T18:16:07.087Z` without Date.parse: every record has one, nearly all of them of the same day as the one
 * before. Null when it is written in any other way.
 */
function canonicalMs(text: string): number | null {
  if (text.charCodeAt(10) !== 0x54 || text.charCodeAt(13) !== 0x3a || text.charCodeAt(16) !== 0x3a) return null
  if (text.charCodeAt(19) !== 0x2e || text.charCodeAt(23) !== 0x5a) return null
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  const hundredths = twoDigits(text, 20)
  const last = text.charCodeAt(22) - 0x30
  if (!(hours < 24 && minutes < 60 && seconds < 60 && hundredths < 100 && last >= 0 && last < 10)) return null
  if (!text.startsWith(knownDay) || knownDay === '') {
    const day = text.slice(0, 10)
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null
    knownDayMs = Date.parse(`${day}T00:00:00.000Z`)
    knownDay = day
  }
  return knownDayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000 + hundredths * 10 + last
}

/** Not a number of two digits: more than any bound. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 1000
}

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** `7d`, `2w`, `12h`, `30m` before `nowMs`, or when a date began on this machine's clocks; null when it is neither. */
export function sinceMs(text: string, nowMs: number): number | null {
  const typed = text.trim()
  const span = /^(\d+)\s*([mhdw])$/.exec(typed)
  if (span === null) {
    // Read as a time, a date would begin in London, and the 30th of February would be in March.
    if (/^\d{4}-\d\d-\d\d$/.test(typed)) return dayMs(typed)?.firstMs ?? null
    // A bare number is a slip of the pen, not the year 2001.
    return /^\d{4}-/.test(typed) ? timeMs(typed) : null
  }
  const unit = UNIT_MS[span[2] ?? '']
  return unit === undefined ? null : nowMs - Number(span[1]) * unit
}

/** `2026-11-14` as this machine's clocks show it, from its first to its last millisecond; null when it is no date. */
export function dayMs(text: string): { readonly firstMs: number; readonly lastMs: number } | null {
  const day = text.trim()
  if (!isDate(day)) return null
  const date = new Date(`${day}T00:00:00`)
  const firstMs = date.getTime()
  // Not 24 hours later, where the clocks change.
  date.setDate(date.getDate() + 1)
  return { firstMs, lastMs: date.getTime() - 1 }
}
