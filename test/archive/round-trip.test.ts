// Files into the archive, and back: the same bytes, times and modes, whatever is in them.

import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allVersions, openSnapshots, readCatalogue } from '../../src/archive/catalogue.ts'
import { type Archive, archiveFolder, existingArchive, openArchive } from '../../src/archive/open-archive.ts'
import { closeReader, openReader, readVersion } from '../../src/archive/read-version.ts'
import { restoreFiles } from '../../src/archive/restore.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { verifyArchive } from '../../src/archive/verify.ts'
import { newFolder } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
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

interface Place {
  readonly root: string
  readonly archive: Archive
}

async function newPlace(): Promise<Place> {
  const folder = newFolder('archive')
  const root = join(folder, '.claude')
  mkdirSync(root)
  return { root, archive: await openArchive(join(folder, 'data', 'archive')) }
}

let clock = 1_790_000_000_000

function keep({ root, archive }: Place): ReturnType<typeof takeSnapshot> {
  return takeSnapshot(archive, sourceFiles(root), { takenMs: ++clock })
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

test('files of all kinds come back as they were', async () => {
  const place = await newPlace()
  writeTree(place.root, oddTree(randomOf(1)))
  const before = seenBelow(place.root)
  const taken = await keep(place)
  expect(taken).toMatchObject({ keptFiles: Object.keys(before).length, unchangedFiles: 0, skipped: [] })
  rmSync(place.root, { recursive: true })
  const { files } = readCatalogue(place.archive)
  const outcomes = await restoreFiles(place.archive, files, { to: null })
  expect(outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual(files.map(() => ['restored', null]))
  expect(seenBelow(place.root)).toEqual(before)
  expect(statSync(join(place.root, 'projects')).mode & 0o777).toBe(0o700)
  // What was restored is what the archive has: there is nothing to do.
  expect(await keep(place)).toMatchObject({ keptFiles: 0, snapshotIds: [] })
})

test('a line of 20 MB comes back, and costs little when it is there twice', async () => {
  const place = await newPlace()
  const random = randomOf(5)
  const line = Buffer.concat([
    Buffer.from('{"image":"'),
    Buffer.from(Array.from({ length: 1_000_000 }, () => 48 + random.below(64))),
    Buffer.alloc(19_000_000, 'A long line. '),
    Buffer.from('"}\n'),
  ])
  writeTree(place.root, new Map([[transcriptName(sessionId(1)), line]]))
  await keep(place)
  const once = sizeOf(place.archive.folder)
  writeTree(place.root, new Map([[transcriptName(sessionId(2)), line]]))
  await keep(place)
  expect(sizeOf(place.archive.folder) - once).toBeLessThan(20_000)
  const to = newFolder('restored')
  await restoreFiles(place.archive, readCatalogue(place.archive).files, { to })
  expect(readFileSync(join(to, transcriptName(sessionId(2)))).equals(line)).toBe(true)
})

test('what is appended costs what is new, and a fork costs little', async () => {
  const place = await newPlace()
  const random = randomOf(2)
  const id = sessionId(1)
  const bytes = transcript(random, id, 6000)
  writeTree(place.root, new Map([[transcriptName(id), bytes]]))
  await keep(place)
  const whole = sizeOf(place.archive.folder)
  appendFileSync(join(place.root, transcriptName(id)), transcript(random, id, 1))
  const { storedBytes } = await keep(place)
  expect(storedBytes).toBeLessThan(2000)
  expect(sizeOf(place.archive.folder)).toBeLessThanOrEqual(whole + storedBytes)
  const other = sessionId(2)
  writeTree(place.root, new Map([[transcriptName(other), fork(random, bytes, id, other)]]))
  const forked = await keep(place)
  expect(forked.storedBytes).toBeLessThan(whole * 0.06)
  console.log(`archive: ${bytes.length} bytes in ${whole}, a fork in ${forked.storedBytes}`)
})

test('what shrank or was rewritten is a new version, and the old one stays', async () => {
  const place = await newPlace()
  const path = join(place.root, transcriptName(sessionId(1)))
  mkdirSync(dirname(path), { recursive: true })
  const texts = ['{"a":1}\n{"b":2}\n', '{"a":1}\n', 'other', '', '{"a":1}\n{"b":2}\n{"c"']
  for (const text of texts) {
    writeFileSync(path, text)
    await keep(place)
  }
  rmSync(path)
  expect(await keep(place)).toMatchObject({ snapshotIds: [] })
  const snapshots = openSnapshots(place.archive)
  const reader = openReader(place.archive, snapshots)
  expect(allVersions(snapshots).map((file) => readVersion(reader, file).toString())).toEqual(texts)
  closeReader(reader)
  expect(readCatalogue(place.archive).files.map(({ sizeBytes }) => sizeBytes)).toEqual([texts.at(-1)?.length])
})

test('a transcript that grows every day is put together from many snapshots', async () => {
  const place = await newPlace()
  const path = join(place.root, transcriptName(sessionId(1)))
  mkdirSync(dirname(path), { recursive: true })
  for (let day = 0; day < 30; day++) {
    appendFileSync(path, `{"day":${day}}\n`)
    await keep(place)
  }
  const versions = allVersions(openSnapshots(place.archive))
  expect(versions.length).toBe(30)
  const to = newFolder('restored')
  await restoreFiles(place.archive, readCatalogue(place.archive).files, { to })
  expect(readFileSync(join(to, transcriptName(sessionId(1)))).equals(readFileSync(path))).toBe(true)
})

const BELOW = ['../x', 'a/../../x', 'a//b', '', '.', 'a/./b', 'a\0b'].map((name) => `projects/${name}`)
const UNSAFE_NAMES = ['../x', '/etc/x', '', '.', 'C:/x', ...BELOW]

describe('restoring', () => {
  test('never writes over another file, and knows what is there already', async () => {
    const place = await newPlace()
    writeTree(place.root, oddTree(randomOf(3)))
    await keep(place)
    const { files } = readCatalogue(place.archive)
    const changed = join(place.root, transcriptName(sessionId(1)))
    appendFileSync(changed, 'more\n')
    rmSync(join(place.root, 'history.jsonl'))
    const before = seenBelow(place.root)
    const dry = await restoreFiles(place.archive, files, { to: null, isDryRun: true })
    expect(seenBelow(place.root)).toEqual(before)
    const outcomes = await restoreFiles(place.archive, files, { to: null })
    expect(outcomes).toEqual(dry)
    const count = (wanted: string): number => outcomes.filter(({ outcome }) => outcome === wanted).length
    expect([count('conflict'), count('restored'), count('already-there')]).toEqual([1, 1, files.length - 2])
    expect(readFileSync(changed, 'utf8').endsWith('more\n')).toBe(true)
  })

  test('follows no link', async () => {
    const place = await newPlace()
    writeTree(place.root, new Map([['projects/p/a.jsonl', Buffer.from('a\n')]]))
    await keep(place)
    const [to, elsewhere] = [newFolder('restored'), newFolder('elsewhere')]
    symlinkSync(elsewhere, join(to, 'projects'))
    const [outcome] = await restoreFiles(place.archive, readCatalogue(place.archive).files, { to })
    expect(outcome?.outcome).toBe('refused')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test.each([...UNSAFE_NAMES, ...FOREIGN_NAMES])('refuses the name %j', async (name) => {
    const place = await newPlace()
    writeTree(place.root, new Map([['projects/p/a.jsonl', Buffer.from('a\n')]]))
    const [file] = sourceFiles(place.root)
    if (file === undefined) throw new Error('no file')
    await takeSnapshot(place.archive, [{ ...file, name }], { takenMs: 1 })
    const to = newFolder('restored')
    const [outcome] = await restoreFiles(place.archive, readCatalogue(place.archive).files, { to })
    expect(outcome?.outcome).toBe('refused')
    expect(readdirSync(to)).toEqual([])
  })
})

test('links and what cannot be read are left out, and the rest is kept', async () => {
  const place = await newPlace()
  writeTree(place.root, oddTree(randomOf(4)))
  symlinkSync('/etc/hostname', join(place.root, 'projects', 'link.jsonl'))
  const files = sourceFiles(place.root)
  expect(files.some(({ name }) => name.endsWith('link.jsonl'))).toBe(false)
  const gone = { root: place.root, name: 'projects/gone', path: join(place.root, 'projects', 'gone'), sessionId: null }
  const link = { ...gone, name: 'projects/link.jsonl', path: join(place.root, 'projects', 'link.jsonl') }
  const taken = await takeSnapshot(place.archive, [...files, gone, link], { takenMs: 1 })
  expect(taken.skipped.map(({ code }) => code).sort()).toEqual(['ELOOP', 'ENOENT'])
  expect(taken.keptFiles).toBe(files.length)
})

test('the folder is for its user alone, and lies among the data', async () => {
  const place = await newPlace()
  writeTree(place.root, oddTree(randomOf(6)))
  await keep(place)
  const names = readdirSync(place.archive.folder, { recursive: true, encoding: 'utf8' })
  for (const name of ['.', ...names]) {
    const stat = statSync(join(place.archive.folder, name))
    expect([name, stat.mode & 0o777]).toEqual([name, stat.isDirectory() ? 0o700 : 0o600])
  }
  const home = '/home/ada'
  expect(archiveFolder({ environment: {}, home })).toBe('/home/ada/.local/share/clew/archive')
  expect(archiveFolder({ environment: { XDG_DATA_HOME: '/data' }, home })).toBe('/data/clew/archive')
  expect(archiveFolder({ environment: { XDG_DATA_HOME: 'data' }, home })).toBe('/home/ada/.local/share/clew/archive')
})

test('an archive of a newer clew is refused and stays as it is', async () => {
  const place = await newPlace()
  const path = join(place.archive.folder, 'format')
  const text = readFileSync(path, 'utf8').replace('format 1', 'format 2')
  writeFileSync(path, text)
  await expect(openArchive(place.archive.folder)).rejects.toThrow(/newer clew/)
  expect(() => existingArchive(place.archive.folder)).toThrow(/newer clew/)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('what was found damaged is kept anew while its source is there', async () => {
  const place = await newPlace()
  writeTree(place.root, oddTree(randomOf(7)))
  await keep(place)
  const folder = join(place.archive.folder, 'packs')
  const pack = join(folder, readdirSync(folder)[0] ?? '')
  const bytes = readFileSync(pack)
  bytes[500] = (bytes[500] ?? 0) ^ 4
  writeFileSync(pack, bytes)
  const report = await verifyArchive(place.archive)
  expect(report.isWhole).toBe(false)
  expect(report.damagedFiles.length).toBeGreaterThan(0)
  const avoidedPackIds = new Set(report.damagedPacks)
  await takeSnapshot(place.archive, sourceFiles(place.root), { takenMs: ++clock, avoidedPackIds })
  const to = newFolder('restored')
  const outcomes = await restoreFiles(place.archive, readCatalogue(place.archive).files, { to })
  expect(outcomes.filter(({ outcome }) => outcome !== 'restored')).toEqual([])
})

const CORPORA = corpus === null ? [] : ['client', 'public'].map((name) => join(corpus ?? '', name)).filter(existsSync)
if (CORPORA.length === 0) console.warn('SKIPPED: the corpora are not here; set CLEW_CORPUS')

describe.runIf(CORPORA.length > 0)('the corpora', () => {
  test.each(CORPORA)('%s: archived, wiped and restored, every file is identical', async (source) => {
    const place = await newPlace()
    cpSync(source, join(place.root, 'projects'), { recursive: true, preserveTimestamps: true, dereference: true })
    const before = seenBelow(place.root)
    await keep(place)
    renameSync(place.root, `${place.root}-wiped`)
    rmSync(`${place.root}-wiped`, { recursive: true })
    await restoreFiles(place.archive, readCatalogue(place.archive).files, { to: null })
    expect(seenBelow(place.root)).toEqual(before)
    expect((await verifyArchive(place.archive, { readsFiles: true })).isWhole).toBe(true)
    console.log(`archive: ${Object.keys(before).length} files of ${source.split('/').at(-1)} identical`)
  })
})
