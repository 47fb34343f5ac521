// Power cuts, full disks and failing ones under an archive, on a simulated disk: what was acknowledged is there afterwards,
// whole, and the archive goes on.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { allVersions, openSnapshots } from '../../src/archive/catalogue.ts'
import type { SourceFile } from '../../src/archive/model.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { pruneArchive } from '../../src/archive/prune.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { verifyArchive } from '../../src/archive/verify.ts'
import type { Disk } from '../../src/disk/disk.ts'
import { makeFolders, writeAll } from '../../src/disk/durable.ts'
import { randomOf } from '../random.ts'
import type { Faults, Operation } from '../store/simulated-disk.ts'
import { Crash, SimulatedDisk } from '../store/simulated-disk.ts'
import { fork, sessionId, transcript, transcriptName } from './made-tree.ts'

const ROOT = '/home/ada/.claude'
const FOLDER = '/home/ada/.local/share/clew/archive'
const NOW = 1_790_000_000_000

function source(number: number): SourceFile {
  const id = sessionId(number)
  const name = transcriptName(id)
  return { root: ROOT, name, path: `${ROOT}/${name}`, sessionId: id }
}

async function append(disk: Disk, { path }: SourceFile, bytes: Buffer): Promise<string> {
  await makeFolders(disk, path.slice(0, path.lastIndexOf('/')))
  const fd = disk.openToAppend(path, false)
  writeAll(disk, fd, bytes)
  await disk.sync(fd)
  disk.close(fd)
  await disk.syncFolder(path.slice(0, path.lastIndexOf('/')))
  return sha256(disk, path)
}

function sha256(disk: Disk, path: string): string {
  const fd = disk.openToRead(path)
  const bytes = disk.read(fd, 0, disk.sizeOf(fd))
  disk.close(fd)
  return createHash('sha256').update(bytes).digest('hex')
}

const FIRST = transcript(randomOf(1), sessionId(1), 30)
const FORK = fork(randomOf(2), FIRST, sessionId(1), sessionId(2))

/** Three snapshots, and a prune that keeps all; each version is in the set once it was acknowledged. */
async function work(disk: Disk, front: Disk, acked: Set<string>): Promise<void> {
  const archive = await openArchive(FOLDER, front)
  const [first, second] = [source(1), source(2)]
  const keep = async (versions: readonly string[], takenMs: number): Promise<void> => {
    const { skipped } = await takeSnapshot(archive, [first, second], { takenMs, partBytes: 4000 })
    for (const [at, { path }] of [first, second].entries()) {
      const isSkipped = skipped.some((one) => one.path === path)
      if (!isSkipped && versions[at] !== undefined) acked.add(`${path} ${versions[at]}`)
    }
  }
  const one = sha256(disk, first.path)
  await keep([one], NOW)
  const two = await append(disk, second, FORK)
  await keep([one, two], NOW + 1)
  const three = await append(disk, first, FIRST.subarray(0, 500))
  await keep([three, two], NOW + 2)
  await pruneArchive(archive, { policy: { keepVersions: 5 }, nowMs: NOW })
}

async function newDisk(seed: number, faults: Faults): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk(randomOf(seed))
  await append(disk, source(1), FIRST)
  return disk.kill(faults)
}

/** What is wrong afterwards; nothing when all is well. */
async function wrongAfter(disk: Disk, acked: ReadonlySet<string>): Promise<readonly string[]> {
  const archive = await openArchive(FOLDER, disk)
  const report = await verifyArchive(archive, { readsFiles: true })
  const there = new Set(allVersions(openSnapshots(archive)).map((file) => `${ROOT}/${file.name} ${file.sha256}`))
  const wrong = [...acked].filter((version) => !there.has(version)).map((version) => `lost ${version}`)
  if (!report.isWhole) wrong.push(`not whole: ${JSON.stringify(report)}`)
  await takeSnapshot(archive, [source(1), source(2)], { takenMs: NOW })
  const again = await verifyArchive(archive, { readsFiles: true })
  if (!again.isWhole) wrong.push('not whole after the next snapshot')
  return wrong
}

