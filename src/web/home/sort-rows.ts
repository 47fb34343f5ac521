import type { Activity, HomeRow } from '../../server/api/home.ts'
import type { Sort } from './view.ts'

/**
 * `times` is when each row was last changed as far as the order goes: a session that is at work changes all the time,
 * and must not jump about under the reader's eyes.
 */
export function sortRows(
  rows: readonly HomeRow[],
  sort: Sort,
  times: ReadonlyMap<string, number>,
  activity: Activity | null,
): readonly HomeRow[] {
  const timeOf = (row: HomeRow): number => times.get(row.id) ?? row.modifiedMs
  if (sort === 'title') {
    const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    return rows.toSorted((one, other) => compare(one.title, other.title) || timeOf(other) - timeOf(one))
  }
  if (sort === 'oldest') return rows.toSorted((one, other) => timeOf(one) - timeOf(other))
  const measure = {
    newest: timeOf,
    longest: (row: HomeRow) => row.turns,
    largest: (row: HomeRow) => row.sizeBytes,
    costliest: (row: HomeRow) => activity?.sessions[row.id]?.costUsd ?? -1,
  }[sort]
  return rows.toSorted((one, other) => measure(other) - measure(one) || timeOf(other) - timeOf(one))
}

/** Whether rows that went on would now stand elsewhere. */
export function isOutOfOrder(shown: readonly HomeRow[], sort: Sort): boolean {
  if (sort !== 'newest' && sort !== 'oldest') return false
  const sign = sort === 'newest' ? 1 : -1
  return shown.some((row, place) => {
    const next = shown[place + 1]
    return next !== undefined && (next.modifiedMs - row.modifiedMs) * sign > 0
  })
}
