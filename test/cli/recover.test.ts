// Files out of conversations, by the commands: what they print, what they write, and what they refuse.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blame } from '../../src/cli/blame.ts'
import { files } from '../../src/cli/files.ts'
import { restoreFile } from '../../src/cli/restore-file.ts'
import { why } from '../../src/cli/why.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from './records.ts'
import { newFolder } from './run.ts'

const NOW_MS = Date.parse('2026-03-02T10:00:00.000Z')
const A = sessionId('a')
const repository = newFolder('repository')
const root = newFolder('claude')
const day = join(repository, 'day.ts')
const first = 'export const low = 1\nexport const high = 2\n'
const second = first.replace('high = 2', 'high = 20')

function edit(before: string, oldString: string, newString: string): Readonly<Record<string, unknown>> {
  return {
    toolUseResult: {
      filePath: day,
      oldString,
      newString,
      originalFile: before,
      structuredPatch: [],
      replaceAll: false,
    },
  }
}

writeBelow(root, {
  [`projects/-work/${A}.jsonl`]: session(
    A,
    [
      prompt('u1', null, 'Write the tides of a day.'),
      reply('a1', 'u1', [toolUse('t1', 'Write', { file_path: day, content: first })]),
      toolResult('r1', 'a1', 't1', 'File created successfully', {
        toolUseResult: { type: 'create', filePath: day, content: first, structuredPatch: [], originalFile: null },
      }),
      prompt('u2', 'r1', 'Make high water higher.'),
      reply('a2', 'u2', [toolUse('t2', 'Edit', { file_path: day, old_string: 'high = 2', new_string: 'high = 20' })]),
      toolResult('r2', 'a2', 't2', 'The file has been updated.', edit(first, 'high = 2', 'high = 20')),
      reply('a3', 'r2', [toolUse('t3', 'Edit', { file_path: day, old_string: 'nothing', new_string: 'x' })]),
      {
        ...toolResult('r3', 'a3', 't3', ''),
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't3', is_error: true, content: 'String to replace not found' }],
        },
      },
      reply('a4', 'r3', [toolUse('t4', 'Read', { file_path: join(repository, 'long.md'), offset: 2, limit: 1 })]),
      toolResult('r4', 'a4', 't4', '2\ttwo', {
        toolUseResult: {
          type: 'text',
          file: { filePath: join(repository, 'long.md'), content: 'two', numLines: 1, startLine: 2, totalLines: 4 },
        },
      }),
      reply('a5', 'r4', [toolUse('t5', 'Bash', { command: 'rm day.ts' })]),
      toolResult('r5', 'a5', 't5', '', { toolUseResult: { stdout: '', stderr: '', interrupted: false } }),
    ],
    { cwd: repository },
  ),
})

const run = (command: typeof files, ...words: readonly string[]): Promise<RanHere> =>
  runHere(command, [...words, '--root', root, '--no-index'], NOW_MS)

describe('clew files', () => {
  test('every file, with what is known of it', async () => {
    const { out } = await run(files, 'latest', '--json')
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string })
    expect(rows.find(({ path }) => path === day)).toMatchObject({
      versions: 3,
      certainty: 'exact',
      deleted: true,
      turn: 2,
    })
    expect(rows.find(({ path }) => path.endsWith('long.md'))).toMatchObject({
      versions: 1,
      certainty: 'partial',
      gaps: 2,
    })
    expect((await run(files, 'latest')).out).toContain('every byte')
  })

  test('the versions of one, with what changed; a call that failed is none', async () => {
    const { out } = await run(files, 'latest', 'day.ts')
    expect(out).toMatch(/^v1 {2}created {2}\+2 −0 .*turn 1/m)
    expect(out).toMatch(/^v2 {2}edited {2}\+1 −1 .*turn 2/m)
    expect(out).toContain('  + export const high = 20')
    expect(out).toMatch(/^v3 {2}deleted/m)
    expect(out).not.toContain('v4')
  })

  test.each([
    [[], 'which conversation'],
    [['latest', 'none.ts'], 'no conversation saw a file'],
    [['--project', 'none'], 'no project has'],
  ])('%j', async (words, why) => {
    const { status, err } = await run(files, ...words)
    expect(status).toBe(1)
    expect(err).toContain(why)
  })
})

