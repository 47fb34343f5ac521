// Weaving beside reading gives what weaving behind it gives. The built code: its threads are files of their own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FoundTranscripts } from '../../src/load/found.ts'
import { findTranscripts } from '../../src/load/found.ts'
import type { Database } from '../../src/search/database.ts'
import { openDatabase } from '../../src/search/database.ts'
import { planIngest } from '../../src/search/plan.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { staleProjects } from '../../src/search/stale.ts'
import { weaveProjects } from '../../src/search/weave.ts'
import { randomOf } from '../random.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { dumpIndex, strayRows } from './dump.ts'

const built = (name: string): string => new URL(`../../dist/search/${name}.js`, import.meta.url).href
const { ingest } = (await import(built('ingest'))) as typeof import('../../src/search/ingest.ts')
const { WeaveAhead } = (await import(built('weave-ahead'))) as typeof import('../../src/search/weave-ahead.ts')

const folder = mkdtempSync(join(tmpdir(), 'clew-ahead-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW_MS = 1_800_000_000_000
/** Threads and the loader for what is small, too. */
const LARGE = { ...SIZES, workerBytes: 0, bulkBytes: 0 }
const SMALL = { ...SIZES, workerBytes: 1e9, bulkBytes: 1e9 }

function archiveOf(seed: number, steps: number): FoundTranscripts {
  const root = join(folder, String(seed))
  const writer = new ArchiveWriter(root, randomOf(seed))
  for (let step = 0; step < steps; step++) writer.step()
  return findTranscripts([root])
}

async function indexOf(archive: FoundTranscripts, sizes: typeof SIZES): Promise<Database> {
  const database = openDatabase(null)
  await ingest(database, null, archive, { nowMs: NOW_MS, sizes })
  return database
}

it('gives what weaving afterwards gives', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const archive = archiveOf(seed, 40)
    const beside = await indexOf(archive, { ...LARGE, commitBytes: seed % 2 === 0 ? 0 : LARGE.commitBytes })
    const behind = await indexOf(archive, SMALL)
    expect(dumpIndex(beside), `seed ${seed}`).toEqual(dumpIndex(behind))
    expect(strayRows(beside)).toEqual([])
    expect(staleProjects(beside, archive)).toEqual([])
    beside.close()
    behind.close()
  }
})

it('weaves a project as soon as its last file is written, and each once', async () => {
  const archive = archiveOf(100, 60)
  const empty = openDatabase(null)
  const work = planIngest(empty, archive).work.toSorted((one, other) => one.file.modifiedMs - other.file.modifiedMs)
  empty.close()
  const database = await indexOf(archive, SMALL)
  const expected = [...weaveProjects(database, staleProjects(openDatabase(null), archive))]
  const stale = staleProjects(openDatabase(null), archive)
  const lastOf = (key: string): number => work.findLastIndex(({ file }) => file.projectKey === key)
  expect(stale.length).toBeGreaterThan(1)
  const ahead = new WeaveAhead(database, stale, work)
  const came: { readonly key: string; readonly after: number }[] = []
  for (let files = 0; files <= work.length; files++) {
    const own = stale.filter(({ project }) => lastOf(project.key) < files).map(({ project }) => project.key)
    // All that may be woven by now is, and nothing else.
    await expect
      .poll(() => {
        for (const { project } of ahead.written(files)) came.push({ key: project.key, after: files })
        return came.length
      })
      .toBe(own.length)
    expect(came.map(({ key }) => key).toSorted()).toEqual(own.toSorted())
  }
  for await (const { project } of ahead.rest()) came.push({ key: project.key, after: -1 })
  expect(came.length).toBe(expected.length)
  await ahead.end()
  database.close()
})

it('says so when its thread is gone', async () => {
  const archive = archiveOf(200, 20)
  const database = await indexOf(archive, SMALL)
  const ahead = new WeaveAhead(database, staleProjects(openDatabase(null), archive), [])
  await ahead.end()
  await expect(async () => {
    for await (const _ of ahead.rest()) expect.unreachable()
  }).rejects.toThrow('the thread that weaves has ended before its work')
  database.close()
})
