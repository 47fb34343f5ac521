// Processes that are killed while they archive, all into one archive that survives them, and two that archive at once. Each
// tells through a pipe what it was promised. `npm run faults:archive` kills 100 times; CLEW_ARCHIVE_KILLS sets how often.

import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { allVersions, openSnapshots } from '../../src/archive/catalogue.ts'
import { openArchive } from '../../src/archive/open-archive.ts'
import { pruneArchive } from '../../src/archive/prune.ts'
import { verifyArchive } from '../../src/archive/verify.ts'
import { command, environment, newFolder, projectFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'

const kills = Number(process.env['CLEW_ARCHIVE_KILLS'] ?? 5)
const seed = Number(process.env['CLEW_ARCHIVE_SEED'] ?? 1)

interface Run {
  readonly root: string
  readonly archive: string
  readonly name: string
  readonly seed: number
  readonly count: number
}

/** So long after it has said so much: that it is ready, and a line a snapshot. */
interface Kill {
  readonly lines: number
  readonly afterMs: number
}

/** The versions it was promised, as name and hash. */
async function run({ root, archive, name, seed: start, count }: Run, kill: Kill | null): Promise<readonly string[]> {
  const script = join(projectFolder, 'test', 'archive', 'killed-archiver.mjs')
  const words = [script, join(dirname(command), '..'), root, archive, name, String(start), String(count)]
  const child = spawn(process.execPath, words, { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, said] = ['', '']
  child.stdout.on('data', (bytes) => (out += bytes))
  child.stderr.on('data', (bytes) => (said += bytes))
  const ended = new Promise<number | null>((resolve) => child.on('close', (status) => resolve(status)))
  if (kill !== null) {
    while (out.split('\n').length <= kill.lines && child.exitCode === null) await setTimeout(2)
    await setTimeout(kill.afterMs)
    child.kill('SIGKILL')
  }
  const status = await ended
  if (status !== null && status !== 0) throw new Error(`an archiver said: ${said}`)
  // A line it did not finish was no promise yet.
  const lines = out
    .slice(0, out.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('['))
  return lines.flatMap((line) => (JSON.parse(line) as [string, string][]).map((version) => version.join(' ')))
}

async function lostOf(folder: string, promised: ReadonlySet<string>): Promise<readonly string[]> {
  const archive = await openArchive(folder)
  const { isWhole } = await verifyArchive(archive, { readsFiles: true })
  const there = new Set(allVersions(openSnapshots(archive)).map(({ name, sha256 }) => `${name} ${sha256}`))
  return [...[...promised].filter((version) => !there.has(version)), ...(isWhole ? [] : ['not whole'])]
}

test(`${kills} kills of an archiver, from seed ${seed}`, { timeout: 7_200_000 }, async () => {
  const random = randomOf(seed)
  const root = newFolder('claude')
  const folder = join(newFolder('archive'), 'archive')
  const promised = new Set<string>()
  for (let round = 0; round < kills; round++) {
    const name = `w${random.below(3)}`
    const given = { root, archive: folder, name, seed: seed + round, count: 0 }
    const kill = { lines: 1 + random.below(4), afterMs: random.below(random.pick([10, 60, 300])) }
    for (const version of await run(given, kill)) promised.add(version)
    expect({ round, lost: await lostOf(folder, promised) }).toEqual({ round, lost: [] })
  }
  const archive = await openArchive(folder)
  const { leftovers } = await pruneArchive(archive, { policy: {}, nowMs: Date.now() + 10 * 24 * 3600 * 1000 })
  expect(await lostOf(folder, promised)).toEqual([])
  console.log(`archive kills: ${JSON.stringify({ kills, promised: promised.size, leftovers })}`)
  expect(promised.size).toBeGreaterThan(kills)
})

test('two processes at once', { timeout: 600_000 }, async () => {
  const root = newFolder('claude')
  const folder = join(newFolder('archive'), 'archive')
  const runs = ['a', 'b'].map((name, at) => run({ root, archive: folder, name, seed: at + 1, count: 12 }, null))
  // And two that are at the same files.
  const same = newFolder('claude')
  const alike = ['s', 's'].map(() => run({ root: same, archive: folder, name: 's', seed: 9, count: 1 }, null))
  const promised = (await Promise.all(runs)).flat()
  await Promise.all(alike)
  expect(promised.length).toBe(2 * 12 * 3)
  expect(await lostOf(folder, new Set(promised))).toEqual([])
})
