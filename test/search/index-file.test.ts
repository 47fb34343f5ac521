// The index is a cache. Whatever becomes of its file, commands say what they would say without it, and a file that cannot
// be used is set aside.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Ran } from '../cli/run.ts'
import { clew, newFolder, sample } from '../cli/run.ts'
import { randomOf } from '../random.ts'

const COMMANDS = [
  ['list', '--json', '--root', sample],
  ['search', 'harbour', '--json', '--root', sample],
  ['show', 'latest', '--root', sample],
  ['check', '--root', sample],
]

/** A whole index, and what commands say without one. */
const good = join(newFolder('good'), 'index.sqlite')
const expected = new Map<string, readonly unknown[]>()

beforeAll(() => {
  const cache = newFolder('cache')
  expect(clew(['list', '--root', sample], { env: { XDG_CACHE_HOME: cache } }).status).toBe(0)
  copyFileSync(indexIn(cache), good)
  for (const words of COMMANDS) expected.set(String(words[0]), saidBy(clew([...words, '--no-index'])))
})

function indexIn(cache: string): string {
  return join(cache, 'clew', 'index.sqlite')
}

/** Where SQLite keeps how many pages there are: everything behind the first page is damaged, which only a query meets. */
function damagePages(path: string): void {
  const { below } = randomOf(7)
  const size = statSync(path).size
  const fd = openSync(path, 'r+')
  for (let offset = 4096; offset < size; offset += 4096) {
    for (let times = 0; times < 40; times++) writeSync(fd, Buffer.from([below(256)]), 0, 1, offset + below(4096))
  }
}

