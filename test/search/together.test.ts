// Several commands at once on one index: one of them writes, nobody waits for long, nobody fails, and whoever is killed
// leaves nothing behind.

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/search/database.ts'
import { takeLock } from '../../src/search/lock.ts'
import { clew, command, environment, newFolder, projectFolder, sample } from '../cli/run.ts'

/** Large enough that an ingest takes a second or two on a fast machine and reads in a worker. */
const SIZE = '60MB'
const PATIENCE_MS = 60_000
/** How often they meet; npm run test:long has more. */
const ROUNDS = process.env['CLEW_LONG'] === '1' ? 8 : 2

const made = newFolder('archive')
const archive = join(made, '.claude')
let expected = ''

beforeAll(() => {
  const script = join(projectFolder, 'scripts', 'generate.mjs')
  spawnSync(process.execPath, [script, '--out', made, '--size', SIZE, '--files', '40', '--projects', '5'])
  expected = clew(['list', '--json', '--no-index', '--root', archive]).out
  expect(expected.split('\n').length).toBe(41)
})

interface Ended {
  readonly words: readonly string[]
  readonly status: number | null
  readonly signal: string | null
  readonly out: string
  readonly err: string
}

interface Running {
  readonly ended: Promise<Ended>
  readonly kill: () => void
}

function start(cache: string, words: readonly string[]): Running {
  const child = spawn(process.execPath, [command, ...words], {
    env: environment({ XDG_CACHE_HOME: cache, NO_COLOR: '1' }),
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (bytes) => (out += bytes))
  child.stderr.on('data', (bytes) => (err += bytes))
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (status, signal) => resolve({ words, status, signal, out, err })),
  )
  return { ended, kill: () => child.kill('SIGKILL') }
}

const LIST = ['list', '--json', '--root', archive]
const SEARCH = ['search', 'harbour', 'moon', '--json', '--root', archive]

function expectWell({ words, status, signal, out, err }: Ended): void {
  const others = err
    .split('\n')
    .filter((line) => !/^clew: another clew is indexing; \d+ files? could not be looked into yet$/.test(line))
  expect([words[0], status, signal, others]).toEqual([words[0], 0, null, ['']])
  if (words === LIST) expect(out).toBe(expected)
}

function indexIn(cache: string): string {
  return join(cache, 'clew', 'index.sqlite')
}

function isFree(cache: string): boolean {
  const lock = takeLock(indexIn(cache))
  lock?.release()
  return lock !== null
}

/** What is left is a whole index, and nobody has it. */
function expectWhole(cache: string): void {
  expect(isFree(cache)).toBe(true)
  const database = openDatabase(indexIn(cache))
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
}

test('six at once on a cold index', async () => {
  const cache = newFolder('cache')
  const running = [LIST, SEARCH, LIST, SEARCH, LIST, SEARCH].map((words) => start(cache, words))
  const ended = await Promise.all(running.map((one) => one.ended))
  for (const one of ended) expectWell(one)
  const [list, search] = await Promise.all([start(cache, LIST).ended, start(cache, SEARCH).ended])
  for (const one of [list, search]) expectWell(one)
  expect(search.out.split('\n').length).toBeGreaterThan(10)
  expect(search.err).toBe('')
  expectWhole(cache)
})

test('six at once on a cold index, in one project', async () => {
  const cache = newFolder('cache')
  const [project] = readdirSync(join(archive, 'projects'))
  const words = ['search', 'harbour', '--project', project as string, '-n', '1', '--json', '--root', archive]
  const ended = await Promise.all([1, 2, 3, 4, 5, 6].map(() => start(cache, words).ended))
  for (const one of ended) {
    expectWell(one)
    // A hit, or why there is none.
    expect(one.out + one.err).not.toBe('')
  }
})

test.each([0, 150, 600])('the one that ingests is killed after %i ms', async (afterMs) => {
  const cache = newFolder('cache')
  mkdirSync(join(cache, 'clew'))
  const first = start(cache, SEARCH)
  for (const until = Date.now() + PATIENCE_MS; isFree(cache) && Date.now() < until; ) await setTimeout(10)
  const others = [LIST, SEARCH, LIST].map((words) => start(cache, words))
  await setTimeout(afterMs)
  first.kill()
  expect((await first.ended).signal).toBe('SIGKILL')
  for (const one of others) expectWell(await one.ended)
  const last = await start(cache, LIST).ended
  expectWell(last)
  expect(last.err).toBe('')
  expectWhole(cache)
})

const small = clew(['list', '--json', '--no-index', '--root', sample]).out

/** Of a small archive nothing is left to do but to open the index, which is where they meet. */
test.each([
  ['there is none yet', () => undefined],
  ['it is broken', (path: string) => writeFileSync(path, 'tide '.repeat(10_000))],
  ['it is empty', (path: string) => writeFileSync(path, '')],
])('eight at once, when %s', async (_, prepare) => {
  for (let round = 0; round < ROUNDS; round++) {
    const cache = newFolder('cache')
    mkdirSync(dirname(indexIn(cache)))
    prepare(indexIn(cache))
    const running = Array.from({ length: 8 }, () => start(cache, ['list', '--json', '--root', sample]))
    for (const { status, err, out } of await Promise.all(running.map((one) => one.ended)))
      expect([status, err, out]).toEqual([0, '', small])
    expectWhole(cache)
  }
})
