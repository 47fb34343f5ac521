// Conversations by their title. There are few of them, so they are all ranked.

import type { CandidateRange } from './candidates.ts'
import type { Database } from './database.ts'
import { setScope } from './ids-matching.ts'
import type { Query } from './query.ts'
import { matchGroups } from './query.ts'
import { statement } from './statements.ts'

export interface TitleHit {
  readonly file: number
  /** From 0 to 1, compared with the best. */
  readonly fit: number
}

const TITLES_MAX = 50

export function titlesMatching(database: Database, query: Query, range: CandidateRange): readonly TitleHit[] {
  const match = titleMatch(query, range)
  if (match === null) return []
  setScope(database, range.scope)
  // The plus keeps SQLite from asking once for each file of the scope.
  const where = range.scope === null ? '' : 'AND +titled.rowid IN scope'
  const rows = statement(
    database,
    `SELECT rowid AS file, -bm25(titled) AS fit FROM titled WHERE titled MATCH ? ${where} ORDER BY fit DESC LIMIT ${TITLES_MAX}`,
  ).all(match) as unknown as readonly TitleHit[]
  const best = rows[0]?.fit ?? 0
  return rows.map(({ file, fit }) => ({ file, fit: best > 0 ? Math.max(0, fit / best) : 1 }))
}

/** All conversations whose title fits, wherever they are. */
export function filesTitled(database: Database, query: Query, range: CandidateRange): ReadonlySet<number> {
  const match = titleMatch(query, range)
  if (match === null) return new Set()
  const rows = statement(database, 'SELECT rowid AS file FROM titled WHERE titled MATCH ?').all(match)
  return new Set((rows as unknown as readonly TitleHit[]).map(({ file }) => file))
}

/** Null where titles are not meant: filters on calls are about Turns. */
function titleMatch(query: Query, { fields, tool }: CandidateRange): string | null {
  const isAboutCalls = query.paths.length + query.tools.length + query.commands.length > 0 || tool !== null
  return isAboutCalls || (fields.size > 0 && !fields.has('titles')) ? null : matchGroups(query)
}
