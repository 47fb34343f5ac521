// Threads that cannot be started, or end before their work: what they leave is done by the thread that started them.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Worker as NodeWorker } from 'node:worker_threads'
import { afterAll, expect, it, vi } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { runJob } from '../../src/load/jobs.ts'
import { openDatabase } from '../../src/search/database.ts'
import { SIZES } from '../../src/search/sizes.ts'
import { staleProjects } from '../../src/search/stale.ts'
import { randomOf } from '../random.ts'
import { ArchiveWriter } from '../search/archive-writer.ts'
import { dumpIndex, strayRows } from '../search/dump.ts'

type Ending = (make: (code: string) => NodeWorker, built: URL) => NodeWorker

let ending: Ending

vi.mock('node:worker_threads', async (original) => {
  const { Worker, ...rest } = await original<typeof import('node:worker_threads')>()
  return {
    ...rest,
    Worker: class {
      constructor(path: URL, options: object) {
        const built = new URL(path.href.replace('/src/', '/dist/'))
        // What a constructor gives is what `new` gives.
        // biome-ignore lint/correctness/noConstructorReturn: a thread of the usual kind stands in for it
        return ending((code) => new Worker(code, { ...options, eval: true }), built)
      }
    },
  }
})

const { runProjects } = await import('../../src/load/pool.ts')
const { ingest } = await import('../../src/search/ingest.ts')
const { scanFiles } = await import('../../src/search/scan.ts')

const ENDINGS: readonly (readonly [string, Ending])[] = [
  [
    'may not be started',
    () => {
      throw new Error('EAGAIN')
    },
  ],
  ['throws at once', (make) => make('throw new Error("gone")')],
  ['ends at once', (make) => make('process.exit(0)')],
  ['ends after its first answer', (make, built) => make(endsAfterAnswer(built))],
  ['throws behind its first answer', (make, built) => make(throwsBehindAnswer(built))],
]

/** Of the code that was built. */
function endsAfterAnswer(built: URL): string {
  return `const { parentPort } = require('node:worker_threads')
    const post = parentPort.postMessage.bind(parentPort)
    let hasAnswered = false
    parentPort.postMessage = (value) => {
      if (hasAnswered) process.exit(0)
      hasAnswered = true
      post(value)
    }
    require(${JSON.stringify(fileURLToPath(built))})`
}

/** That it has ended is told on a way of its own, and may come before the answer. */
function throwsBehindAnswer(built: URL): string {
  return `const { parentPort } = require('node:worker_threads')
    require(${JSON.stringify(fileURLToPath(built))})
    const post = parentPort.postMessage.bind(parentPort)
    parentPort.postMessage = (value) => {
      process.nextTick(() => {
        throw new Error('gone')
      })
      post(value)
    }`
}

const folder = mkdtempSync(join(tmpdir(), 'clew-ended-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const root = join(folder, '.claude')
const writer = new ArchiveWriter(root, randomOf(7))
for (let step = 0; step < 60; step++) writer.step()
const archive = findTranscripts([root])

it.each(ENDINGS)('lists everything where a thread %s', async (_, how) => {
  ending = how
  const projects = Array.from({ length: 20 }, () => archive.projects)
    .flat()
    .map((project) => ({ ...project, sizeBytes: 48 << 20 }))
  const byText = (lists: readonly unknown[]): readonly string[] => lists.map((list) => JSON.stringify(list)).sort()
  const expected = byText(projects.map((project) => runJob({ name: 'list', project })))
  // Which news comes first is up to the moment.
  for (let time = 0; time < 5; time++) expect(byText(await runProjects(projects, 'list'))).toEqual(expected)
})

it.each(ENDINGS)('indexes everything where a thread %s', async (_, how) => {
  ending = how
  const indexed = async (sizes: typeof SIZES) => {
    const database = openDatabase(null)
    await ingest(database, null, archive, { nowMs: 1_800_000_000_000, sizes })
    return database
  }
  const here = await indexed({ ...SIZES, workerBytes: 1e9, bulkBytes: 1e9 })
  for (const commitBytes of [0, SIZES.commitBytes]) {
    const ended = await indexed({
      ...SIZES,
      workerBytes: 0,
      bulkBytes: 0,
      batchBytes: 0,
      windowBytes: 4096,
      commitBytes,
    })
    expect(dumpIndex(ended)).toEqual(dumpIndex(here))
    expect(strayRows(ended)).toEqual([])
    expect(staleProjects(ended, archive)).toEqual([])
    ended.close()
  }
  here.close()
})

it.each(ENDINGS.slice(0, 3))('looks through everything where a thread %s', async (_, how) => {
  ending = how
  const files = archive.projects.flatMap((project) => project.files)
  const targetsOf = (sizeBytes: number) => files.map(({ path }) => ({ path, sizeBytes, isSpill: false }))
  const expected = await scanFiles(targetsOf(1), { kind: 'exact', text: 'the', ignoreCase: false })
  expect(expected.hits.length).toBeGreaterThan(0)
  for (const kind of ['exact', 'regex'] as const)
    expect(await scanFiles(targetsOf(48 << 20), { kind, text: 'the', ignoreCase: false })).toEqual(expected)
})
