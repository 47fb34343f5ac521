// --since and --until, as every command means them that has both: a date is a whole day here, and --until is with it.

import type { Calendar } from '../digest/usage-calendar.ts'
import { calendarWith } from '../digest/usage-calendar.ts'
import type { UsageBound, UsageRange } from '../digest/usage-range.ts'
import { boundOf, isBackwards } from '../digest/usage-range.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'

export interface TypedRange {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export function rangeOf({ since, until }: TypedRange, calendar: Calendar, { nowMs }: World): UsageRange {
  const range = { since: boundFor('since', since, nowMs), until: boundFor('until', until, nowMs) }
  if (isBackwards(range, calendar)) throw new Failure('--until is before --since')
  return range
}

function boundFor(option: 'since' | 'until', typed: string | undefined, nowMs: number): UsageBound | null {
  if (typed === undefined) return null
  const bound = boundOf(typed, nowMs)
  if (bound === null) throw new Failure(`--${option} takes a date like 2026-11-14, or 30m, 12h, 7d, 2w; not “${typed}”`)
  return bound
}

const MINUTE_MS = 60_000

/** A Date knows this machine's zone without Intl, which takes longer to get ready than a small archive to be added up. */
export function localCalendar(): Calendar {
  return calendarWith('', (ms) => -new Date(ms).getTimezoneOffset() * MINUTE_MS)
}