describe('clew restore-file', () => {
  test('the newest version, byte for byte, although it was deleted', async () => {
    const { out, err } = await run(restoreFile, 'day.ts')
    expect(out).toBe(second)
    expect(err).toContain('every byte is certain')
    expect(err).toContain('v3 after it (deleted)')
  })

  test.each([
    ['v1', first],
    ['1', first],
    ['2', second],
    ['2026-03-01T10:00:03.000Z', first],
  ])('at %s', async (at, text) => {
    if (at === '2') expect((await run(restoreFile, 'day.ts', '--at', at)).err).toContain('there was no such file at v3')
    else expect((await run(restoreFile, 'day.ts', '--at', at)).out).toBe(text)
  })

  test('to a file; a different one is not replaced without --force, the same is fine', async () => {
    const out = join(newFolder('out'), 'deep', 'day.ts')
    expect((await run(restoreFile, 'day.ts', '-o', out)).status).toBe(0)
    expect((await run(restoreFile, 'day.ts', '-o', out)).status).toBe(0)
    writeFileSync(out, 'mine')
    expect((await run(restoreFile, 'day.ts', '-o', out)).err).toContain('--force replaces it')
    expect(readFileSync(out, 'utf8')).toBe('mine')
    const { out: json } = await run(restoreFile, 'day.ts', '-o', out, '--force', '--json')
    expect(JSON.parse(json)).toMatchObject({ version: 2, certainty: 'exact', out, sizeBytes: second.length })
    expect(readFileSync(out, 'utf8')).toBe(second)
  })

  test('a file that is replaced keeps its permissions, and a link to it stays a link', async () => {
    const folder = writeBelow(newFolder('out'), { 'real.ts': 'mine' })
    const [real, link] = [join(folder, 'real.ts'), join(folder, 'day.ts')]
    symlinkSync('real.ts', link)
    for (const out of [link, folder, real]) {
      writeFileSync(real, 'mine')
      chmodSync(real, 0o755)
      expect(await run(restoreFile, 'day.ts', '-o', out, '--force')).toMatchObject({ status: 0 })
      expect([readFileSync(real, 'utf8'), statSync(real).mode & 0o777]).toEqual([second, 0o755])
      expect(readlinkSync(link)).toBe('real.ts')
    }
  })

  test('a link that leads nowhere, or into a Claude directory, is refused', async () => {
    const folder = newFolder('out')
    const link = join(folder, 'day.ts')
    const target = join(root, 'mine.ts')
    symlinkSync(target, link)
    for (const out of [link, folder]) {
      expect((await run(restoreFile, 'day.ts', '-o', out, '--force')).err).toContain('a link that leads nowhere')
    }
    writeFileSync(target, 'mine')
    for (const out of [link, folder]) {
      expect((await run(restoreFile, 'day.ts', '-o', out, '--force')).err).toContain('inside a Claude directory')
    }
    expect([readFileSync(target, 'utf8'), readlinkSync(link)]).toEqual(['mine', target])
    rmSync(target)
  })

  test('never into a Claude directory', async () => {
    const { status, err } = await run(restoreFile, 'day.ts', '-o', join(root, 'projects', 'day.ts'))
    expect([status, err]).toEqual([1, expect.stringContaining('inside a Claude directory')])
    expect(existsSync(join(root, 'projects', 'day.ts'))).toBe(false)
  })

  test('gaps are refused, left out, or marked', async () => {
    expect(await run(restoreFile, 'long.md')).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('lines 2 of 4 are known'),
    })
    expect((await run(restoreFile, 'long.md', '--partial')).out).toBe('two')
    expect((await run(restoreFile, 'long.md', '--mark-gaps')).out).toBe(
      '⟦clew: line 1: nobody saw it⟧\ntwo\n⟦clew: lines 3 to 4: nobody saw it⟧',
    )
  })

  test('a whole tree as it was at a time', async () => {
    const out = join(newFolder('out'), 'tree')
    const { status, err } = await run(
      restoreFile,
      '--all',
      '--session',
      A,
      '--at',
      '2026-03-01T10:00:05.000Z',
      '-o',
      out,
    )
    expect([status, err]).toEqual([0, expect.stringContaining('1 exact')])
    expect(readFileSync(join(out, 'day.ts'), 'utf8')).toBe(second)
    expect((await run(restoreFile, '--all', '--session', A, '-o', out)).err).toContain('is not empty')
  })
})

