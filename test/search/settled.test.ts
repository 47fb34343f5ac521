// An archive that has not changed is recognised by one comparison; whatever does change is noticed as it was before.

import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { FoundTranscripts } from '../../src/load/found.ts'
import { findTranscripts, mainFiles, onlyFiles } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import { ingest } from '../../src/search/ingest.ts'
import { discoverAgain } from '../../src/search/kept-walk.ts'
import { isSettled } from '../../src/search/settled.ts'
import type { TranscriptFile } from '../../src/source/model.ts'
import { newFolder, sample } from '../cli/run.ts'

const opened: { close: () => void }[] = []
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
})

async function settled() {
  const root = join(newFolder('claude'), '.claude')
  cpSync(sample, root, { recursive: true })
  const path = join(newFolder('index'), 'index.sqlite')
  const database = openDatabase(path)
  opened.push(database)
  const refresh = () => ingest(database, path, findTranscripts([root]), { nowMs: Date.now() })
  expect(await refresh()).toBe('updated')
  expect(isSettled(database, findTranscripts([root]))).toBe(false)
  expect(await refresh()).toBe('unchanged')
  expect(isSettled(database, findTranscripts([root]))).toBe(true)
  expect(await refresh()).toBe('unchanged')
  const files = findTranscripts([root]).projects.flatMap((project) => project.files)
  const isThere = () => isSettled(database, findTranscripts([root]))
  return { root, path, database, refresh, files, isThere }
}

const CHANGES: Readonly<Record<string, (file: TranscriptFile, root: string) => void>> = {
  'a record more': ({ path }) => appendFileSync(path, '{"type":"summary","summary":"x","leafUuid":"y"}\n'),
  'another time': ({ path }) => utimesSync(path, 1, 1),
  'another name': ({ path }) => renameSync(path, path.replace('.jsonl', '0.jsonl')),
  'not there any more': ({ path }) => rmSync(path),
  'one more file': ({ path }) => cpSync(path, path.replace('.jsonl', '1.jsonl')),
  'a title beside it': ({ path }) => {
    const folder = path.slice(0, -'.jsonl'.length)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'custom-title.json'), '{"customTitle":"another"}')
  },
  'a new project': ({ path }, root) => {
    mkdirSync(join(root, 'projects', '-home-ada-new'))
    cpSync(path, join(root, 'projects', '-home-ada-new', '00000000-0000-4000-8000-000000000000.jsonl'))
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`${name}: noticed`, async () => {
    const { root, files, refresh, isThere } = await settled()
    change(files.find(({ role }) => role === 'main') as TranscriptFile, root)
    expect(isThere()).toBe(false)
    expect(await refresh()).toBe('updated')
    await refresh()
    expect(await refresh()).toBe('unchanged')
    expect(isThere()).toBe(true)
  })
}

test('a title that is changed where there was one is noticed', async () => {
  const { files, refresh, isThere } = await settled()
  const change = CHANGES['a title beside it'] as (file: TranscriptFile, root: string) => void
  const main = files.find(({ role }) => role === 'main') as TranscriptFile
  change(main, '')
  await refresh()
  await refresh()
  expect(isThere()).toBe(true)
  writeFileSync(join(main.path.slice(0, -'.jsonl'.length), 'custom-title.json'), '{"customTitle":"a third one"}')
  expect(isThere()).toBe(false)
})

test('another archive in the same index makes everybody look again', async () => {
  const { path, database, isThere } = await settled()
  const other = join(newFolder('other'), '.claude')
  cpSync(sample, other, { recursive: true })
  expect(await ingest(database, path, findTranscripts([other]), { nowMs: Date.now() })).toBe('updated')
  expect(isThere()).toBe(false)
})

test('a few files of an archive, brought up to date by themselves, do not stand for all of it', async () => {
  const root = join(newFolder('claude'), '.claude')
  cpSync(sample, root, { recursive: true })
  const path = join(newFolder('index'), 'index.sqlite')
  const database = openDatabase(path)
  opened.push(database)
  const look = () => findTranscripts([root], undefined, (one) => discoverAgain(path, one))
  const { walks = [], ...found } = look()
  // As if its folders had been left alone for a while.
  const startedMs = Date.now() + 3000
  const whole: FoundTranscripts = {
    ...found,
    walks: walks.map((walk) => ({ ...walk, walked: { ...walk.walked, startedMs } })),
  }
  const few = onlyFiles(whole, mainFiles(whole).slice(0, 2))
  expect(await ingest(database, path, few, { nowMs: Date.now() })).toBe('updated')
  expect(await ingest(database, path, few, { nowMs: Date.now() })).toBe('unchanged')
  expect(isSettled(database, look())).toBe(false)
  expect(await ingest(database, path, look(), { nowMs: Date.now() })).toBe('updated')
})
