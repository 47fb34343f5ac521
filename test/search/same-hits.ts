// Two indexes of the same files find the same. Which record of a Turn speaks for it, and what it weighs, depends on how
// many rows the word index has ever held: those that were deleted still count, because FTS5 does not know their words
// any more. So Turns are compared, and their scores where nothing was deleted.

import { expect } from 'vitest'
import type { Database } from '../../src/search/database.ts'
import type { SearchHit, SearchOptions } from '../../src/search/model.ts'
import { searchIndex } from '../../src/search/search.ts'

/** One group each: of several words a search may be content with some, and then looks only at a part. */
const QUERIES = [
  'tide',
  'moon',
  'GROSSE',
  'größe',
  'cafe',
  '潮汐',
  'har*',
  '"offset window"',
  'src/tides/day.ts',
  'parse_line',
  'clock -moon',
  'branch OR merge',
  'path:record.ts',
  'tool:Bash',
  'cmd:tide',
  'tables',
]

const ALL: Omit<SearchOptions, 'typed'> = {
  fields: new Set(),
  sinceMs: null,
  untilMs: null,
  tool: null,
  file: null,
  limit: 5000,
  perConversation: Number.POSITIVE_INFINITY,
}

export function compareSearches(kept: Database, fresh: Database, nowMs: number): void {
  const isWeighed = statisticsOf(kept) === statisticsOf(fresh)
  for (const typed of QUERIES) {
    const found = scoresOf(kept, typed, nowMs)
    const expected = scoresOf(fresh, typed, nowMs)
    expect([typed, ...[...found.keys()].sort()]).toEqual([typed, ...[...expected.keys()].sort()])
    if (!isWeighed) continue
    for (const [key, score] of found) expect([key, score]).toEqual([key, expect.closeTo(expected.get(key) ?? 0, 4)])
  }
}

function scoresOf(database: Database, typed: string, nowMs: number): ReadonlyMap<string, number> {
  const { hits } = searchIndex(database, { ...ALL, typed }, { scope: filesThere(database), nowMs })
  return new Map(hits.map((hit) => [keyOf(hit), hit.score]))
}

function keyOf({ path, agentId, kind, branch, turn, ref, title, project, isGone }: SearchHit): string {
  if (kind === 'title' || kind === 'conversation') return JSON.stringify([path, kind, isGone, title, project])
  // The file of a subagent is one Turn. It may have outlived its session, whose title only the older index knows.
  if (agentId !== null) return JSON.stringify([path, isGone])
  return JSON.stringify([path, branch === null ? ref : `${branch}.${turn}`, isGone, title, project])
}

function filesThere(database: Database): readonly number[] {
  const rows = database.prepare('SELECT id FROM file WHERE gone_ms IS NULL').all()
  return (rows as unknown as readonly { readonly id: number }[]).map(({ id }) => id)
}

/** How many rows and words there are, as FTS5 keeps it. */
function statisticsOf(database: Database): string {
  return ['said', 'done', 'titled']
    .map((table) => database.prepare(`SELECT hex(block) AS block FROM ${table}_data WHERE id = 1`).get())
    .map((row) => (row as { readonly block: string } | undefined)?.block ?? '')
    .join(' ')
}
