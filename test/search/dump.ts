// An index as a value that says nothing about how it came to be: no row ids, no order of arrival, no deleted files. Two
// indexes of the same files must give the same value, whatever happened on the way.

import { unpackUsage } from '../../src/load/usage-pack.ts'
import type { Database } from '../../src/search/database.ts'
import { StoredLayouts } from '../../src/search/layouts.ts'
import { storedEnvelopes } from '../../src/search/stored.ts'

export interface DumpedFile {
  readonly file: Readonly<Record<string, unknown>>
  readonly state: unknown
  readonly tail: unknown
  readonly envelopes: readonly unknown[]
  /** By page: where one ends must not depend on what happened either. */
  readonly usages: readonly unknown[]
  readonly docs: readonly unknown[]
  readonly calls: readonly unknown[]
  readonly title: string
  readonly conversations: readonly unknown[]
  readonly layout: unknown
}

type Row = Readonly<Record<string, string | number | null | Uint8Array>>

/** By path. Files that are marked as gone are left out. */
export function dumpIndex(database: Database): Readonly<Record<string, DumpedFile>> {
  const rows = (sql: string, ...values: readonly number[]): readonly Row[] =>
    database.prepare(sql).all(...values) as unknown as readonly Row[]
  const said = termsOf(database, 'said')
  const done = termsOf(database, 'done')
  const titled = termsOf(database, 'titled')
  const dumped: Record<string, DumpedFile> = {}
  for (const { id, path, state, tail, ...file } of rows('SELECT * FROM file WHERE gone_ms IS NULL ORDER BY path')) {
    const own = Number(id)
    dumped[String(path)] = {
      file,
      state: withoutPaths(state),
      tail: withoutPaths(tail),
      envelopes: storedEnvelopes(database, own),
      usages: rows('SELECT number, records FROM usage_page WHERE file = ? ORDER BY number', own).map(
        ({ number, records }) => [number, unpackUsage(records as Uint8Array)],
      ),
      docs: rows('SELECT * FROM doc WHERE file = ? ORDER BY record', own).map(({ id: doc, file: _, ...rest }) => ({
        ...rest,
        said: said.get(Number(doc)) ?? '',
        done: done.get(Number(doc)) ?? '',
      })),
      calls: rows('SELECT * FROM tool_call WHERE file = ? ORDER BY record, number', own).map(
        ({ file: _, ...rest }) => rest,
      ),
      title: titled.get(own) ?? '',
      conversations: rows(CONVERSATIONS, own).map(({ turns, ...rest }) => ({
        ...rest,
        turns: Buffer.from(turns as Uint8Array).toString('base64'),
      })),
      layout: layoutOf(database, String(path)),
    }
  }
  return dumped
}

/** Without the numbers of its files, which say when they were met. */
function layoutOf(database: Database, path: string): unknown {
  const layouts = new StoredLayouts(database)
  const head = layouts.head(path)
  if (head === null) return null
  const { file, files: _, stamp: __, ...rest } = head
  return { ...rest, paths: layouts.paths(head), turns: layouts.turns(file), rows: layouts.rows(file, 0, head.rows) }
}

/** Seen from several roots a file has several rows, and all of them say the same. */
const CONVERSATIONS =
  'SELECT DISTINCT summary, models, git_branches AS branches, turns FROM conversation WHERE file = ?'

/** Rows that belong to nothing; there must be none. */
export function strayRows(database: Database): readonly string[] {
  const count = (sql: string): number => Number((database.prepare(sql).get() as { readonly n: number }).n)
  const strays = {
    pages: 'SELECT count(*) AS n FROM page WHERE file NOT IN (SELECT id FROM file)',
    usages: 'SELECT count(*) AS n FROM usage_page WHERE file NOT IN (SELECT id FROM file)',
    docs: 'SELECT count(*) AS n FROM doc WHERE file NOT IN (SELECT id FROM file)',
    calls: 'SELECT count(*) AS n FROM tool_call WHERE file NOT IN (SELECT id FROM file)',
    said: 'SELECT count(*) AS n FROM said_docsize WHERE id NOT IN (SELECT id FROM doc)',
    done: 'SELECT count(*) AS n FROM done_docsize WHERE id NOT IN (SELECT id FROM doc)',
    titles: 'SELECT count(*) AS n FROM titled_docsize WHERE id NOT IN (SELECT id FROM file)',
    layouts: 'SELECT count(*) AS n FROM layout WHERE file NOT IN (SELECT file FROM conversation)',
    layoutPages: 'SELECT count(*) AS n FROM layout_page WHERE file NOT IN (SELECT file FROM layout)',
    conversations: 'SELECT count(*) AS n FROM conversation WHERE file NOT IN (SELECT id FROM file)',
  }
  return Object.entries(strays).flatMap(([name, sql]) => (count(sql) === 0 ? [] : [`${count(sql)} ${name}`]))
}

/** Every word the index knows, by row: with its column, in its order. The texts themselves are not stored. */
function termsOf(database: Database, table: 'said' | 'done' | 'titled'): ReadonlyMap<number, string> {
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.${table}_terms USING fts5vocab(main, ${table}, instance)`)
  const terms = new Map<number, string>()
  const sql = `SELECT doc, col || ':' || group_concat(term, ' ' ORDER BY "offset") AS line FROM ${table}_terms
    GROUP BY doc, col ORDER BY doc, col`
  for (const { doc, line } of database.prepare(sql).iterate() as Iterable<{ doc: number; line: string }>) {
    terms.set(doc, terms.has(doc) ? `${terms.get(doc)}\n${line}` : line)
  }
  return terms
}

/** A Problem keeps the path it was met under, and whoever reads it puts the present one there. */
function withoutPaths(stored: unknown): unknown {
  if (typeof stored !== 'string' || stored === '') return stored
  return JSON.parse(stored, (key, value: unknown) =>
    key === 'position' && value !== null ? { ...(value as object), path: null } : value,
  )
}
