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
import type { WovenProject } from '../../src/search/weave.ts'
import { weaveProjects } from '../../src/search/weave.ts'
import { randomOf } from '../random.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { dumpIndex, strayRows } from './dump.ts'

const built = (name: string): string => new URL(`../../dist/search/${name}.js`, import.meta.url).href
const { ingest } = (await import(built('ingest'))) as typeof import('../../src/search/ingest.ts')
const { ConversationRows } = (await import(
  built('conversation-rows')
)) as typeof import('../../src/search/conversation-rows.ts')
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

it('writes rows in the transaction of a Batch, or in one of their own', async () => {
  const outside: string[] = []
  const { replace } = ConversationRows.prototype
  for (let seed = 300; seed < 312; seed++) {
    const archive = archiveOf(seed, 40)
    // The last files are gone when they are read, and nothing is written any more.
    const files = archive.projects.flatMap((project) => project.files)
    for (const { path } of files.toSorted((one, other) => other.modifiedMs - one.modifiedMs).slice(0, 2)) rmSync(path)
    const database = openDatabase(null)
    ConversationRows.prototype.replace = function (project) {
      if (!database.isTransaction) outside.push(`${seed} ${project.project.key}`)
      replace.call(this, project)
    }
    await ingest(database, null, archive, { nowMs: NOW_MS, sizes: { ...LARGE, commitBytes: 0 } })
    database.close()
  }
  ConversationRows.prototype.replace = replace
  expect(outside).toEqual([])
})

it('weaves a project as soon as its last file is written, and each once', async () => {
  const archive = archiveOf(101, 60)
  const database = await indexOf(archive, SMALL)
  const { work, stale } = workFor(archive)
  const lastOf = (key: string): number => work.findLastIndex(({ file }) => file.projectKey === key)
  expect(stale.length).toBeGreaterThan(1)
  const ahead = new WeaveAhead(database, stale, work)
  const came: string[] = []
  for (let files = 0; files <= work.length; files++) {
    const own = stale.filter(({ project }) => lastOf(project.key) < files).map(({ project }) => project.key)
    // All that may be woven by now is, and nothing else.
    await expect
      .poll(() => {
        came.push(...ahead.written(files).map(({ project }) => project.key))
        return came.length
      })
      .toBe(own.length)
    expect(came.toSorted()).toEqual(own.toSorted())
  }
  for await (const { project } of ahead.rest()) came.push(project.key)
  expect(came.toSorted()).toEqual(stale.map(({ project }) => project.key).toSorted())
  await ahead.end()
  database.close()
})

it('leaves to this thread what the other one did not live to weave', async () => {
  const archive = archiveOf(200, 40)
  const database = await indexOf(archive, SMALL)
  const { work, stale } = workFor(archive)
  const ahead = new WeaveAhead(database, stale, work)
  // Some are on their way, some are not.
  expect(ahead.written(Math.ceil(work.length / 2))).toEqual([])
  await ahead.end()
  const came: WovenProject[] = []
  for await (const project of ahead.rest()) came.push({ ...project, rows: [...project.rows] })
  const expected = [...weaveProjects(database, stale)].map((project) => ({ ...project, rows: [...project.rows] }))
  const byKey = (one: WovenProject, other: WovenProject): number => (one.project.key < other.project.key ? -1 : 1)
  expect(came.toSorted(byKey)).toEqual(expected.toSorted(byKey))
  database.close()
})

/** As if nothing were indexed yet, in the order in which it is read. */
function workFor(archive: FoundTranscripts) {
  const empty = openDatabase(null)
  const work = planIngest(empty, archive).work.toSorted((one, other) => one.file.modifiedMs - other.file.modifiedMs)
  const stale = staleProjects(empty, archive)
  empty.close()
  return { work, stale }
}
