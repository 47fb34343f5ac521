// Which docs match, the newest first and no more than are wanted. Where only some files or some time are meant, a common
// word is not walked over from its newest doc to its oldest: it is looked up where docs of theirs can be.

import type { Database } from './database.ts'
import type { SpanRange } from './spans.ts'
import { spansOf } from './spans.ts'
import { changedInPassing, statement } from './statements.ts'

export type Table = 'said' | 'done'

/** Only which docs match, the newest first: much cheaper than the docs themselves. */
export function idsMatching(
  database: Database,
  table: Table,
  match: string,
  range: SpanRange,
  most: number,
): readonly number[] {
  const narrowed = narrowing(range)
  if (narrowed === null) {
    const { ids } = statement(
      database,
      `SELECT group_concat(id) AS ids FROM
       (SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?)`,
    ).get(match, most) as { readonly ids: string | null }
    return numbersOf(ids)
  }
  return narrowedIds(database, table, match, range, narrowed, most)
}

function numbersOf(ids: string | null): readonly number[] {
  return ids === null ? [] : ids.split(',').map(Number)
}

/** So many of the newest are looked at wherever they are, before anybody asks where they can be at all. */
const NEAR_MAX = 2000

function narrowedIds(
  database: Database,
  table: Table,
  match: string,
  range: SpanRange,
  narrowed: string,
  most: number,
): readonly number[] {
  const walk = statement(
    database,
    `SELECT group_concat(iif(${narrowed}, doc.id, NULL)) AS ids, count(*) AS walked, min(hit.id) AS lowest FROM
     (SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?) AS hit
     LEFT JOIN doc ON doc.id = hit.id`,
  )
  const found: number[] = []
  const step = (from: number, to: number): number | null => {
    const { ids, walked, lowest } = walk.get(match, from, to, NEAR_MAX) as unknown as Walked
    for (const id of numbersOf(ids)) found.push(id)
    return walked < NEAR_MAX || found.length >= most ? null : lowest
  }
  const below = step(0, Number.MAX_SAFE_INTEGER)
  if (below === null) return found.slice(0, most)
  for (const { from, to } of spansOf(database, range)) {
    let next: number | null = Math.min(to, below - 1)
    while (next !== null && next >= from && found.length < most) {
      next = step(from, next)
      if (next !== null) next--
    }
    if (found.length >= most) break
  }
  return found.slice(0, most)
}

interface Walked {
  readonly ids: string | null
  readonly walked: number
  readonly lowest: number
}

/** What must be true of a doc; null for nothing. */
function narrowing({ scope, sinceMs, untilMs }: SpanRange): string | null {
  const all = [
    scope === null ? null : 'doc.file IN scope',
    sinceMs === null ? null : `doc.ms >= ${Math.floor(sinceMs)}`,
    untilMs === null ? null : `doc.ms <= ${Math.floor(untilMs)}`,
  ].filter((one) => one !== null)
  return all.length === 0 ? null : all.join(' AND ')
}

export function setScope(database: Database, scope: readonly number[] | null): void {
  if (scope === null) return
  if (SCOPES.get(database)?.deref() === scope) return
  database.exec('CREATE TEMP TABLE IF NOT EXISTS scope(file INTEGER PRIMARY KEY)')
  changedInPassing(database, 'DELETE FROM scope')
  changedInPassing(database, 'INSERT INTO scope SELECT value FROM json_each(?)', JSON.stringify(scope))
  SCOPES.set(database, new WeakRef(scope))
}

/** What was set last: a search asks many things of one scope. */
const SCOPES = new WeakMap<Database, WeakRef<readonly number[]>>()
