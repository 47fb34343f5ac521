// Every record of one transcript with the words in it, in file order: what a reader of that conversation jumps through.

import { matchesOf } from './candidates.ts'
import type { Database } from './database.ts'
import { parseQuery } from './query.ts'

export interface FoundInFile {
  readonly offsets: readonly number[]
  readonly isBounded: boolean
}

const FOUND_MAX = 5000

export function findInFile(database: Database, path: string, typed: string): FoundInFile {
  const range = { scope: null, fields: new Set<never>(), sinceMs: null, untilMs: null, tool: null, limit: FOUND_MAX }
  const matches = matchesOf(parseQuery(typed), range)
  const offsets = new Set<number>()
  for (const table of ['said', 'done'] as const) {
    const match = matches[table]
    if (match === null) continue
    const rows = database
      .prepare(
        `SELECT doc.offset FROM ${table} CROSS JOIN doc ON doc.id = ${table}.rowid
         WHERE ${table} MATCH ? AND doc.file = (SELECT id FROM file WHERE path = ?) LIMIT ?`,
      )
      .all(match, path, FOUND_MAX)
    for (const { offset } of rows as unknown as readonly { readonly offset: number }[]) offsets.add(offset)
  }
  const sorted = [...offsets].sort((one, other) => one - other)
  return { offsets: sorted.slice(0, FOUND_MAX), isBounded: sorted.length >= FOUND_MAX }
}
