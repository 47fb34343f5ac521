// Prunes that do not come to their end, and what the next one makes of what they left.

import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allVersions, openSnapshots } from '../../src/archive/catalogue.ts'
import { type Archive, openArchive } from '../../src/archive/open-archive.ts'
import { doom, doomedPaths, packIds } from '../../src/archive/pack-list.ts'
import { pruneArchive } from '../../src/archive/prune.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { verifyArchive } from '../../src/archive/verify.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { newFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import { sessionId, transcript, transcriptName } from './made-tree.ts'

const NOW = Date.now()
const YEAR_MS = 365 * 86_400_000
const options = { policy: { olderThanMs: NOW - YEAR_MS }, nowMs: NOW }
const random = randomOf(7)

interface Place {
  readonly root: string
  readonly archive: Archive
}

/** One pack: a small new transcript, and a large one that is too old to stay. */
async function oldAndNew(): Promise<Place> {
  const folder = newFolder('prune')
  const root = join(folder, '.claude')
  write(root, { number: 1, count: 10, agoMs: 0 })
  write(root, { number: 2, count: 200, agoMs: 2 * YEAR_MS })
  const archive = await openArchive(join(folder, 'archive'))
  await takeSnapshot(archive, sourceFiles(root), { takenMs: NOW })
  return { root, archive }
}

function write(root: string, made: { readonly number: number; readonly count: number; readonly agoMs: number }): void {
  const id = sessionId(made.number)
  const path = join(root, transcriptName(id))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, transcript(random, id, made.count))
  utimesSync(path, (NOW - made.agoMs) / 1000, (NOW - made.agoMs) / 1000)
}

function killedBeforeTheNote({ archive }: Place): Disk {
  return {
    ...archive.disk,
    openToAppend: (path, isNew) => {
      if (dirname(path).endsWith('doomed')) throw new Error('killed')
      return REAL_DISK.openToAppend(path, isNew)
    },
  }
}

function snapshotMeanwhile({ root, archive }: Place): Disk {
  let isDone = false
  return {
    ...archive.disk,
    syncFolder: async (path) => {
      if (!isDone && path.endsWith('doomed')) {
        isDone = true
        write(root, { number: 3, count: 10, agoMs: 0 })
        await takeSnapshot(archive, sourceFiles(root), { takenMs: NOW })
      }
      await REAL_DISK.syncFolder(path)
    },
  }
}

test.each([
  ['killed before it said what goes', killedBeforeTheNote, /killed/, 1],
  ['stopped by a snapshot', snapshotMeanwhile, /meanwhile/, 2],
])('after a prune that was %s, the next one keeps the pack that both wove', async (_, diskOf, message, left) => {
  const place = await oldAndNew()
  const { archive } = place
  await expect(pruneArchive({ ...archive, disk: diskOf(place) }, options)).rejects.toThrow(message)
  expect(packIds(archive)).toHaveLength(left + 1)
  await pruneArchive(archive, options)
  expect(await verifyArchive(archive, { readsFiles: true })).toMatchObject({ isWhole: true, versionCount: left })
  expect(allVersions(openSnapshots(archive))).toHaveLength(left)
  expect(packIds(archive)).toHaveLength(left)
  expect(await pruneArchive(archive, options)).toMatchObject({ going: [], unusedPacks: [], halfUsedPacks: [] })
})

/** Does something once, when a prune has said what goes. */
function afterTheNote({ archive }: Place, act: () => Promise<void>): Disk {
  let isDone = false
  return {
    ...archive.disk,
    syncFolder: async (path) => {
      await REAL_DISK.syncFolder(path)
      if (isDone || !path.endsWith('doomed')) return
      isDone = true
      await act()
    },
  }
}

test('a prune at a time: the second one touches nothing', async () => {
  const place = await oldAndNew()
  const { archive } = place
  const seen = (): readonly string[] => readdirSync(archive.folder, { recursive: true, encoding: 'utf8' }).sort()
  let isTried = false
  const disk = afterTheNote(place, async () => {
    const before = seen()
    await expect(pruneArchive(archive, options)).rejects.toThrow(/another prune is at work/)
    expect(seen()).toEqual(before)
    expect(await pruneArchive(archive, { ...options, isDryRun: true })).toMatchObject({ keptCount: 1 })
    isTried = true
  })
  await pruneArchive({ ...archive, disk }, options)
  expect(isTried).toBe(true)
  expect(await verifyArchive(archive, { readsFiles: true })).toMatchObject({ isWhole: true, versionCount: 1 })
  expect(seen().filter((name) => name.endsWith('.doomed') || name.endsWith('.running'))).toEqual([])
})

test('notes of killed prunes go, one that came meanwhile stays', async () => {
  const place = await oldAndNew()
  const { archive } = place
  const left = await doom(archive, ['a'.repeat(64)])
  let other = ''
  const disk = afterTheNote(place, async () => {
    other = await doom(archive, ['b'.repeat(64)])
  })
  await pruneArchive({ ...archive, disk }, options)
  expect(doomedPaths(archive)).toEqual([other])
  expect(left).not.toBe(other)
  await pruneArchive(archive, options)
  expect(doomedPaths(archive)).toEqual([])
})

test('a prune that is stopped by a snapshot takes back its own note only', async () => {
  const place = await oldAndNew()
  const { archive } = place
  const left = await doom(archive, ['a'.repeat(64)])
  await expect(pruneArchive({ ...archive, disk: snapshotMeanwhile(place) }, options)).rejects.toThrow(/meanwhile/)
  expect(doomedPaths(archive)).toEqual([left])
})

test('the lock of a prune that was killed keeps nobody out', async () => {
  const { archive } = await oldAndNew()
  writeFileSync(join(archive.folder, 'prune.running'), '999999999\n')
  expect(await pruneArchive(archive, options)).toMatchObject({ keptCount: 1 })
})

test('a full disk leaves no lock behind', async () => {
  const { archive } = await oldAndNew()
  const full: Disk = {
    ...archive.disk,
    write: () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    },
  }
  await expect(pruneArchive({ ...archive, disk: full }, options)).rejects.toThrow('full')
  expect(await pruneArchive(archive, options)).toMatchObject({ keptCount: 1 })
})
