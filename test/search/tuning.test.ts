// What a first build leaves unmerged is merged behind the ingests that follow, never within the commit of a record that
// was appended, and is found all the while.

import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { Database } from '../../src/search/database.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { jsonl, prompt, session, sessionId, talk, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'

const NOW_MS = 1_800_000_000_000

test('a build merges nothing, what follows merges bit by bit, and every word is found all the while', async () => {
  const root = newFolder('claude')
  const names = [...'123456789abcdef'].map(sessionId)
  for (const [number, name] of names.entries())
    writeBelow(root, { [`projects/-r/${name}.jsonl`]: talk(name, `tide number${number} of them`) })
  const database = openDatabase(join(newFolder('cache'), 'index.sqlite'))
  const refresh = (sizes = SIZES): Promise<unknown> =>
    ingest(database, null, findTranscripts([root]), { nowMs: NOW_MS, sizes })
  // Each transcript is a commit, and with it a part, of its own.
  await refresh({ ...SIZES, bulkBytes: 0, commitBytes: 0 })
  expect(partsOf(database)).toBe(names.length)
  expect(isUnmerged(database)).toBe(true)
  expect(numberOf(database, 'SELECT count(DISTINCT segid) AS n FROM titled_idx')).toBe(1)
  expect(docsWith(database, 'tide')).toBe(names.length)

  const [first = ''] = names
  const path = join(root, 'projects', '-r', `${first}.jsonl`)
  const parts: number[] = []
  for (let turn = 0; turn < 6; turn++) {
    const more = prompt(`${first}-${turn}`, null, `ebb after${turn} the tide`)
    appendFileSync(path, jsonl(session(first, [more])))
    const seen = watchCommits(database)
    await refresh()
    parts.push(seen[0] ?? 0)
    expect(docsWith(database, 'tide')).toBe(names.length + turn + 1)
    expect(docsWith(database, `after${turn}`)).toBe(1)
  }
  // The commit of the record itself has added a part and merged none.
  expect(parts[0]).toBe(names.length + 1)
  expect(partsOf(database)).toBeLessThan(6)
  expect(isUnmerged(database)).toBe(false)
  database.close()
})

test('what little is left at the end of a build is no part of its own', async () => {
  const root = newFolder('claude')
  // All of one size.
  const texts = [...'123456789a'].map((digit) => talk(sessionId(digit), 'tide and ebb'))
  for (const [place, text] of texts.entries())
    writeBelow(root, { [`projects/-r/${sessionId('123456789a'[place] as string)}.jsonl`]: text })
  const archive = findTranscripts([root])
  const oneBytes = archive.projects[0]?.files[0]?.sizeBytes ?? 0
  const partsWith = async (commitBytes: number): Promise<number> => {
    const database = openDatabase(null)
    await ingest(database, null, archive, { nowMs: NOW_MS, sizes: { ...SIZES, bulkBytes: 0, commitBytes } })
    const parts = partsOf(database)
    expect(docsWith(database, 'ebb')).toBe(texts.length)
    database.close()
    return parts
  }
  // Ten transcripts: six and four; all ten, because two would be left; four, four and two.
  expect(await partsWith(6 * oneBytes)).toBe(2)
  expect(await partsWith(8 * oneBytes)).toBe(1)
  expect(await partsWith(4 * oneBytes)).toBe(3)
})

/** How many parts there were behind each commit. */
function watchCommits(database: Database): readonly number[] {
  const seen: number[] = []
  const exec = database.exec.bind(database)
  Object.defineProperty(database, 'exec', {
    configurable: true,
    value: (sql: string) => {
      exec(sql)
      if (sql === 'COMMIT') seen.push(partsOf(database))
    },
  })
  return seen
}

function partsOf(database: Database): number {
  return numberOf(database, 'SELECT count(DISTINCT segid) AS n FROM said_idx')
}

function isUnmerged(database: Database): boolean {
  return numberOf(database, "SELECT count(*) AS n FROM setting WHERE name = 'unmerged'") === 1
}

function docsWith(database: Database, word: string): number {
  return numberOf(database, 'SELECT count(*) AS n FROM said WHERE said MATCH ?', word)
}

function numberOf(database: Database, sql: string, ...values: readonly string[]): number {
  return (database.prepare(sql).get(...values) as { readonly n: number }).n
}