describe('a tree of names that are not what they seem', () => {
  /** What was written under each name, as it is found by the manifest. */
  async function restored(names: readonly string[]): Promise<{ out: string; found: readonly (readonly unknown[])[] }> {
    const id = sessionId('b')
    const records = names.flatMap((name, place) => {
      const [call, content] = [`t${place}`, `${name}\n`]
      const told = { type: 'create', filePath: name, content, structuredPatch: [], originalFile: null }
      return [
        reply(`a${place}`, place === 0 ? 'u' : `r${place - 1}`, [toolUse(call, 'Write', { file_path: name, content })]),
        toolResult(`r${place}`, `a${place}`, call, 'File created successfully', { toolUseResult: told }),
      ]
    })
    const folder = writeBelow(newFolder('names'), {
      [`projects/-x-p/${id}.jsonl`]: session(id, [prompt('u', null, 'go'), ...records], { cwd: '/x/p' }),
    })
    const out = join(newFolder('out'), 'deep', 'tree')
    const words = ['--all', '--session', id, '-o', out, '--json', '--root', folder, '--no-index']
    const { status, out: printed } = await runHere(restoreFile, words, NOW_MS)
    expect([status, statSync(out).isDirectory()]).toEqual([0, true])
    const rows = printed.trim().split('\n')
    expect(readFileSync(join(out, 'clew-manifest.jsonl'), 'utf8').trim().split('\n')).toEqual(rows)
    const found = rows.map((row) => {
      const { path, file } = JSON.parse(row) as { path: string; file: string | null }
      return [path, file === null ? null : readFileSync(join(out, file), 'utf8')]
    })
    return { out, found }
  }

  test.each([
    ['nothing left of a name', ['/x/p/..\\..', '/x/p/good.ts', '/x/p/also.ts']],
    ['two names that become one', ['/x/p/a:b', '/x/p/a_b', '/x/p/A_B', '/x/p/a_b-2']],
    ['one inside and one elsewhere', ['/x/p/_elsewhere/etc/q', '/etc/q', '/x/p/c.ts']],
    [
      'the manifest, and what is written on the way',
      ['/x/p/clew-manifest.jsonl', '/x/p/Clew-Manifest.jsonl', '/x/p/a'],
    ],
    ['a leftover', ['/x/p/a', '/x/p/a.clew-next', '/x/p/clew-manifest.jsonl.clew-next', '/x/p/b']],
    ['a file where another has a folder', ['/x/p/a:b', '/x/p/a_b/c', '/x/p/d']],
  ])('%s', async (_, names) => {
    const { found } = await restored(names)
    expect(found.map(([path]) => path).sort()).toEqual([...names].sort())
    for (const [path, text] of found) expect([path, text]).toEqual([path, `${path}\n`])
  })
})

