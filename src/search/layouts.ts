// Layouts in the index: the live Branch of every conversation as Rows, so that a window of one is shown from a page or
// two of them and the bytes of the records in it. Made anew where one of the files it is made of has changed.

import { crc32 } from 'node:zlib'
import type { Woven } from '../conversation/build.ts'
import type { Growth } from '../conversation/growth.ts'
import type { Row, RowTurn } from '../conversation/layout.ts'
import { readTurns } from '../conversation/reading.ts'
import type { BranchFacts, ReadingLayout, RowBoundary, RowFork } from '../conversation/reading-layout.ts'
import { readingLayout } from '../conversation/reading-layout.ts'
import type { Database } from './database.ts'
import { PAGE_ROWS, packRows, packTurns, unpackRows, unpackTurns } from './layout-page.ts'
import type { KnownFile } from './plan.ts'

/** As it is handed from the thread that weaves to the one that writes. */
export interface PackedLayout {
  readonly stamp: string
  readonly head: string
  readonly turns: Uint8Array
  readonly pages: readonly Uint8Array[]
}

export interface LayoutHead {
  /** The files it is made of, by their number in the index; what a Spot's `transcript` counts. */
  readonly files: readonly number[]
  readonly rows: number
  readonly turns: number
  readonly branches: readonly BranchFacts[]
  readonly forks: readonly RowFork[]
  readonly boundaries: readonly RowBoundary[]
  readonly growth: Growth
}

export interface StoredHead extends LayoutHead {
  readonly file: number
  readonly stamp: string
  /** Where reading goes on: behind the last line end, in the line of this number. */
  readonly offset: number
  readonly line: number
}

/**
 * Of another shape than this, a Layout is made again. To be raised too when another Branch may be the live one, or when
 * records stand in other Turns.
 */
const SHAPE = 7

/** Which files a conversation is made of, how they stand, and which calls started which Subagent. */
export function layoutStamp(woven: Woven, known: ReadonlyMap<string, KnownFile>): string {
  const files = pathsOf(woven).map((path) => {
    const row = known.get(path)
    // Another file in its place may be as long and as old.
    return row === undefined ? '' : `${row.id} ${row.size} ${row.modifiedMs} ${row.changedMs} ${row.identity}`
  })
  const calls = [...woven.agents.agentOfCall].map((pair) => pair.join(' '))
  return `${SHAPE}:${crc32([...files, '', ...calls].join('\n'))}`
}

export function packLayout(woven: Woven, known: ReadonlyMap<string, KnownFile>, stamp: string): PackedLayout {
  const { rows, turns, ...facts }: ReadingLayout = readingLayout(woven, readTurns(woven))
  const files = pathsOf(woven).map((path) => known.get(path)?.id ?? 0)
  const head: LayoutHead = { files, rows: rows.length, turns: turns.length, ...facts }
  const pages: Uint8Array[] = []
  for (let at = 0; at < rows.length; at += PAGE_ROWS) pages.push(packRows(rows.slice(at, at + PAGE_ROWS)))
  return { stamp, head: JSON.stringify(head), turns: packTurns(turns), pages }
}

function pathsOf({ source: { main, earlier } }: Woven): readonly string[] {
  return [main.path, ...earlier.map(({ path }) => path)]
}

/** By which files the stored Layout of a file was made; undefined where there is none. */
export type LayoutStamp = (file: number) => string | undefined

export function layoutStamps(database: Database): LayoutStamp {
  const read = database.prepare('SELECT stamp FROM layout WHERE file = ?')
  return (file) => (read.get(file) as { readonly stamp: string } | undefined)?.stamp
}

type Statement = ReturnType<Database['prepare']>

export class LayoutWriter {
  readonly #put: Statement
  readonly #putPage: Statement
  readonly #dropPages: Statement
  readonly #drop: Statement

  constructor(database: Database) {
    this.#put = database.prepare(
      `INSERT INTO layout(file, stamp, head, turns) VALUES(?, ?, ?, ?)
       ON CONFLICT(file) DO UPDATE SET (stamp, head, turns) = (excluded.stamp, excluded.head, excluded.turns)`,
    )
    // What only grows keeps its pages but the last.
    this.#putPage = database.prepare(
      `INSERT INTO layout_page(file, number, rows) VALUES(?, ?, ?)
       ON CONFLICT DO UPDATE SET rows = excluded.rows WHERE rows <> excluded.rows`,
    )
    this.#dropPages = database.prepare('DELETE FROM layout_page WHERE file = ? AND number >= ?')
    this.#drop = database.prepare('DELETE FROM layout WHERE file = ?')
  }

  put(file: number, { stamp, head, turns, pages }: PackedLayout): void {
    this.#put.run(file, stamp, head, turns)
    for (const [number, page] of pages.entries()) this.#putPage.run(file, number, page)
    this.#dropPages.run(file, pages.length)
  }

  drop(file: number): void {
    this.#drop.run(file)
    this.#dropPages.run(file, 0)
  }
}

export class StoredLayouts {
  readonly #head: Statement
  readonly #turns: Statement
  readonly #pages: Statement
  readonly #paths: Statement

  constructor(database: Database) {
    this.#head = database.prepare(
      `SELECT layout.file, stamp, head, state ->> '$.offset' AS "offset", state ->> '$.number' AS line
       FROM layout JOIN file ON file.id = layout.file WHERE path = ?`,
    )
    this.#turns = database.prepare('SELECT turns FROM layout WHERE file = ?')
    this.#pages = database.prepare(
      'SELECT rows FROM layout_page WHERE file = ? AND number BETWEEN ? AND ? ORDER BY number',
    )
    this.#paths = database.prepare(
      'SELECT (SELECT path FROM file WHERE id = value) AS path FROM json_each(?) ORDER BY key',
    )
  }

  /** Of the transcript with this path. */
  head(path: string): StoredHead | null {
    const found = this.#head.get(path) as (Omit<StoredHead, keyof LayoutHead> & { readonly head: string }) | undefined
    if (found === undefined || !found.stamp.startsWith(`${SHAPE}:`)) return null
    const { head, ...rest } = found
    return { ...rest, ...(JSON.parse(head) as LayoutHead) }
  }

  paths({ files }: LayoutHead): readonly string[] {
    const rows = this.#paths.all(JSON.stringify(files)) as unknown as readonly { readonly path: string | null }[]
    return rows.map(({ path }) => path ?? '')
  }

  turns(file: number): readonly RowTurn[] {
    const found = this.#turns.get(file) as { readonly turns: Uint8Array } | undefined
    return found === undefined ? [] : unpackTurns(found.turns)
  }

  rows(file: number, from: number, count: number): readonly Row[] {
    if (count <= 0) return []
    const first = Math.floor(from / PAGE_ROWS)
    const pages = this.#pages.all(file, first, Math.floor((from + count - 1) / PAGE_ROWS))
    const rows = (pages as unknown as readonly { readonly rows: Uint8Array }[]).flatMap((page) => unpackRows(page.rows))
    return rows.slice(from - first * PAGE_ROWS, from - first * PAGE_ROWS + count)
  }
}
