// `clew archive` as a person types it: what it says, what it refuses, and the way to another machine.

import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Ran } from './run.ts'
import { clew, clewJson, command, environment, linesOf, newFolder, sample } from './run.ts'

let home = ''
let root = ''
const run = (...words: readonly string[]): Ran => clew(words, { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })
const taken = (...words: readonly string[]): { sessions: number; newFiles: number; unchangedFiles: number } =>
  clewJson<{ sessions: number; newFiles: number; unchangedFiles: number }>(['archive', ...words], {
    env: { HOME: home, CLAUDE_CONFIG_DIR: root },
  })[0] ?? { sessions: 0, newFiles: 0, unchangedFiles: 0 }

beforeEach(() => {
  home = newFolder('home')
  root = join(home, 'claude')
  cpSync(join(sample, 'projects'), join(root, 'projects'), { recursive: true })
})

test('all, a project, a session; what has not changed is not archived again', () => {
  expect(taken('2ab6')).toMatchObject({ sessions: 1, unchangedFiles: 0 })
  expect(taken('--project', '/home/ada/dotfiles')).toMatchObject({ sessions: 2, unchangedFiles: 0 })
  const { newFiles, unchangedFiles } = taken()
  expect(Math.min(newFiles, unchangedFiles)).toBeGreaterThan(0)
  expect(taken('--all')).toMatchObject({ sessions: 5, newFiles: 0, unchangedFiles: newFiles + unchangedFiles })
  expect(run('archive').out).toContain('Nothing is new')
  expect(linesOf(run('archive', 'list').out).at(-1)).toMatch(/^5 sessions of .*; of 0 the files are gone$/)
  expect(run('archive', 'verify')).toMatchObject({ status: 0, out: expect.stringMatching(/^Whole: /) })
})

test.each([
  [['nobody'], /no session in .* has an id that begins with “nobody”/],
  [['--project', 'nobody'], /no project has “nobody” in its name/],
  [['--all', '2ab6'], /takes one of/],
  [['list', '--apply'], /archive list takes no --apply/],
  [['verify'], /nothing was archived yet/],
  [['restore', '2ab6'], /nothing was archived yet/],
  [['restore'], /restore takes ids or --all/],
  [['export', '--all'], /where to\?/],
  [['import'], /takes one file/],
  [['auto', 'maybe'], /“on” or “off”/],
  [['--root', '/nowhere/at/all'], /no such file or folder/],
])('%j is refused in one line', (words, message) => {
  const { status, out, err } = run('archive', ...words)
  expect([status, out, linesOf(err).length]).toEqual([1, '', 1])
  expect(err).toMatch(message)
})

test('nothing is exported into a Claude directory', () => {
  run('archive')
  const file = join(root, 'all.clew')
  expect(run('archive', 'export', '--all', '-o', file)).toMatchObject({
    status: 1,
    out: '',
    err: `clew: ${file} is inside a Claude directory; exports are not written there\n`,
  })
  expect(existsSync(file)).toBe(false)
})

test('to another machine: exported, imported, shown, restored', () => {
  run('archive')
  const file = join(newFolder(), 'all.clew')
  expect(run('archive', 'export', '2ab6', 'a43e', '-o', file).status).toBe(0)
  expect(run('archive', 'export', '--all', '-o', file)).toMatchObject({
    status: 1,
    err: expect.stringContaining('is there already'),
  })
  const there = newFolder('there')
  const other = join(there, '.claude')
  cpSync(join(sample, 'projects', '-home-ada-dotfiles'), join(other, 'projects', '-home-ada-dotfiles'), {
    recursive: true,
  })
  const env = { HOME: there, CLAUDE_CONFIG_DIR: undefined }
  expect(clew(['archive', 'import', file], { env }).status).toBe(0)
  const listed = (): readonly (readonly [string, boolean])[] =>
    clewJson<{ sessionId: string; isCopy: boolean }>(['list'], { env })
      .map(({ sessionId, isCopy }) => [sessionId.slice(0, 4), isCopy] as const)
      .sort()
  expect(listed()).toEqual([
    ['2ab6', true],
    ['408e', false],
    ['8e8a', false],
    ['a43e', true],
  ])
  expect(clew(['archive', 'restore', '--all'], { env }).status).toBe(0)
  expect(listed().filter(([, isCopy]) => isCopy)).toEqual([])
  expect(clew(['archive', 'import', sample], { env }).status).toBe(1)
})

