// A Claude directory with two names: people keep it elsewhere and link to it, or move their home and leave a link. What was
// archived under one name is known under the other, whichever of the two the link is.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { allVersions, openSnapshots } from '../../src/archive/catalogue.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import type { Ran } from './run.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

interface Row {
  readonly sessionId: string
  readonly root: string
  readonly isCopy: boolean
  readonly sourceThere: boolean
}

const LONG_AGO = new Date('2026-01-02T03:04:05.678Z')
let home = ''
/** Two names of one Claude directory. */
let link = ''
let real = ''

const env = (root: string): Readonly<Record<string, string>> => ({ HOME: home, CLAUDE_CONFIG_DIR: root })
const run = (root: string, ...words: readonly string[]): Ran => clew(words, { env: env(root) })
const json = (root: string, ...words: readonly string[]): readonly Row[] => clewJson<Row>(words, { env: env(root) })

beforeEach(() => {
  home = realpathSync(newFolder('home'))
  real = join(home, 'disk', 'claude')
  link = join(home, '.claude')
  cpSync(join(sample, 'projects'), join(real, 'projects'), { recursive: true })
  for (const name of readdirSync(join(real, 'projects'), { recursive: true, encoding: 'utf8' }))
    utimesSync(join(real, 'projects', name), LONG_AGO, LONG_AGO)
  symlinkSync(real, link)
})

/** All of it, as a clean-up of many days. */
function sweep(): void {
  for (const name of readdirSync(join(real, 'projects'))) rmSync(join(real, 'projects', name), { recursive: true })
}

