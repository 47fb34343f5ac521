// What the Usage page shows, as its address says it. An address can be typed by hand, so every value is checked.

import { addDays, dayIn, isDay } from '../parts/days.ts'

export const BY = ['day', 'week', 'month', 'model', 'project', 'session', 'agent'] as const
export type By = (typeof BY)[number]

export type TimeUnit = 'day' | 'week' | 'month'

export const RANGES = [
  ['7d', '7 days', 7],
  ['30d', '30 days', 30],
  ['90d', '90 days', 90],
  ['year', 'Year', 365],
  ['all', 'All', null],
  ['custom', 'Custom', null],
] as const
export type RangeName = (typeof RANGES)[number][0]

export type Measure = 'cost' | 'tokens'

export const COLUMNS = ['label', 'cost', 'messages', 'input', 'output', 'read', 'write'] as const
export type Column = (typeof COLUMNS)[number]

export interface UsageView {
  readonly by: By
  readonly range: RangeName
  /** Days, with both ends; null for no end. */
  readonly since: string | null
  readonly until: string | null
  readonly measure: Measure
  readonly sort: Column
  readonly isDescending: boolean
  readonly explained: Explained | null
}

export interface Explained {
  readonly by: By
  /** Empty for the total. */
  readonly key: string
}

export function isTime(by: By): by is TimeUnit {
  return by === 'day' || by === 'week' || by === 'month'
}

export function readView(query: URLSearchParams, nowMs: number): UsageView {
  const by = oneOf(query.get('by'), BY, 'day')
  const range = oneOf(
    query.get('range'),
    RANGES.map(([name]) => name),
    '30d',
  )
  const sort = oneOf(query.get('sort'), COLUMNS, isTime(by) ? 'label' : 'cost')
  return {
    by,
    range,
    ...daysOf(range, query, nowMs),
    measure: oneOf(query.get('measure'), ['cost', 'tokens'] as const, 'cost'),
    sort,
    isDescending: (query.get('order') ?? 'down') !== 'up',
    explained: explainedOf(query.get('explain')),
  }
}

/** The same as an address; what is usual is left out. */
export function viewQuery(view: UsageView): URLSearchParams {
  const { by, range, since, until, measure, sort, isDescending, explained } = view
  const query = new URLSearchParams()
  if (by !== 'day') query.set('by', by)
  if (range !== '30d') query.set('range', range)
  if (range === 'custom' && since !== null) query.set('since', since)
  if (range === 'custom' && until !== null) query.set('until', until)
  if (measure !== 'cost') query.set('measure', measure)
  if (sort !== (isTime(by) ? 'label' : 'cost')) query.set('sort', sort)
  if (!isDescending) query.set('order', 'up')
  if (explained !== null) query.set('explain', `${explained.by}:${explained.key}`)
  return query
}

function daysOf(range: RangeName, query: URLSearchParams, nowMs: number): Pick<UsageView, 'since' | 'until'> {
  if (range === 'custom') return { since: dayOrNull(query.get('since')), until: dayOrNull(query.get('until')) }
  const days = RANGES.find(([name]) => name === range)?.[2] ?? null
  if (days === null) return { since: null, until: null }
  // The server runs on this machine, and its days are this browser's.
  const today = dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, nowMs)
  return { since: addDays(today, 1 - days), until: null }
}

function dayOrNull(text: string | null): string | null {
  return text !== null && isDay(text) ? text : null
}

function explainedOf(text: string | null): Explained | null {
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 0) return null
  const by = BY.find((one) => one === text.slice(0, colon))
  return by === undefined ? null : { by, key: text.slice(colon + 1) }
}

function oneOf<Value extends string>(text: string | null, allowed: readonly Value[], usual: Value): Value {
  return allowed.find((one) => one === text) ?? usual
}
