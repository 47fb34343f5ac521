// From when until when: a date means the whole day in the chosen time zone, a span counts back from now.

import { sinceMs } from '../base/time.ts'
import { isDate } from '../base/zone.ts'
import type { Calendar } from './usage-calendar.ts'

/** One end of a range: a day in the calendar, or a moment. */
export type UsageBound =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'moment'; readonly ms: number }

/** `2026-11-14`, a moment like `2026-11-14T09:00:00Z`, or `7d` before now; null when it is none of them. */
export function boundOf(typed: string, nowMs: number): UsageBound | null {
  const text = typed.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isDate(text) ? { kind: 'day', day: text } : null
  const ms = sinceMs(text, nowMs)
  return ms === null ? null : { kind: 'moment', ms }
}

export interface UsageRange {
  readonly since: UsageBound | null
  readonly until: UsageBound | null
}

/** What has no time is in no range but the whole. */
export function isInRange(ms: number | null, { since, until }: UsageRange, calendar: Calendar): boolean {
  if (since === null && until === null) return true
  if (ms === null) return false
  if (since !== null && (since.kind === 'day' ? calendar.dayOf(ms) < since.day : ms < since.ms)) return false
  return until === null || (until.kind === 'day' ? calendar.dayOf(ms) <= until.day : ms <= until.ms)
}

export function isBackwards({ since, until }: UsageRange, calendar: Calendar): boolean {
  if (since === null || until === null) return false
  if (since.kind === 'moment' && until.kind === 'moment') return until.ms < since.ms
  const dayOf = (bound: UsageBound): string => (bound.kind === 'day' ? bound.day : calendar.dayOf(bound.ms))
  return dayOf(until) < dayOf(since)
}
