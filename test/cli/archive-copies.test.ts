// Archived conversations outlive their files: after a sweep every command shows them as before, marked; neither the index
// nor the copies are needed for that; and when their files are back they are what they were.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { readStored } from '../../src/store/stored-transcript.ts'
import type { Ran } from './run.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

interface Row {
  readonly sessionId: string
  readonly title: string
  readonly path: string
  readonly isCopy: boolean
  readonly turns: number
  readonly subagents: number
}

const LONG_AGO = new Date('2026-01-02T03:04:05.678Z')
let home = ''
let root = ''

const run = (...words: readonly string[]): Ran => clew(words, { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })
const json = <Value>(...words: readonly string[]): readonly Value[] =>
  clewJson<Value>(words, { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })
const rows = (): readonly Row[] => json<Row>('list')
const places = (): readonly string[] =>
  readdirSync(join(root, 'projects'), { recursive: true, encoding: 'utf8' }).sort()

beforeEach(() => {
  home = newFolder('home')
  root = join(home, 'claude')
  cpSync(join(sample, 'projects'), join(root, 'projects'), { recursive: true })
  for (const name of places()) utimesSync(join(root, 'projects', name), LONG_AGO, LONG_AGO)
  expect(run('archive').status).toBe(0)
})

/** As the client does: transcripts go, and folders of sessions may stay behind. */
function sweep(leavesFolders = false): void {
  for (const name of places().filter(
    (one) => one.endsWith('.jsonl') && (!leavesFolders || !one.includes('subagents')),
  )) {
    rmSync(join(root, 'projects', name))
  }
  if (!leavesFolders)
    for (const name of readdirSync(join(root, 'projects'))) rmSync(join(root, 'projects', name), { recursive: true })
}

/** What does not depend on where a file lies. */
const facts = (listed: readonly Row[]): unknown =>
  listed.map(({ path: _, isCopy: __, ...row }) => row).sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1))

describe.each([
  ['all is gone', false],
  ['folders of sessions stay behind', true],
])('after a sweep, when %s', (_, leavesFolders) => {
  test('every command shows the conversations as before, marked', () => {
    const before = rows()
    const shown = (): readonly unknown[] => [
      run('show', '2ab6', '--include', 'tools,subagents').out,
      run('tree', '2ab6').out,
      run('brief', '2ab6').out.replaceAll(/\/\S*\.jsonl/g, ''),
      run('usage', '--json').out,
      run('search', 'calendar feed', '--json').out.match(/"sessionId":"[^"]*"/g),
    ]
    const spoken = shown()
    expect(before.length).toBe(5)
    expect(before.some(({ isCopy }) => isCopy)).toBe(false)
    sweep(leavesFolders)
    const after = rows()
    expect(facts(after)).toEqual(facts(before))
    expect(after.every(({ isCopy }) => isCopy)).toBe(true)
    expect(shown()).toEqual(spoken)
    expect(run('list').out).toContain('archive copy')
    expect(run('list').err).toBe('')
    expect(run('list', '--gone').out).toBe('')
    expect(run('show', '2ab6').err).toContain('clew archive restore')
    expect(JSON.parse(run('show', '2ab6', '--json').out)).toMatchObject({ conversation: { isCopy: true } })
    expect(json<{ copy: boolean }>('search', 'calendar feed').some(({ copy }) => copy)).toBe(true)
    expect(run('export', '2ab6', '--format', 'txt').status).toBe(0)
    expect(run('resume', '2ab6')).toMatchObject({
      status: 1,
      err: expect.stringContaining('clew archive restore 2ab6'),
    })
  })
})

test('the folder “projects” itself is gone: every conversation is still shown, and comes back', () => {
  const before = rows()
  rmSync(join(root, 'projects'), { recursive: true })
  const after = rows()
  expect(facts(after)).toEqual(facts(before))
  expect(after.every(({ isCopy }) => isCopy)).toBe(true)
  expect(run('show', '2ab6').err).toContain('clew archive restore')
  expect(run('archive', 'restore', '--all').status).toBe(0)
  expect(rows()).toEqual(before)
})

test('the whole directory is gone: it says where what was archived is, and that comes back', () => {
  const before = rows()
  expect(run('list', '--project', 'nowhere').err).not.toContain('clew archive list')
  rmSync(root, { recursive: true })
  for (const words of [['list'], ['search', 'tide'], ['show', 'latest'], ['usage']])
    expect(run(...words).err, words.join(' ')).toContain('To have back what was archived: clew archive list')
  expect(run('archive', 'restore', '--all').status).toBe(0)
  expect(rows()).toEqual(before)
})

test('an archive of nothing has nothing to have back', () => {
  const home = newFolder('home')
  const env = { HOME: home, CLAUDE_CONFIG_DIR: undefined }
  expect(clew(['archive'], { env }).status).toBe(0)
  const snapshots = join(home, '.local', 'share', 'clew', 'archive', 'snapshots')
  mkdirSync(snapshots, { recursive: true })
  writeFileSync(join(snapshots, 'of-one-that-was-killed.part'), '')
  for (const words of [['list'], ['show', 'latest'], ['archive']])
    expect(clew(words, { env }).err, words.join(' ')).not.toContain('clew archive list')
})