async function crashed(
  seed: number,
  faults: Faults,
  mutate = (disk: Disk): Disk => disk,
): Promise<readonly string[] | null> {
  const disk = await newDisk(seed, faults)
  const acked = new Set<string>()
  try {
    await work(disk, mutate(disk), acked)
    return null
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
  return wrongAfter(disk.crash(randomOf(seed + 1)), acked)
}

test('the power fails at every operation', { timeout: 1_200_000 }, async () => {
  const wrong: string[] = []
  let crashes = 0
  for (let crashAt = 1; ; crashAt++) {
    const found = await crashed(crashAt, { crashAt, shortShare: 0.2 })
    if (found === null) break
    crashes++
    wrong.push(...found.map((one) => `${crashAt}: ${one}`))
  }
  console.log(`archive: power cuts at each of ${crashes} operations, ${wrong.length} promises broken`)
  expect(wrong).toEqual([])
  expect(crashes).toBeGreaterThan(100)
})

const FAULTS: readonly [string, string][] = [
  ['ENOSPC', 'openToAppend write makeFolder rename'],
  ['EIO', 'sync syncFolder write rename read'],
]

test.each(FAULTS)('%s once, at every place', { timeout: 1_200_000 }, async (code, words) => {
  const on = new Set(words.split(' ')) as ReadonlySet<string> as ReadonlySet<Operation>
  const wrong: string[] = []
  for (let nth = 1; ; nth++) {
    const disk = await newDisk(nth, { failing: { nth, on, code } })
    const acked = new Set<string>()
    await work(disk, disk, acked).catch((error: Error) => {
      if (!error.message.includes('simulated')) throw error
    })
    if (disk.failures === 0) break
    disk.mend()
    wrong.push(...(await wrongAfter(disk.crash(randomOf(nth)), acked)).map((one) => `${nth}: ${one}`))
  }
  expect(wrong).toEqual([])
})

test('a full disk ends the snapshot, gives its room back, and nothing is lost', async () => {
  const disk = await newDisk(1, { roomBytes: 2000 })
  const archive = await openArchive(FOLDER, disk)
  await expect(takeSnapshot(archive, [source(1)], { takenMs: NOW })).rejects.toThrow(/ENOSPC/)
  expect(disk.names(`${FOLDER}/packs`)).toEqual([])
  disk.mend()
  expect((await takeSnapshot(archive, [source(1)], { takenMs: NOW })).keptFiles).toBe(1)
  expect((await verifyArchive(archive, { readsFiles: true })).isWhole).toBe(true)
})

test('prunes and snapshots at once do not harm each other', { timeout: 600_000 }, async () => {
  let [taken, pruned] = [0, 0]
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomOf(seed)
    const disk = await newDisk(seed, {})
    const archive = await openArchive(FOLDER, disk)
    for (let round = 0; round < 3; round++) {
      await append(disk, source(1), transcript(random, sessionId(1), 5))
      await takeSnapshot(archive, [source(1)], { takenMs: NOW + round })
    }
    const two = await append(disk, source(2), FORK)
    const policy = { keepVersions: 1 }
    const [snapshot] = await Promise.allSettled([
      takeSnapshot(archive, [source(1), source(2)], { takenMs: NOW + 9 }),
      pruneArchive(archive, { policy, nowMs: NOW }).then(() => pruned++),
    ])
    const report = await verifyArchive(archive, { readsFiles: true })
    expect([seed, report.isWhole]).toEqual([seed, true])
    if (snapshot.status === 'rejected') continue
    taken++
    const there = allVersions(openSnapshots(archive)).map((file) => file.sha256)
    expect([seed, there.includes(two)]).toEqual([seed, true])
  }
  console.log(`archive: ${taken} snapshots and ${pruned} prunes of 60 at once came through`)
  expect(taken).toBeGreaterThan(50)
})

describe('an archive on a disk that', () => {
  const MUTANTS: Record<string, (disk: Disk) => Disk> = {
    'does not sync files': (disk) => proxied(disk, { sync: async () => undefined }),
    'does not sync folders': (disk) => proxied(disk, { syncFolder: async () => undefined }),
    'ignores short writes': (disk) =>
      proxied(disk, {
        write: (fd, bytes) => {
          disk.write(fd, bytes)
          return bytes.length
        },
      }),
  }
  test.each(Object.entries(MUTANTS))('%s is caught', async (_, mutate) => {
    let wrong: readonly string[] = []
    for (let seed = 1; seed < 600 && wrong.length === 0; seed++) {
      const crashAt = 60 + ((seed * 7) % 150)
      wrong = (await crashed(seed, { crashAt, shortShare: 0.2 }, mutate).catch((error: Error) => [error.message])) ?? []
    }
    expect(wrong.length).toBeGreaterThan(0)
  })
})

function proxied(disk: Disk, changed: Partial<Disk>): Disk {
  return new Proxy(disk, {
    get: (target, name) => {
      const replaced = changed[name as keyof Disk]
      const value: unknown = replaced ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
