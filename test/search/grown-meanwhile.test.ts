// A file that is longer when it is read than when it was found, because somebody is writing it. Its project is woven with
// what was read, and taken for current only by whoever finds the file just so. The same for one that cannot be opened.

import { appendFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { FROM_DISK } from '../../src/load/access.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { Index } from '../../src/search/open-index.ts'
import type { IngestSizes } from '../../src/search/sizes.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { staleProjects } from '../../src/search/stale.ts'
import { HomeList } from '../../src/server/home-list.ts'
import { News } from '../../src/server/news.ts'
import { RunningSessions } from '../../src/server/running-sessions.ts'
import type { ServerWorld } from '../../src/server/server-world.ts'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { dumpIndex, strayRows } from './dump.ts'

// The built code: its threads are files of their own.
const built = new URL('../../dist/search/open-index.js', import.meta.url).href
const { Index: BuiltIndex } = (await import(built)) as typeof import('../../src/search/open-index.ts')

const NOW_MS = Date.parse('2026-03-02T10:00:00.000Z')
const ID = sessionId('1')
const OPTIONS = { sinceMs: null, untilMs: null, tool: null, file: null, limit: 20, perConversation: 3 }
const IN_PROJECT = { isWanted: ({ project }: { project: string }) => project.includes('tidewatch') }

const opened: Index[] = []
afterEach(() => {
  for (const index of opened.splice(0)) index.close()
})

function newIndex(Kind = Index): Index {
  const index = new Kind(null)
  opened.push(index)
  return index
}

function newArchive() {
  const root = newFolder('claude')
  const name = `projects/-home-ada-tidewatch/${ID}.jsonl`
  const records = [prompt('a1', null, 'where is the zebra'), reply('a2', 'a1', 'in the harbour')]
  const other = session(sessionId('2'), [prompt('b1', null, 'something else')])
  writeBelow(root, {
    [name]: session(ID, records),
    [`projects/-home-ada-tidewatch/${sessionId('2')}.jsonl`]: other,
  })
  let last = 'a2'
  const grow = (text: string): void => {
    const uuid = `${last}x`
    appendFileSync(join(root, name), jsonl(session(ID, [prompt(uuid, last, text)])))
    last = uuid
  }
  return { find: () => findTranscripts([root]), grow }
}

function hits(index: Index, archive: ReturnType<typeof findTranscripts>, typed: string) {
  const filter = { ...IN_PROJECT, gitBranch: null, model: null }
  const { hits: found } = index.search(archive, { ...OPTIONS, typed, fields: new Set() }, filter, NOW_MS)
  return found.map(({ title, turn }) => [title, turn])
}

async function expectFresh(index: Index, find: () => ReturnType<typeof findTranscripts>): Promise<void> {
  const archive = find()
  await index.refresh(archive, { nowMs: NOW_MS })
  expect(await index.refresh(archive, { nowMs: NOW_MS })).toBe('unchanged')
  const fresh = newIndex()
  await fresh.refresh(archive, { nowMs: NOW_MS })
  expect(index.ask(strayRows)).toEqual([])
  expect(index.ask(dumpIndex)).toEqual(fresh.ask(dumpIndex))
  expect(await index.access().list(archive)).toEqual(await FROM_DISK.list(archive))
}

const LARGE: IngestSizes = { ...SIZES, workerBytes: 0, bulkBytes: 0 }

test.each([
  ['read here', Index, SIZES],
  ['woven beside', BuiltIndex, LARGE],
] as const)('a first build finds what was read of it: %s', async (_, Kind, sizes) => {
  const { find, grow } = newArchive()
  const index = newIndex(Kind)
  const archive = find()
  grow('and the quagga')
  await index.refresh(archive, { nowMs: NOW_MS, sizes })
  expect(hits(index, archive, 'zebra')).toEqual([['where is the zebra', 1]])
  expect(hits(index, archive, 'quagga')).toEqual([['where is the zebra', 2]])
  // Not for this archive, whose file is shorter.
  expect(await index.access().list(archive)).toEqual(await FROM_DISK.list(archive))
  await expectFresh(index, find)
})

test('one that grows again and again is found each time, and in the end is what it is at once', async () => {
  const { find, grow } = newArchive()
  const index = newIndex()
  for (const word of ['quagga', 'okapi', 'tapir']) {
    grow('and then')
    const archive = find()
    grow(`and the ${word}`)
    await index.refresh(archive, { nowMs: NOW_MS })
    expect(hits(index, archive, word)).toHaveLength(1)
  }
  grow('and the dugong')
  await expectFresh(index, find)
  expect(hits(index, find(), 'dugong')).toEqual([['where is the zebra', 8]])
})

test('one that cannot be opened hides none of the others', async () => {
  const { find } = newArchive()
  const index = newIndex()
  const archive = find()
  const other = archive.projects.flatMap(({ files }) => files).find(({ sessionId: id }) => id !== ID)
  renameSync(other?.path ?? '', `${other?.path}.away`)
  for (let round = 0; round < 2; round++) {
    await index.refresh(archive, { nowMs: NOW_MS })
    expect(hits(index, archive, 'zebra')).toEqual([['where is the zebra', 1]])
    expect(index.ask((database) => staleProjects(database, archive))).toHaveLength(1)
  }
  renameSync(`${other?.path}.away`, other?.path ?? '')
  await expectFresh(index, find)
})

test('a list that was read from the disk meanwhile is read again', async () => {
  const { find, grow } = newArchive()
  const index = newIndex()
  let archive = find()
  const news = new News()
  const world = { index, archive: () => archive, nowMs: () => NOW_MS } as unknown as ServerWorld
  const list = new HomeList(world, news, new RunningSessions([], () => undefined))
  grow('and the quagga')
  for (let round = 0; round < 2; round++) {
    await index.refresh(archive, { nowMs: NOW_MS })
    await list.update()
    archive = find()
  }
  const sizes = archive.projects.flatMap(({ files }) => files.map(({ sizeBytes }) => sizeBytes))
  expect(
    list
      .rows()
      .map(({ sizeBytes }) => sizeBytes)
      .sort(),
  ).toEqual(sizes.sort())
})