test('a file of clew carry and one of clew archive export are each sent to the command that takes it', () => {
  run('archive')
  const [exported, carried] = [join(newFolder(), 'all.clew'), join(newFolder(), 'one.clew')]
  expect(run('archive', 'export', '--all', '-o', exported).status).toBe(0)
  const { status, out } = run('carry', '2ab6', '-o', carried)
  expect(status).toBe(0)
  expect(out).toMatch(/clew scan \S+\n.*clew export \S+ -o talk\.html\n/)
  expect(run('carry', '--import', exported)).toMatchObject({
    status: 1,
    err: `clew: ${exported} was made by clew archive export. Try: clew archive import ${exported}\n`,
  })
  expect(run('archive', 'import', carried)).toMatchObject({
    status: 1,
    err: `clew: ${carried} was made by clew carry. Try: clew carry --import ${carried}\n`,
  })
})

test('a link that is named is followed, and what is no file is said to be none', () => {
  run('archive')
  const folder = newFolder()
  const path = (name: string): string => join(folder, name)
  run('archive', 'export', '--all', '-o', path('all.clew'))
  run('carry', '2ab6', '-o', path('one.clew'))
  symlinkSync(path('all.clew'), path('all-link'))
  symlinkSync(path('one.clew'), path('one-link'))
  symlinkSync(path('gone.clew'), path('gone-link'))
  expect(run('archive', 'import', path('all-link'))).toMatchObject({ status: 0, err: '' })
  expect(run('carry', '--import', path('one-link'))).toMatchObject({ status: 0, err: '' })
  for (const words of [
    ['archive', 'import'],
    ['carry', '--import'],
  ]) {
    for (const name of ['gone-link', 'gone.clew']) {
      expect(run(...words, path(name))).toMatchObject({ status: 1, err: `clew: no such file: ${path(name)}\n` })
    }
    const err = `clew: ${folder} is no file. Name one: clew ${words.join(' ')} FILE\n`
    expect(run(...words, folder)).toMatchObject({ status: 1, err })
  }
})

test('a folder that may not be listed is told by all who would take what is in it', () => {
  // Root may list everything.
  const uid = process.getuid?.() === 0 ? { uid: 65534 } : {}
  const home = newFolder('home')
  const root = join(home, '.claude')
  cpSync(sample, root, { recursive: true })
  const project = join(root, 'projects', '-home-ada-tidewatch')
  const shut = join(project, '2ab65b76-d18a-44c3-9987-9ebb221d7c35', 'subagents')
  // Whoever looks has to come past the folders of this test.
  for (let at = home; at.length > tmpdir().length; at = dirname(at)) chmodSync(at, 0o755)
  chmodSync(home, 0o777)
  chmodSync(shut, 0o000)
  const env = { HOME: home, CLAUDE_CONFIG_DIR: root }
  const ran = (...words: readonly string[]): ReturnType<typeof clew> => clew(words, { ...uid, cwd: '/', env })
  const told = `clew: ${shut} could not be archived: EACCES\n`
  for (const words of [[], ['2ab6'], ['--project', 'tidewatch']]) {
    expect(ran('archive', ...words)).toMatchObject({ status: 1, err: told })
  }
  expect(ran('archive', '8e8a')).toMatchObject({ status: 0, err: '' })
  expect(ran('carry', '2ab6', '-o', join(home, 'one.clew')).out).toContain(`left out: ${dirname(shut)}\n`)
  const { status, err } = ran('mv', '/home/ada/tidewatch', '/home/ada/elsewhere')
  expect([status, err]).toEqual([1, expect.stringContaining(`not all of ${project} may be looked into`)])
  chmodSync(shut, 0o755)
  expect(ran('archive')).toMatchObject({ status: 0, err: '' })
})

