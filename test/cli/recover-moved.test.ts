// A project was moved, and `clew mv` took its history along: its files are found where they are now, although the records
// name where they were.

import { execFileSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blame } from '../../src/cli/blame.ts'
import type { Command } from '../../src/cli/command.ts'
import { files } from '../../src/cli/files.ts'
import { mv } from '../../src/cli/mv.ts'
import { restoreFile } from '../../src/cli/restore-file.ts'
import { why } from '../../src/cli/why.ts'
import { projectKeyOf } from '../../src/store/project-key.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from './records.ts'
import { newFolder } from './run.ts'

const NOW_MS = Date.parse('2026-03-02T10:00:00.000Z')
const LATER = { timestamp: '2026-03-01T12:00:00.000Z' }
const AFTERWARDS = { timestamp: '2026-03-03T12:00:00.000Z' }
const [A, B] = ['a', 'b'].map(sessionId) as [string, string]
const first = 'export const low = 1\nexport const high = 2\n'
const second = first.replace('high = 2', 'high = 20')

interface Moved {
  readonly old: string
  readonly now: string
  readonly root: string
  readonly run: (command: Command, ...words: readonly string[]) => Promise<RanHere>
}

/** Written at the old place by one session, which moved the folder; edited at the new one by the next. */
function moved(...commands: readonly string[]): Moved {
  const [home, root] = [newFolder('moved'), newFolder('claude')]
  const [old, now] = [join(home, 'old'), join(home, 'now')]
  const shell = commands.map((line) => line.replaceAll('OLD', old).replaceAll('NOW', now))
  writeBelow(root, {
    [`projects/${projectKeyOf(old)}/${A}.jsonl`]: session(
      A,
      [
        prompt('u1', null, 'Write the tides of a day.'),
        ...written('u1', 't1', join(old, 'day.ts'), first),
        ...shell.flatMap((line, place) => [
          reply(`s${place}`, 'r-t1', [toolUse(`c${place}`, 'Bash', { command: line })]),
          toolResult(`o${place}`, `s${place}`, `c${place}`, '', {
            toolUseResult: { stdout: '', stderr: '', interrupted: false },
          }),
        ]),
      ],
      { cwd: old },
    ),
    [`projects/${projectKeyOf(now)}/${B}.jsonl`]: session(
      B,
      [prompt('u2', null, 'Make high water higher.', LATER), ...edited('u2', 't2', join(now, 'day.ts'), LATER)],
      { cwd: now },
    ),
  })
  const transcripts = [join(root, 'projects', projectKeyOf(old), `${A}.jsonl`)]
  for (const path of transcripts) utimesSync(path, 1_700_000_000, 1_700_000_000)
  writeBelow(now, { 'day.ts': second })
  const run = (command: Command, ...words: readonly string[]): Promise<RanHere> =>
    runHere(command, [...words, '--root', root], NOW_MS, { PATH: process.env['PATH'] ?? '' }, now)
  return { old, now, root, run }
}

function written(parent: string, call: string, path: string, content: string): readonly Raw[] {
  return [
    reply(`a-${call}`, parent, [toolUse(call, 'Write', { file_path: path, content })]),
    toolResult(`r-${call}`, `a-${call}`, call, 'File created successfully', {
      toolUseResult: { type: 'create', filePath: path, content, structuredPatch: [], originalFile: null },
    }),
  ]
}

function edited(parent: string, call: string, path: string, more: Raw): readonly Raw[] {
  const [oldString, newString] = ['high = 2', 'high = 20']
  return [
    reply(
      `a-${call}`,
      parent,
      [toolUse(call, 'Edit', { file_path: path, old_string: oldString, new_string: newString })],
      more,
    ),
    toolResult(`r-${call}`, `a-${call}`, call, 'The file has been updated.', {
      toolUseResult: { filePath: path, oldString, newString, originalFile: first, structuredPatch: [] },
      ...more,
    }),
  ]
}

const turnsOf = ({ out }: RanHere): readonly unknown[] =>
  out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { sessionId: string | null }).sessionId)

describe('files of a project that was moved', () => {
  test.each([
    ['by hand', []],
    ['in a session', ['mv OLD NOW']],
    ['in a session, piece by piece', ['mv OLD/day.ts NOW/day.ts', 'rm -rf OLD']],
    ['as a copy', ['cp -r OLD NOW', 'rm -rf OLD']],
  ])('%s: each line is known by the turn that wrote it', async (_, commands) => {
    const { old, now, run } = moved(...commands)
    expect((await run(mv, old, now, '--apply')).status).toBe(0)
    expect(turnsOf(await run(blame, 'day.ts', '--json'))).toEqual([A, B])
    for (const path of ['day.ts', join(now, 'day.ts'), join(old, 'day.ts')])
      expect(await run(restoreFile, path)).toMatchObject({ status: 0, out: second })
    const { out } = await run(files, '--project', 'now', '--json')
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ path: join(now, 'day.ts'), versions: 2, deleted: false }])
    expect((await run(files, A, join(now, 'day.ts'))).out).toContain('v1  created')
  })

  test('a commit is known by the turns at both places', async () => {
    const { old, now, run } = moved()
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
        cwd: now,
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: '2026-03-01T13:00:00Z' },
      })
    git('init', '-q')
    git('add', 'day.ts')
    git('commit', '-qm', 'tides: a day')
    await run(mv, old, now, '--apply')
    const { out } = await run(why, 'HEAD', '--json')
    expect(JSON.parse(out)).toMatchObject({ lines: 2, attributed: 2 })
  })

  test('what is written at the old place afterwards is another file', async () => {
    const { old, now, root, run } = moved()
    await run(mv, old, now, '--apply')
    mkdirSync(old)
    writeFileSync(join(old, 'day.ts'), 'anew\n')
    const C = sessionId('c')
    const records = [
      prompt('u3', null, 'Begin anew.', AFTERWARDS),
      ...written('u3', 't3', join(old, 'day.ts'), 'anew\n'),
    ]
    writeBelow(root, {
      [`projects/${projectKeyOf(old)}/${C}.jsonl`]: session(
        C,
        records.map((one) => ({ ...one, ...AFTERWARDS })),
        {
          cwd: old,
        },
      ),
    })
    expect(turnsOf(await run(blame, join(old, 'day.ts'), '--json'))).toEqual([C])
    expect(await run(restoreFile, join(now, 'day.ts'))).toMatchObject({ out: second })
  })

  test('an undo takes it back', async () => {
    const { old, now, run } = moved()
    await run(mv, old, now, '--apply')
    expect((await run(mv, '--undo')).status).toBe(0)
    expect(await run(restoreFile, join(old, 'day.ts'))).toMatchObject({ out: first })
    expect(turnsOf(await run(blame, 'day.ts', '--json'))).toEqual([null, B])
  })
})
