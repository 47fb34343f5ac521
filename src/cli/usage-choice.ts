// What was typed after `clew usage` → values, or one line that says what is wrong with it.

import { readFileSync } from 'node:fs'
import { readPrices } from '../digest/price-file.ts'
import type { PriceTable } from '../digest/prices.ts'
import { LIST_PRICES } from '../digest/prices.ts'
import type { Calendar } from '../digest/usage-calendar.ts'
import { calendarOf } from '../digest/usage-calendar.ts'
import type { UsagePlace } from '../digest/usage-ledger.ts'
import type { UsageRange } from '../digest/usage-range.ts'
import type { UsageBy } from '../digest/usage-rows.ts'
import { USAGE_BY } from '../digest/usage-rows.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'
import { localCalendar, rangeOf } from './range.ts'
import { conversationFilter } from './scope.ts'

export interface TypedUsage {
  readonly by?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly tz?: string | undefined
  readonly prices?: string | undefined
}

export interface UsageChoice {
  readonly by: UsageBy
  readonly calendar: Calendar
  readonly range: UsageRange
  readonly prices: PriceTable
}

export function usageChoice({ by, tz, since, until, prices }: TypedUsage, world: World): UsageChoice {
  const calendar = calendarFor(tz)
  return { by: byOf(by), calendar, range: rangeOf({ since, until }, calendar, world), prices: pricesFrom(prices) }
}

function byOf(typed = 'day'): UsageBy {
  const by = USAGE_BY.find((one) => one === typed)
  if (by === undefined) throw new Failure(`--by takes ${USAGE_BY.join(', ')}, not “${typed}”`)
  return by
}

function calendarFor(typed: string | undefined): Calendar {
  if (typed === undefined) return localCalendar()
  const calendar = calendarOf(typed)
  if (calendar === null) throw new Failure(`--tz takes a time zone like Europe/Berlin or UTC, not “${typed}”`)
  return calendar
}

function pricesFrom(path: string | undefined): PriceTable {
  if (path === undefined) return LIST_PRICES
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Failure(`--prices ${path}: cannot be read (${code})`)
  }
  const { table, wrong } = readPrices(text, path, LIST_PRICES)
  if (table === null) throw new Failure(`--prices ${path}: ${wrong}`)
  return table
}

/** For those who print it: the name of this machine's zone where none was typed. */
export function zoneName({ timeZone }: Calendar): string {
  // To ask for the name takes as long as everything else, and this one a date tells at once.
  if (timeZone === '' && String(new Date()).endsWith('(Coordinated Universal Time)')) return 'UTC'
  return timeZone === '' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone
}

type Scope = Parameters<typeof conversationFilter>[0]

/** Which messages --here, --repo and --project mean: by the folder each of them ran in. Null for all. */
export function placeFilter(
  scope: Scope,
  pathOf: (projectKey: string) => string,
  world: World,
): ((place: UsagePlace) => boolean) | null {
  if (!scope.here && !scope.repo && scope.project === undefined) return null
  const isWanted = conversationFilter(scope, world.folder)
  return ({ cwd, projectKey }) => isWanted({ cwd, project: pathOf(projectKey), path: `/${projectKey}/transcript` })
}