test('one file that is there already is said to be one', () => {
  run('archive')
  rmSync(join(root, 'projects/-home-ada-tidewatch/f03e2afd-cd80-459d-8bb4-9acf9e036188.jsonl'))
  expect(run('archive', 'restore', 'f03e').out).toMatch(/, 1 file was there already\.$/m)
  expect(run('archive', 'restore', '--all').out).toMatch(/, \d+ files were there already\.$/m)
})

test.each([
  ['CLAUDE_CONFIG_DIR', 'configured'],
  ['nothing', '.claude'],
])('where there is no Claude directory, %s says where imported files belong', (name, folder) => {
  run('archive')
  const file = join(newFolder(), 'all.clew')
  expect(run('archive', 'export', '2ab6', '-o', file).status).toBe(0)
  const there = newFolder('there')
  const own = join(there, folder)
  const env = { HOME: there, CLAUDE_CONFIG_DIR: name === 'nothing' ? undefined : own }
  rmSync(root, { recursive: true })
  expect(clewJson(['archive', 'import', file], { env })).toMatchObject([{ root: own, older: 0 }])
  expect(clew(['archive', 'restore', '--all'], { env }).status).toBe(0)
  expect(readdirSync(own)).toEqual(['projects'])
  expect(existsSync(root)).toBe(false)
})

test('prune says what would go, keeps last copies, and does it when told', () => {
  run('archive')
  const path = join(root, 'projects', '-home-ada-dotfiles')
  const [name = ''] = readdirSync(path).filter((one) => one.endsWith('.jsonl'))
  appendFileSync(join(path, name), '{"type":"more"}\n')
  run('archive')
  const plan = (...words: readonly string[]): unknown =>
    clewJson(['archive', 'prune', ...words], { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })[0]
  expect(plan('--keep-last', '1')).toMatchObject({ applied: false, goingVersions: 1, lastCopies: 0 })
  expect(plan('--keep-last', '1', '--apply')).toMatchObject({ applied: true, goingVersions: 1 })
  expect(plan('--keep-last', '1')).toMatchObject({ goingVersions: 0 })
  rmSync(path, { recursive: true })
  expect(run('archive', 'prune', '--max-size', '1k', '--apply')).toMatchObject({
    status: 1,
    err: expect.stringContaining('--even-last-copies'),
  })
  expect(run('list', '--json').out.split('\n')).toHaveLength(6)
  expect(run('archive', 'verify').status).toBe(0)
})

test('--watch archives what is written, until Ctrl-C', async () => {
  const env = environment({ HOME: home, CLAUDE_CONFIG_DIR: root })
  const child = spawn(process.execPath, [command, 'archive', '--watch', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString()
  })
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString()
  })
  const lines = async (count: number): Promise<number> => {
    for (let left = 300; left > 0 && linesOf(out).length < count; left--) await setTimeout(50)
    return linesOf(out).length
  }
  expect(await lines(1)).toBe(1)
  await setTimeout(200)
  const path = join(root, 'projects', '-home-ada-dotfiles')
  const [name = ''] = readdirSync(path).filter((one) => one.endsWith('.jsonl'))
  for (const _ of [1, 2, 3]) appendFileSync(join(path, name), '{"type":"more"}\n')
  expect(await lines(2)).toBe(2)
  expect(JSON.parse(linesOf(out)[1] ?? '')).toMatchObject({ newFiles: 1 })
  // Time enough for Node to warn of listeners that pile up.
  await setTimeout(3000)
  expect(err).not.toContain('Warning')
  const over = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGINT')
  expect(await over).toBe(0)
})
