// What goes out of the archive: pruned by policy, or carried to another machine in one file.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allVersions, openSnapshots, readCatalogue } from '../../src/archive/catalogue.ts'
import { exportArchive } from '../../src/archive/export-archive.ts'
import { readHeld } from '../../src/archive/held.ts'
import { importArchive } from '../../src/archive/import-archive.ts'
import { type ManifestFile, manifestBytes, snapshotIdOf } from '../../src/archive/manifest.ts'
import { type Archive, openArchive } from '../../src/archive/open-archive.ts'
import { pruneArchive } from '../../src/archive/prune.ts'
import { closeReader, openReader, readVersion } from '../../src/archive/read-version.ts'
import { restoreFiles } from '../../src/archive/restore.ts'
import { installHooks } from '../../src/archive/settings-file.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { verifyArchive } from '../../src/archive/verify.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { newFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import {
  FOREIGN_NAMES,
  fork,
  oddTree,
  seenBelow,
  sessionId,
  transcript,
  transcriptName,
  writeTree,
} from './made-tree.ts'

const NOW = 1_800_000_000_000

interface Place {
  readonly root: string
  readonly archive: Archive
}

/** Five days: a transcript that grows, one that is rewritten every day, and a fork. */
async function fiveDays(): Promise<Place> {
  const folder = newFolder('archive')
  const root = join(folder, '.claude')
  mkdirSync(root)
  const archive = await openArchive(join(folder, 'archive'))
  const random = randomOf(1)
  const [grown, rewritten, forked] = [sessionId(1), sessionId(2), sessionId(3)]
  writeTree(root, oddTree(random))
  for (let day = 1; day <= 5; day++) {
    const path = join(root, transcriptName(grown))
    appendFileSync(path, transcript(random, grown, 50))
    writeTree(root, new Map([[transcriptName(rewritten), transcript(random, rewritten, 100)]]))
    if (day === 3) writeTree(root, new Map([[transcriptName(forked), fork(random, readFileSync(path), grown, forked)]]))
    utimesSync(path, NOW / 1000 - day, NOW / 1000 - day)
    utimesSync(join(root, transcriptName(rewritten)), NOW / 1000 + day, NOW / 1000 + day)
    await takeSnapshot(archive, sourceFiles(root), { takenMs: NOW + day })
  }
  return { root, archive }
}

/** Every version with its bytes, as text that can be compared. */
function contents(archive: Archive): ReadonlyMap<string, string> {
  const snapshots = openSnapshots(archive)
  const reader = openReader(archive, snapshots)
  const all = allVersions(snapshots).map((file) => {
    const key = `${file.name} ${file.modifiedMs} ${file.sha256}`
    return [key, readVersion(reader, file).toString('latin1')] as const
  })
  closeReader(reader)
  return new Map(all)
}

describe('pruning', () => {
  test.each([
    ['keeps the newest version of each file', { keepVersions: 1 }],
    ['keeps two', { keepVersions: 2 }],
    ['lets go of what is old', { olderThanMs: NOW + 2500 }],
    ['makes room', { sizeBytesMax: 60_000 }],
    ['leaves all that no rule names', {}],
  ])('%s', async (_, policy) => {
    const { archive } = await fiveDays()
    const before = contents(archive)
    const names = readdirSync(archive.folder, { recursive: true }).sort()
    const dry = await pruneArchive(archive, { policy, nowMs: NOW, isDryRun: true })
    expect(readdirSync(archive.folder, { recursive: true }).sort()).toEqual(names)
    const report = await pruneArchive(archive, { policy, nowMs: NOW })
    expect(report).toEqual(dry)
    const gone = new Set(report.going.map(({ name, modifiedMs, sha256 }) => `${name} ${modifiedMs} ${sha256}`))
    expect(gone.size > 0).toBe(Object.keys(policy).length > 0)
    const after = contents(archive)
    expect([...after].sort()).toEqual([...before].filter(([key]) => !gone.has(key)).sort())
    expect(await verifyArchive(archive, { readsFiles: true })).toMatchObject({
      isWhole: true,
      versionCount: after.size,
    })
    // What is left is pruned already.
    expect(await pruneArchive(archive, { policy, nowMs: NOW })).toMatchObject({ going: [], unusedPacks: [] })
  })

  test('removes what killed processes left, and nothing that is being written', async () => {
    const { archive } = await fiveDays()
    const [old, fresh] = ['old.part', 'fresh.part'].map((name) => join(archive.folder, 'packs', name))
    writeFileSync(old ?? '', 'x')
    writeFileSync(fresh ?? '', 'x')
    utimesSync(old ?? '', NOW / 1000 - 100_000, NOW / 1000 - 100_000)
    utimesSync(fresh ?? '', NOW / 1000, NOW / 1000)
    expect((await pruneArchive(archive, { policy: {}, nowMs: NOW })).leftovers).toBe(1)
    expect(readdirSync(join(archive.folder, 'packs')).filter((name) => name.endsWith('.part'))).toEqual(['fresh.part'])
  })

  test('removes nothing while a snapshot cannot be read', async () => {
    const { archive } = await fiveDays()
    const folder = join(archive.folder, 'snapshots')
    const path = join(folder, readdirSync(folder)[1] ?? '')
    writeFileSync(path, readFileSync(path).subarray(1))
    await expect(pruneArchive(archive, { policy: { keepVersions: 1 }, nowMs: NOW })).rejects.toThrow(
      /nothing was removed/,
    )
  })
})

describe('export and import', () => {
  async function exported(): Promise<Place & { readonly path: string }> {
    const place = await fiveDays()
    const path = join(newFolder('export'), 'sessions.clew')
    await exportArchive(place.archive, readCatalogue(place.archive).files, path, { takenMs: NOW })
    return { ...place, path }
  }

  const newArchive = (): Promise<Archive> => openArchive(join(newFolder('other'), 'archive'))
  const options = { takenMs: NOW, root: '/home/ada/.claude' }

  test('one file carries everything to another machine', async () => {
    const { root, path } = await exported()
    expect(readdirSync(join(path, '..'))).toEqual(['sessions.clew'])
    const archive = await newArchive()
    const { files, alreadyThere } = await importArchive(archive, path, options)
    expect(alreadyThere).toBe(0)
    const to = newFolder('restored')
    const outcomes = await restoreFiles(archive, readCatalogue(archive).files, { to })
    expect(outcomes.every(({ outcome }) => outcome === 'restored')).toBe(true)
    expect(outcomes.every(({ file }) => file.root === options.root)).toBe(true)
    expect(seenBelow(to)).toEqual(seenBelow(root))
    expect(await importArchive(archive, path, options)).toEqual({
      snapshotId: null,
      files: [],
      alreadyThere: files.length,
      older: 0,
    })
    expect(readdirSync(archive.folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test.each([
    ['one that the archive has among others', true, { alreadyThere: 1, older: 0 }],
    ['one that it never saw', false, { alreadyThere: 0, older: 1 }],
  ])('an older version does not become the newest: %s', async (_, isKnown, counts) => {
    const root = newFolder('.claude')
    const [archive, there] = [await newArchive(), await newArchive()]
    const name = transcriptName(sessionId(1))
    const keep = (to: Archive, text: string, takenMs: number): Promise<unknown> => {
      writeTree(root, new Map([[name, Buffer.from(text)]]))
      utimesSync(join(root, name), takenMs / 1000, takenMs / 1000)
      return takeSnapshot(to, sourceFiles(root), { takenMs })
    }
    await keep(there, 'first\n', NOW)
    if (isKnown) await keep(archive, 'first\n', NOW)
    await keep(archive, 'first\nsecond\n', NOW + 1000)
    const path = join(newFolder('export'), 'older.clew')
    await exportArchive(there, readCatalogue(there).files, path, { takenMs: NOW })
    const before = readCatalogue(archive)
    const imported = await importArchive(archive, path, { root, takenMs: NOW + 2000 })
    expect(imported).toEqual({ snapshotId: null, files: [], ...counts })
    expect(readCatalogue(archive)).toEqual(before)
  })

  test('a file that is made meanwhile is not written over', async () => {
    const { archive } = await fiveDays()
    const path = join(newFolder('export'), 'sessions.clew')
    const openToAppend: Disk['openToAppend'] = (name, isNew) => {
      writeFileSync(path, 'mine')
      return REAL_DISK.openToAppend(name, isNew)
    }
    const busy = { ...archive, disk: { ...REAL_DISK, openToAppend } }
    const exporting = exportArchive(busy, readCatalogue(archive).files, path, { takenMs: NOW })
    await expect(exporting).rejects.toMatchObject({ code: 'EEXIST' })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(readdirSync(join(path, '..'))).toEqual(['sessions.clew'])
  })

  test('a full disk gets its room back', async () => {
    const { archive, root } = await fiveDays()
    const before = readdirSync(archive.folder, { recursive: true })
    writeTree(root, new Map([[transcriptName(sessionId(77)), Buffer.from('something new\n'.repeat(999))]]))
    const write = (): never => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const full = { ...archive, disk: { ...REAL_DISK, write } }
    await expect(takeSnapshot(full, sourceFiles(root), { takenMs: NOW })).rejects.toThrow('full')
    expect(readdirSync(archive.folder, { recursive: true })).toEqual(before)
    const copies = newFolder('copies')
    const source = { snapshotNames: () => [], catalogue: () => readCatalogue(archive), roots: () => [root] }
    const held = readHeld({ ...source, read: () => [], close: () => undefined }, copies, full.disk)
    expect(held.length).toBeGreaterThan(0)
    expect(readdirSync(copies)).toEqual([])
    for (const text of [null, '{"model": "opus"}\n']) {
      const claude = newFolder('claude')
      if (text !== null) writeFileSync(join(claude, 'settings.json'), text)
      await expect(installHooks(full.disk, claude, 'true', NOW)).rejects.toThrow('full')
      expect(readdirSync(claude)).toEqual(text === null ? [] : ['settings.json'])
    }
  })

  test('every damaged byte is noticed, and nothing is imported', async () => {
    const { path } = await exported()
    const bytes = readFileSync(path)
    const archive = await newArchive()
    const stride = Math.max(1, Math.floor(bytes.length / 60))
    const accepted: number[] = []
    for (let at = 0; at < bytes.length; at += stride) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, flipped)
      await importArchive(archive, path, options).then(
        () => accepted.push(at),
        () => undefined,
      )
    }
    for (const length of [0, 10, 200, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length))
      await expect(importArchive(archive, path, options)).rejects.toThrow(/not imported/)
    }
    expect(accepted).toEqual([])
    expect(readCatalogue(archive).files).toEqual([])
  })

  type Forged = Pick<ManifestFile, 'root' | 'name' | 'sizeBytes'>

  /** An export as somebody could make it by hand, with right hashes all over. */
  async function forged(change: (file: Forged) => Forged) {
    const { path } = await exported()
    const bytes = readFileSync(path)
    const end = bytes.indexOf(10)
    const head = bytes.toString('utf8', 0, end)
    const line = JSON.parse(head.slice(head.indexOf('{')))
    const packBytes = line.packs.reduce((sum: number, { sizeBytes }: { sizeBytes: number }) => sum + sizeBytes, 0)
    const { openManifest } = await import('../../src/archive/manifest.ts')
    const old = openManifest(line.snapshot.id, bytes.subarray(end + 1 + packBytes))
    const files = old.files.map((file, at) => ({ ...file, ...change(file), stretches: old.stretches(at) }))
    const manifest = manifestBytes({ takenMs: NOW, storedBytes: 0, files })
    const json = JSON.stringify({
      packs: line.packs,
      snapshot: { id: snapshotIdOf(NOW, manifest), sizeBytes: manifest.length },
    })
    const { createHash } = await import('node:crypto')
    const first = `clew archive export 1 ${createHash('sha256').update(json).digest('hex')} ${json}\n`
    writeFileSync(path, Buffer.concat([Buffer.from(first), bytes.subarray(end + 1, end + 1 + packBytes), manifest]))
    return path
  }

  test.each<readonly [string, { readonly name?: string; readonly sizeBytes?: number }, RegExp]>([
    ['a name that leads out', { name: 'projects/../../x' }, /not a name/],
    ['an absolute name', { name: '/etc/cron.d/x' }, /not a name/],
    ...FOREIGN_NAMES.map((name) => [name, { name }, /not a name/] as const),
    ['sizes beyond reason', { sizeBytes: 2 ** 50 }, /would become/],
    ['a bomb', { sizeBytes: 2 ** 36 }, /would become/],
    ['sizes that are not true', { sizeBytes: 3 }, /damaged/],
  ])('%s is refused', async (_, change, message) => {
    const archive = await newArchive()
    const path = await forged((file) => ({ ...file, ...change }))
    await expect(importArchive(archive, path, options)).rejects.toThrow(message)
    expect(readCatalogue(archive).files).toEqual([])
    rmSync(path)
  })

  test('the roots that it names are not looked up', async () => {
    const path = await forged((file) => ({ ...file, root: 5 as unknown as string }))
    const archive = await newArchive()
    const { files } = await importArchive(archive, path, options)
    expect(files.length).toBeGreaterThan(0)
    expect(readCatalogue(archive).files.every(({ root }) => root === options.root)).toBe(true)
  })
})