describe('clew blame and clew why', () => {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: '2026-03-01T11:00:00Z' },
    })
  mkdirSync(repository, { recursive: true })
  writeFileSync(day, `// by hand\n${second}`)
  git('init', '-q')
  git('add', 'day.ts')
  git('commit', '-qm', 'tides: a day', '--date', '2026-03-01T11:00:00Z')

  test('each line and the turn that wrote it', async () => {
    const { out } = await run(blame, day, '--json')
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { turn: number | null })
    expect(rows.map(({ turn }) => turn)).toEqual([null, 1, 2])
  })

  test('one line, with what was asked', async () => {
    const { out } = await run(blame, `${day}:3`)
    expect(out).toContain('Make high water higher.')
    expect(out).toContain(`claude --resume ${A}`)
    expect((await run(blame, `${day}:1`)).out).toContain('No conversation wrote this line')
    expect(await run(blame, `${day}:9`)).toMatchObject({ status: 1, err: expect.stringContaining('no line 9') })
    expect(await run(blame, `${day}x`)).toMatchObject({ status: 1, err: expect.stringContaining('clew restore-file') })
  })

  test('a file that no conversation saw', async () => {
    writeFileSync(join(repository, 'other.ts'), 'x\n')
    expect(await run(blame, join(repository, 'other.ts'))).toMatchObject({
      status: 1,
      err: expect.stringContaining('no conversation wrote or read'),
    })
  })

  test('a commit, also from a worktree', async () => {
    const tree = join(newFolder('trees'), 'tree')
    git('worktree', 'add', '-q', tree)
    for (const folder of [repository, tree]) {
      const { out } = await runWhy(folder, 'HEAD', '--json')
      expect(JSON.parse(out)).toMatchObject({
        subject: 'tides: a day',
        lines: 3,
        attributed: 2,
        turns: [
          { turn: 1, lines: 1, prompt: 'Write the tides of a day.' },
          { turn: 2, lines: 1 },
        ],
      })
    }
    expect((await runWhy(repository, 'HEAD')).out).toContain('2 of 3 added lines (67 %) were written in 2 turns')
    git('worktree', 'remove', tree)
  })

  test('what is no commit, and what is no repository', async () => {
    expect(await runWhy(repository, 'nothing')).toMatchObject({
      status: 1,
      err: expect.stringContaining('no commit “nothing”'),
    })
    expect(await runWhy(repository, '--', '--output=x')).toMatchObject({
      status: 1,
      err: expect.stringContaining('is no commit'),
    })
    expect(await runWhy(newFolder('plain'), 'HEAD')).toMatchObject({
      status: 1,
      err: expect.stringContaining('no git repository'),
    })
    rmSync(join(repository, 'other.ts'))
    expect(git('status', '--porcelain')).toBe('')
  })

  test('the settings of a submodule start no program', async () => {
    const above = newFolder('above')
    const [below, ran] = [join(above, 'below'), join(above, 'ran')]
    const options = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'advice.addEmbeddedRepo=false']
    const gitIn = (folder: string, ...words: readonly string[]): string =>
      execFileSync('git', [...options, ...words], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
      })
    mkdirSync(below, { recursive: true })
    for (const folder of [below, above]) gitIn(folder, 'init', '-q')
    for (const text of ['one\n', 'two\n']) {
      writeFileSync(join(below, 'a.txt'), text)
      for (const [folder, name] of [
        [below, 'a.txt'],
        [above, 'below'],
      ] as const) {
        gitIn(folder, 'add', name)
        gitIn(folder, 'commit', '-qm', text.trim())
      }
    }
    gitIn(above, 'config', 'diff.submodule', 'diff')
    gitIn(below, 'config', 'diff.external', `touch '${ran}'; true`)
    const { err } = await runWhy(above, 'HEAD')
    expect(existsSync(ran)).toBe(false)
    expect(err).toContain('no conversation wrote a line of it')
  })

  const runWhy = (folder: string, ...words: readonly string[]): Promise<RanHere> =>
    runHere(why, ['--root', root, '--no-index', ...words], NOW_MS, { PATH: process.env['PATH'] ?? '' }, folder)
})

test('a session in the event-log dialect: calls that are records of their own, and those in messages', async () => {
  const folder = newFolder('event-log')
  const path = '/home/ada/notes.md'
  const call = (toolUseId: string, toolName: string, toolInput: unknown): Raw[] => [
    { type: 'tool_use', toolUseId, toolName, toolInput },
    { type: 'tool_result', toolUseId, content: 'ok', durationMs: 3 },
  ]
  const read = [{ type: 'tool_use', id: 't3', name: 'Read', input: { file_path: '/home/ada/other.md' } }]
  const records: readonly Raw[] = [
    { type: 'session_start' },
    { type: 'message', role: 'user', content: 'Write notes.' },
    ...call('t1', 'Write', { file_path: path, content: 'low\n' }),
    ...call('t2', 'Edit', { file_path: path, old_string: 'low', new_string: 'high' }),
    { type: 'message', role: 'assistant', content: read },
    { type: 'tool_result', tool_use_id: 't3', content: '     1→x\n     2→' },
  ]
  writeBelow(folder, { [`projects/abc123/sessions/${A}.jsonl`]: records.map((one) => ({ ...one, sessionId: A })) })
  const out = await runHere(files, ['latest', '--json', '--root', folder, '--no-index'], NOW_MS)
  const rows = out.out.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { path: string })))
  expect(rows.map(({ path }) => path).sort()).toEqual([path, '/home/ada/other.md'])
  expect((await runHere(restoreFile, ['notes.md', '--root', folder, '--no-index'], NOW_MS)).out).toBe('high\n')
})