describe.each([
  ['a link', () => ({ named: link, asked: real })],
  ['what a link leads to', () => ({ named: real, asked: link })],
])('archived under the name of %s', (_, names) => {
  let named = ''
  let asked = ''

  beforeEach(() => {
    ;({ named, asked } = names())
    expect(run(named, 'archive').status).toBe(0)
  })

  test('nothing is new under the other name', () => {
    expect(run(asked, 'archive').out).toContain('Nothing is new')
  })

  test('the other name lists it once, with the files that are there', () => {
    const rows = json(asked, 'archive', 'list', '--root', asked)
    expect(rows).toHaveLength(5)
    expect(rows.every(({ sourceThere }) => sourceThere)).toBe(true)
  })

  test('a transcript that grew meanwhile is a version of the same file', () => {
    const [first] = json(named, 'list')
    expect(first).toBeDefined()
    for (const name of readdirSync(join(real, 'projects'), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.jsonl')) utimesSync(join(real, 'projects', name), new Date(), new Date())
    expect(run(asked, 'archive').status).toBe(0)
    expect(json(asked, 'archive', 'list')).toHaveLength(5)
    expect(json(named, 'archive', 'list', '--root', named)).toHaveLength(5)
  })

  test('after a sweep the copies are shown under both names, and restored', () => {
    sweep()
    for (const root of [asked, named]) {
      const rows = json(root, 'list')
      expect(rows.filter(({ isCopy }) => isCopy)).toHaveLength(5)
    }
    // They are brought out once.
    expect(readdirSync(join(home, '.cache', 'clew', 'copies')).filter((name) => name !== 'held.json')).toHaveLength(1)
    const restored = run(asked, 'archive', 'restore', '--all', '--root', asked)
    expect(restored.status, restored.err).toBe(0)
    expect(restored.out).not.toContain('CLAUDE_CONFIG_DIR')
    expect(json(asked, 'list').filter(({ isCopy }) => !isCopy)).toHaveLength(5)
  })

  test('retire and doctor know that there is a copy', () => {
    const [plan] = clewJson<{ readonly sessions: readonly { readonly heldBy: string | null }[] }>(
      ['retire', '--keep-last', '0'],
      { env: env(asked) },
    )
    expect(plan?.sessions.map(({ heldBy }) => heldBy)).toEqual([null, null, null, null, null])
  })
})

test('a home that was moved, with a link left behind', () => {
  const [before, after] = [join(home, 'old'), join(home, 'new')]
  mkdirSync(before)
  renameSync(real, join(before, '.claude'))
  expect(clew(['archive'], { env: { HOME: before, CLAUDE_CONFIG_DIR: undefined } }).status).toBe(0)
  renameSync(before, after)
  symlinkSync(after, before)
  real = join(after, '.claude')
  sweep()
  const moved = { env: { HOME: after, CLAUDE_CONFIG_DIR: undefined } }
  expect(clewJson<Row>(['archive', 'list', '--root', join(before, '.claude')], moved)).toHaveLength(5)
  expect(clewJson<Row>(['list'], moved).filter(({ isCopy }) => isCopy)).toHaveLength(5)
  expect(clew(['archive', 'restore', '--all'], moved).status).toBe(0)
  expect(clewJson<Row>(['list'], moved).filter(({ isCopy }) => !isCopy)).toHaveLength(5)
})

test('a link that leads somewhere else by now takes its archive along', () => {
  expect(run(link, 'archive').status).toBe(0)
  const moved = join(home, 'other')
  renameSync(real, moved)
  rmSync(link)
  symlinkSync(moved, link)
  real = moved
  sweep()
  expect(json(moved, 'list').filter(({ isCopy }) => isCopy)).toHaveLength(5)
})

test('what was imported under a name is of that name, wherever the other one leads by now', () => {
  const exported = join(home, 'all.clew')
  expect(run(real, 'archive').status).toBe(0)
  expect(run(real, 'archive', 'export', '--all', '-o', exported).status).toBe(0)
  rmSync(join(home, '.local'), { recursive: true })
  mkdirSync(join(real, 'plans'))
  writeFileSync(join(real, 'plans', 'one.md'), 'one')
  sweep()
  expect(run(link, 'archive').status).toBe(0)
  expect(run(link, 'archive', 'import', exported, '--root', real).status).toBe(0)
  rmSync(link)
  mkdirSync(join(link, 'projects'), { recursive: true })
  expect(json(real, 'archive', 'list', '--root', real)).toHaveLength(5)
})

test('a link that leads in a circle leads to nothing', () => {
  expect(run(link, 'archive').status).toBe(0)
  rmSync(link)
  symlinkSync(link, link)
  expect(json(real, 'archive', 'list').map(({ sourceThere }) => sourceThere)).toEqual(Array(5).fill(false))
})

/** One was emptied into the other, and a link was left in its place: then two files of one name were never one file. */
test.each([
  ['--keep-last', '1'],
  ['--older-than', '1d'],
])('what were two directories once is no reason to let go: %s %s', (...rule) => {
  const other = join(home, 'other')
  const memory = join('projects', '-p', 'memory', 'MEMORY.md')
  for (const root of [real, other]) {
    mkdirSync(join(root, memory, '..'), { recursive: true })
    writeFileSync(join(root, memory), `of ${root}`)
    utimesSync(join(root, memory), LONG_AGO, LONG_AGO)
    expect(run(root, 'archive').status).toBe(0)
  }
  rmSync(other, { recursive: true })
  symlinkSync(real, other)
  writeFileSync(join(real, memory), 'later')
  expect(run(real, 'archive').status).toBe(0)
  const pruned = run(real, 'archive', 'prune', ...rule, '--apply')
  const kept = allVersions(openSnapshots({ folder: join(home, '.local', 'share', 'clew', 'archive'), disk: REAL_DISK }))
  expect(
    kept.filter(({ name, sizeBytes }) => name.endsWith('MEMORY.md') && sizeBytes === `of ${other}`.length),
  ).toHaveLength(1)
  expect(pruned.err).toContain(rule[0] === '--keep-last' ? '' : '--even-last-copies')
})

test('a directory with two names is looked at once', () => {
  const config = join(home, '.config')
  mkdirSync(config)
  symlinkSync(real, join(config, 'claude'))
  const usual = { env: { HOME: home, CLAUDE_CONFIG_DIR: undefined } }
  expect(clewJson<Row>(['list'], usual)).toHaveLength(5)
  expect(clewJson<Row>(['list', '--root', link, '--root', real], usual)).toHaveLength(5)
})
