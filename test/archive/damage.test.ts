// Every byte of an archive, flipped: verify finds it. CLEW_ARCHIVE_FLIPS=all flips each one, the ordinary run some.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { ArchiveError } from '../../src/archive/archive-error.ts'
import { openManifest } from '../../src/archive/manifest.ts'
import { type Archive, existingArchive, formatProblem, openArchive } from '../../src/archive/open-archive.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { damagedAmong, verifyArchive } from '../../src/archive/verify.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { readWhole } from '../../src/disk/durable.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { newFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import { oddTree, sessionId, transcript, transcriptName, writeTree } from './made-tree.ts'

/** Only each so many bytes in the ordinary run. */
const stride = process.env['CLEW_ARCHIVE_FLIPS'] === 'all' ? 1 : 113

/** An archive of about a megabyte in many small packs, so that a flip is looked for in little. */
async function megabyte(): Promise<Archive> {
  const folder = newFolder('archive')
  const random = randomOf(11)
  const root = join(folder, '.claude')
  writeTree(root, oddTree(random))
  const archive = await openArchive(join(folder, 'archive'))
  for (let number = 10; number < 50; number++) {
    const id = sessionId(number)
    writeTree(root, new Map([[transcriptName(id), transcript(random, id, 200)]]))
    await takeSnapshot(archive, sourceFiles(root), { takenMs: number })
  }
  return archive
}

function pathsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

/** Reads one file with one bit of it changed; what is on disk stays as it is. */
function flippingDisk(path: string, at: { offset: number }): Disk {
  const flipped = new Set<number>()
  return {
    ...REAL_DISK,
    openToRead: (opened) => {
      const fd = REAL_DISK.openToRead(opened)
      if (opened === path) flipped.add(fd)
      else flipped.delete(fd)
      return fd
    },
    read: (fd, offset, length) => {
      const read = REAL_DISK.read(fd, offset, length)
      const inside = at.offset - offset
      if (flipped.has(fd) && inside >= 0 && inside < read.length)
        read[inside] = (read[inside] ?? 0) ^ (1 << (at.offset % 8))
      return read
    },
  }
}

/** What verify asks of the one file; the next test asks verify itself. */
async function isNoticed(archive: Archive, path: string): Promise<boolean> {
  if (path.endsWith('.pack')) {
    const { damaged } = await damagedAmong(archive, [basename(path, '.pack')], {})
    return damaged.length === 1
  }
  if (path.endsWith('format')) return formatProblem(archive) !== null
  try {
    openManifest(basename(path, '.snapshot'), readWhole(archive.disk, path))
    return false
  } catch (error) {
    return error instanceof ArchiveError
  }
}

test(`${stride === 1 ? 'every byte' : `one byte in ${stride}`} of an archive, flipped`, {
  timeout: 7_200_000,
}, async () => {
  const { folder } = await megabyte()
  const unnoticed: string[] = []
  let [flips, sizeBytes] = [0, 0]
  for (const path of pathsBelow(folder)) {
    const at = { offset: -1 }
    const archive = { folder, disk: flippingDisk(path, at) }
    expect([path, await isNoticed(archive, path)]).toEqual([path, false])
    const { size } = statSync(path)
    sizeBytes += size
    for (at.offset = 0; at.offset < size; at.offset += stride) {
      flips++
      if (!(await isNoticed(archive, path))) unnoticed.push(`${path} ${at.offset}`)
    }
  }
  console.log(`archive: ${flips} flips in ${sizeBytes} bytes, ${unnoticed.length} unnoticed`)
  expect(sizeBytes).toBeGreaterThan(900_000)
  expect(unnoticed).toEqual([])
})

test('verify notices a flip in each of its files', { timeout: 600_000 }, async () => {
  const { folder } = await megabyte()
  const random = randomOf(13)
  for (const path of pathsBelow(folder)) {
    const disk = flippingDisk(path, { offset: random.below(statSync(path).size) })
    const noticed = await verifyArchive({ folder, disk }).then(
      ({ isWhole }) => !isWhole,
      (error) => error instanceof ArchiveError,
    )
    expect([path, noticed]).toEqual([path, true])
  }
})

test('what is hit is told by name', async () => {
  const folder = newFolder('archive')
  const root = join(folder, '.claude')
  const random = randomOf(12)
  const archive = await openArchive(join(folder, 'archive'))
  for (const number of [1, 2]) {
    const id = sessionId(number)
    writeTree(root, new Map([[transcriptName(id), transcript(random, id, 50)]]))
    await takeSnapshot(archive, sourceFiles(root), { takenMs: number })
  }
  const packs = join(archive.folder, 'packs')
  const [hit = ''] = readdirSync(packs).filter((name) => readFileSync(join(packs, name)).length > 0)
  const bytes = readFileSync(join(packs, hit))
  bytes[2000] = (bytes[2000] ?? 0) ^ 1
  writeFileSync(join(packs, hit), bytes)
  const report = await verifyArchive(archive)
  expect(report.damagedPacks).toEqual([hit.replace('.pack', '')])
  expect(report.damagedSessions.length).toBe(1)
  expect(report.damagedFiles.map(({ name }) => name)).toEqual(report.damagedSessions.map(transcriptName))
})

test('the format file, damaged or gone, does not lock anybody out of what is there', async () => {
  const folder = newFolder('archive')
  const archive = await openArchive(folder)
  writeFileSync(join(folder, 'format'), 'xlew archive')
  expect(existingArchive(folder)).not.toBe(null)
  expect((await verifyArchive(archive)).format).toMatch(/damaged/)
})
