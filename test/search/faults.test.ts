// kill -9 at any moment of an ingest: what is left is sound, and the next ingest makes of it what a rebuild makes of
// nothing. `npm run faults` kills 200 times; CLEW_FAULTS sets how often, CLEW_FAULTS_SEED where to begin.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { openDatabase } from '../../src/search/database.ts'
import type { IngestSizes } from '../../src/search/sizes.ts'
import { newFolder, projectFolder } from '../cli/run.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { dumpIndex, strayRows } from './dump.ts'
import type { Kill, Stage } from './killed-ingest.ts'
import { lookAtRemains, runIngest } from './killed-ingest.ts'

const kills = Number(process.env['CLEW_FAULTS'] ?? 8)
const seed = Number(process.env['CLEW_FAULTS_SEED'] ?? 1)
const random = randomOf(seed)
const isShort = kills < 50
const made = newFolder('faults')
const root = join(made, '.claude')
const writer = new ArchiveWriter(root, random)

/** Many files, and one that is read in several Batches. */
beforeAll(() => {
  const generate = (out: string, ...words: readonly string[]): void => {
    const script = join(projectFolder, 'scripts', 'generate.mjs')
    expect(spawnSync(process.execPath, [script, '--out', out, ...words]).status).toBe(0)
  }
  generate(made, '--size', isShort ? '4MB' : '24MB', '--files', isShort ? '10' : '40', '--projects', '5')
  const long = newFolder('long')
  generate(long, '--size', isShort ? '4MB' : '12MB', '--one-session')
  const name = `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.jsonl`
  const [from, to] = [join(long, '.claude'), root].map((one) => join(one, 'projects', '-home-ada-project-0'))
  copyFileSync(join(from as string, name), join(to as string, name.replaceAll('0', 'f')))
})

interface Figures {
  killed: number
  ingesting: number
  rebuilt: number
  readonly stages: Record<Stage, number>
  readonly perKind: Record<string, number>
}

const figures: Figures = {
  killed: 0,
  ingesting: 0,
  rebuilt: 0,
  stages: { reading: 0, merging: 0, weaving: 0, done: 0 },
  perKind: {},
}

/** Small commits show what lies between them; the command itself is there as it is. */
function someSizes({ pick, chance }: Random): Partial<IngestSizes> | null {
  if (chance(0.2)) return null
  const commitBytes = pick([0, 1 << 18, 1 << 20, 1 << 23])
  const windowBytes = pick([1 << 14, 1 << 20])
  return {
    windowBytes,
    commitBytes,
    batchRecords: 300,
    bulkBytes: chance(0.5) ? 0 : 1e9,
    workerBytes: chance(0.5) ? 0 : 1e9,
  }
}

/** Any, and often enough near the end, where the merge is. */
function someMoment(tookMs: number): Kill {
  return random.chance(0.7)
    ? { from: 'ready', afterMs: random.below(tookMs) }
    : { from: 'read', afterMs: random.below(tookMs / 3) }
}

test(`${kills} kills, from seed ${seed}`, { timeout: 14_400_000 }, async () => {
  let kept = newIndex()
  const fresh = newIndex()
  let expected = await rebuild(fresh)
  /** What an ingest takes, by kind, so that most kills come in time. */
  const tookMs = { first: await timeOf(kept), later: 300 }
  for (let round = 0; figures.killed < kills; round++) {
    const kind = round % 2 === 0 ? 'first' : 'later'
    if (kind === 'first') {
      rmSync(dirname(dirname(kept)), { recursive: true })
      kept = newIndex()
    } else {
      for (let steps = 2 + random.below(10); steps > 0; steps--) writer.step()
      expected = await rebuild(fresh)
    }
    for (let times = 1 + random.below(4); times > 0 && figures.killed < kills; times--) {
      const ran = await runIngest({ index: kept, root, sizes: someSizes(random) }, someMoment(tookMs[kind]))
      if (!ran.wasKilled) break
      figures.killed++
      figures.perKind[kind] = (figures.perKind[kind] ?? 0) + 1
      if (ran.wasIngesting) figures.ingesting++
      figures.stages[lookAtRemains(kept, findTranscripts([root]))]++
    }
    const { tookMs: restMs } = await runIngest({ index: kept, root, sizes: {} }, null)
    if (kind === 'later') tookMs.later = Math.max(100, (tookMs.later + restMs) / 2)
    expect(digestsOf(kept)).toEqual(expected)
    if (!isShort && round % 5 === 0) console.log(`faults: ${JSON.stringify(figures)}`)
  }
  console.log(`faults: ${JSON.stringify(figures)}`)
  // The rest hit a process that was starting or had finished; of a few kills it may be the half.
  expect(figures.ingesting / figures.killed).toBeGreaterThan(isShort ? 0.2 : 0.4)
})

function newIndex(): string {
  const index = join(newFolder('cache'), 'clew', 'index.sqlite')
  mkdirSync(dirname(index))
  return index
}

async function timeOf(index: string): Promise<number> {
  return (await runIngest({ index, root, sizes: {} }, null)).tookMs
}

async function rebuild(index: string): Promise<Readonly<Record<string, string>>> {
  figures.rebuilt++
  rmSync(dirname(index), { recursive: true })
  mkdirSync(dirname(index))
  await runIngest({ index, root, sizes: {} }, null)
  return digestsOf(index)
}

/** By path: two whole dumps at once would be much to hold, and much to print. */
function digestsOf(index: string): Readonly<Record<string, string>> {
  const database = openDatabase(index)
  try {
    expect(strayRows(database)).toEqual([])
    const files = Object.entries(dumpIndex(database))
    return Object.fromEntries(
      files.map(([path, file]) => [path, createHash('sha1').update(JSON.stringify(file)).digest('hex')]),
    )
  } finally {
    database.close()
  }
}