function setPragma(path: string, pragma: string): void {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA ${pragma}`)
  database.close()
}

type Case = readonly [name: string, isSetAside: boolean, damage: (path: string) => void]

const CASES: readonly Case[] = [
  ['no file', false, () => undefined],
  ['a whole file', false, (path) => copyFileSync(good, path)],
  ['an empty file', false, (path) => writeFileSync(path, '')],
  ['garbage', true, (path) => writeFileSync(path, 'tide '.repeat(10_000))],
  // SQLite takes it for a file that was only just made.
  ['one byte', false, (path) => writeFileSync(path, 'x')],
  [
    'half of the file',
    true,
    (path) => {
      copyFileSync(good, path)
      truncateSync(path, Math.floor(statSync(path).size / 2))
    },
  ],
  [
    'damaged pages',
    true,
    (path) => {
      copyFileSync(good, path)
      damagePages(path)
    },
  ],
  [
    'a later version',
    true,
    (path) => {
      copyFileSync(good, path)
      setPragma(path, 'user_version=999')
    },
  ],
  [
    'an earlier version with tables of a later one',
    true,
    (path) => {
      copyFileSync(good, path)
      setPragma(path, 'user_version=3')
    },
  ],
  [
    'the file of another program',
    true,
    (path) => {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE bookmark(url TEXT); PRAGMA user_version=1')
      database.close()
    },
  ],
  [
    'a folder',
    true,
    (path) => {
      mkdirSync(path)
      writeFileSync(join(path, 'precious.txt'), 'kept')
    },
  ],
  [
    'a log that is garbage',
    false,
    (path) => {
      copyFileSync(good, path)
      writeFileSync(`${path}-wal`, 'tide '.repeat(10_000))
    },
  ],
  [
    'a lock that is garbage',
    false,
    (path) => {
      copyFileSync(good, path)
      writeFileSync(`${path}.lock`, 'tide '.repeat(10_000))
    },
  ],
]

describe.each(CASES)('%s', (_, isSetAside, damage) => {
  test.each(COMMANDS)('%s', (...words) => {
    const cache = newFolder('cache')
    mkdirSync(join(cache, 'clew'))
    damage(indexIn(cache))
    const first = clew(words, { env: { XDG_CACHE_HOME: cache } })
    expectSame(first, words)
    // Commands that only look into the index may never have come to the damaged part.
    const isBuilding = words[0] === 'list' || words[0] === 'search'
    if (isBuilding) expect(existsSync(`${indexIn(cache)}.aside`)).toBe(isSetAside)
    const again = clew(words, { env: { XDG_CACHE_HOME: cache } })
    expectSame(again, words)
    if (isBuilding) expect(integrityOf(indexIn(cache))).toBe('ok')
  })
})

/** Then nothing is read anew, and whoever asks for many rows meets the damage first. */
describe('an index for which nothing was left to do, damaged in one table', () => {
  test.each([
    ['conversation', ['list', '--json']],
    ['conversation', ['search', 'harbour', '--json', '--project', 'tidewatch']],
    ['page', ['show', 'latest']],
    ['page', ['check']],
    ['usage_page', ['usage', '--json']],
  ])('%s: %s', (table, command) => {
    const words = [...command, '--root', sample]
    const cache = newFolder('cache')
    const said = saidBy(clew([...words, '--no-index']))
    expect(clew(['list', '--root', sample], { env: { XDG_CACHE_HOME: cache } }).status).toBe(0)
    damageTable(indexIn(cache), table)
    expect(saidBy(clew(words, { env: { XDG_CACHE_HOME: cache } }))).toEqual(said)
    expect(existsSync(`${indexIn(cache)}.aside`)).toBe(true)
    expect(saidBy(clew(words, { env: { XDG_CACHE_HOME: cache } }))).toEqual(said)
  })
})

/** SQLite would refuse it where it keeps an index over what stands in a row. */
const CUT_ROWS = `DROP INDEX conversation_by_continues; DROP INDEX conversation_by_fork;
  UPDATE conversation SET summary = substr(summary, 1, 40)`

/** Nothing that SQLite would notice. */
describe('an index for which nothing was left to do, with a row that cannot be read', () => {
  test.each([
    [CUT_ROWS, ['list', '--json']],
    [CUT_ROWS, ['search', 'harbour', '--json']],
    ["UPDATE conversation SET models = '['", ['search', 'harbour', '--json', '--project', 'tidewatch']],
    ["UPDATE file SET state = '{'", ['check']],
    ["UPDATE page SET envelopes = x'04ffff'", ['check']],
    ["UPDATE usage_page SET records = x'ffff'", ['usage', '--json']],
  ])('%s: %s', (damage, command) => {
    const words = [...command, '--root', sample]
    const cache = newFolder('cache')
    const said = saidBy(clew([...words, '--no-index']))
    expect(clew(['list', '--root', sample], { env: { XDG_CACHE_HOME: cache } }).status).toBe(0)
    const database = new DatabaseSync(indexIn(cache))
    database.exec(damage)
    database.close()
    expect(saidBy(clew(words, { env: { XDG_CACHE_HOME: cache } }))).toEqual(said)
    expect(existsSync(`${indexIn(cache)}.aside`)).toBe(true)
    expect(saidBy(clew(words, { env: { XDG_CACHE_HOME: cache } }))).toEqual(said)
  })
})

/** The first of its pages. */
function damageTable(path: string, table: string): void {
  const database = new DatabaseSync(path)
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    readonly rootpage: number
  }
  database.close()
  writeSync(openSync(path, 'r+'), Buffer.alloc(4096, 'tide '), 0, 4096, (rootpage - 1) * 4096)
}

function expectSame(ran: Ran, words: readonly (string | undefined)[]): void {
  expect(saidBy(ran)).toEqual(expected.get(String(words[0])))
}

/** A score grows older with every millisecond. */
function saidBy({ err, status, out }: Ran): readonly unknown[] {
  return [err, status, withoutScores(out)]
}

function withoutScores(out: string): string {
  return out.replaceAll(/,"score":[^,}]+/g, '')
}

function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return (database.prepare('PRAGMA integrity_check').get() as { readonly integrity_check: string }).integrity_check
  } finally {
    database.close()
  }
}

test('what was set aside is kept', () => {
  const cache = newFolder('cache')
  mkdirSync(join(cache, 'clew'))
  for (const text of ['first', 'second']) {
    writeFileSync(indexIn(cache), text.repeat(1000))
    clew(['list', '--root', sample], { env: { XDG_CACHE_HOME: cache } })
    expect(readFileSync(`${indexIn(cache)}.aside`, 'utf8')).toBe(text.repeat(1000))
  }
})

describe('nobody else can read it', () => {
  test.each(['list', 'search'])('after %s', (name) => {
    const cache = newFolder('cache')
    clew([name, ...(name === 'search' ? ['tide'] : []), '--root', sample], { env: { XDG_CACHE_HOME: cache } })
    for (const folder of ['clew', 'clew/code']) {
      expect(modeOf(join(cache, folder))).toBe('700')
      for (const file of readdirSync(join(cache, folder)).filter((one) => one !== 'code'))
        expect([file, modeOf(join(cache, folder, file))]).toEqual([file, '600'])
    }
  })

  test('also when it could be read before', () => {
    const cache = newFolder('cache')
    mkdirSync(join(cache, 'clew'))
    copyFileSync(good, indexIn(cache))
    chmodSync(indexIn(cache), 0o644)
    expect(clew(['list', '--root', sample], { env: { XDG_CACHE_HOME: cache } }).status).toBe(0)
    expect(modeOf(indexIn(cache))).toBe('600')
  })
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

describe('nowhere to keep it', () => {
  const isRoot = process.getuid?.() === 0
  const NOBODY = 65534

  test.skipIf(!isRoot)('a folder that may not be written', () => {
    const cache = newFolder('cache')
    chmodSync(cache, 0o755)
    for (const words of COMMANDS)
      expectSame(clew(words, { cwd: '/', uid: NOBODY, env: { XDG_CACHE_HOME: cache } }), words)
    expect(readdirSync(cache)).toEqual([])
  })

  test('a file where a folder should be', () => {
    const cache = join(newFolder('cache'), 'file')
    writeFileSync(cache, '')
    for (const words of COMMANDS) expectSame(clew(words, { env: { XDG_CACHE_HOME: cache } }), words)
  })

  test('an empty HOME', () => {
    const cwd = newFolder('cwd')
    for (const words of COMMANDS) expectSame(clew(words, { cwd, env: { HOME: '' } }), words)
    expect(readdirSync(cwd)).toEqual([])
  })

  test.skipIf(!isRoot)('no HOME', () => {
    for (const words of COMMANDS) expectSame(clew(words, { cwd: '/', uid: NOBODY, env: { HOME: undefined } }), words)
  })

  // From no room for the first page to room for nearly all of it.
  test.skipIf(!isRoot).each([16, 64, 128, 256, 512, 768])('a disk with %i KB', (sizeKb) => {
    const cache = newFolder('cache')
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'tmpfs', cache]).status !== 0) return
    try {
      for (const words of COMMANDS) {
        const { status, out, err } = clew(words, { env: { XDG_CACHE_HOME: cache } })
        const own = err.split('\n').filter((line) => !line.startsWith('clew: the index cannot be used'))
        expect([own.join('\n'), status, withoutScores(out)]).toEqual(expected.get(String(words[0])))
      }
      expect(readdirSync(join(cache, 'clew')).filter((name) => name.includes('aside'))).toEqual([])
    } finally {
      spawnSync('umount', [cache])
    }
  })
})