test('neither the index nor the copies are needed', () => {
  const before = rows()
  sweep()
  expect(facts(rows())).toEqual(facts(before))
  const cache = join(home, '.cache', 'clew')
  for (const lost of [['index.sqlite', 'index.sqlite-wal', 'index.sqlite-shm'], ['copies'], readdirSync(cache)]) {
    for (const name of lost) rmSync(join(cache, name), { recursive: true, force: true })
    expect(facts(rows())).toEqual(facts(before))
    expect(run('list', '--no-index', '--json').out.split('\n')).toHaveLength(before.length + 1)
  }
})

test('restored: no duplicates, no mark, the same bytes and times, resumable', () => {
  const before = rows()
  const names = places().filter((name) => statSync(join(root, 'projects', name)).isFile())
  const bytes = names.map((name) => readFileSync(join(root, 'projects', name)))
  const times = names.map((name) => statSync(join(root, 'projects', name)).mtimeMs)
  sweep()
  expect(rows().every(({ isCopy }) => isCopy)).toBe(true)
  const restored = run('archive', 'restore', '2ab6')
  expect(restored.status).toBe(0)
  expect(restored.out).toContain('cd /home/ada/tidewatch && claude --resume 2ab65b76')
  expect(restored.out).toContain('--touch')
  expect(
    rows()
      .filter(({ isCopy }) => !isCopy)
      .map(({ sessionId }) => sessionId.slice(0, 4)),
  ).toEqual(['2ab6'])
  expect(run('archive', 'restore', '--all').status).toBe(0)
  expect(rows()).toEqual(before)
  expect(run('resume', '2ab6').status).toBe(0)
  for (const [place, name] of names.entries()) {
    const path = join(root, 'projects', name)
    expect(readFileSync(path).equals(bytes[place] as Buffer)).toBe(true)
    expect(statSync(path).mtimeMs).toBe(times[place])
  }
  for (const { path } of before) expect(readStored(REAL_DISK, path).envelopes.length).toBeGreaterThan(0)
  const copies = readdirSync(join(home, '.cache', 'clew', 'copies'), { recursive: true, encoding: 'utf8' })
  expect(copies.filter((name) => name.endsWith('.jsonl'))).toEqual([])
})

test('what is there is never written over, and a conversation that went on is no conflict', () => {
  const [one, two] = rows() as [Row, Row]
  writeFileSync(one.path, 'mine\n')
  writeFileSync(two.path, `${readFileSync(two.path, 'utf8')}{"type":"user"}\n`)
  const { status, out } = run('archive', 'restore', '--all')
  expect(status).toBe(1)
  expect(out.match(/not restored:.*/g)).toEqual([
    `not restored: ${one.path}: another file is there, and was left as it is`,
  ])
  expect(readFileSync(one.path, 'utf8')).toBe('mine\n')
})

test('elsewhere, with the time of now', () => {
  const to = join(newFolder(), 'a b', "c'd")
  const { status, out } = run('archive', 'restore', '--all', '--to', to, '--touch')
  expect(status).toBe(0)
  expect(out).toContain('CLAUDE_CONFIG_DIR=')
  const listed = clewJson<Row>(['list', '--root', to], { env: { HOME: home } })
  expect(facts(listed)).toEqual(facts(rows()))
  for (const { path } of listed) expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000)
})

test('a damaged pack: the others are shown, and one note says so', () => {
  // A session of its own snapshot, so of its own pack.
  const id = '99999999-9999-4999-8999-999999999999'
  const record = {
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    sessionId: id,
    message: { role: 'user', content: 'lone' },
  }
  mkdirSync(join(root, 'projects', '-lone'), { recursive: true })
  const packs = join(home, '.local', 'share', 'clew', 'archive', 'packs')
  const first = readdirSync(packs)
  writeFileSync(join(root, 'projects', '-lone', `${id}.jsonl`), `${JSON.stringify(record)}\n`)
  expect(run('archive', '9999').status).toBe(0)
  const [added = ''] = readdirSync(packs).filter((name) => !first.includes(name))
  const before = rows()
  sweep()
  const bytes = readFileSync(join(packs, added))
  const middle = Math.floor(bytes.length / 3)
  bytes.writeUInt8((bytes[middle] as number) ^ 1, middle)
  writeFileSync(join(packs, added), bytes)
  const { out, err, status } = run('list', '--json')
  expect(status).toBe(0)
  const listed = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  expect(facts(listed)).toEqual(facts(before.filter(({ sessionId }) => sessionId !== id)))
  expect(err.trim().split('\n')).toEqual([
    expect.stringMatching(/^clew: the archive could not be read: .*clew archive verify$/),
  ])
  const verified = run('archive', 'verify')
  expect(verified.status).toBe(1)
  expect(verified.out).toContain(added)
  expect(verified.out).toContain(`${id}.jsonl`)
})

test('a session that was moved to another project is one session', () => {
  const { path, sessionId } = rows().find(({ subagents }) => subagents > 0) as Row
  mkdirSync(join(root, 'projects', '-moved'))
  for (const name of [`${sessionId}.jsonl`, sessionId]) {
    const from = join(path, '..', name)
    if (existsSync(from)) renameSync(from, join(root, 'projects', '-moved', name))
  }
  expect(rows()).toHaveLength(5)
  expect(run('archive').status).toBe(0)
  sweep()
  expect(rows()).toHaveLength(5)
  expect(rows().filter((row) => row.sessionId === sessionId)).toHaveLength(1)
})
