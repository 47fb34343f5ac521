// Which conversations `clew list` is asked for: by folder, by repository with its worktrees, by project, by time, by number.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { talk, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, sample } from './run.ts'

interface Row {
  readonly sessionId: string
}

function ids(words: readonly string[], cwd: string): readonly string[] {
  return clewJson<Row>(['list', ...words], { cwd })
    .map((row) => row.sessionId)
    .sort()
}

describe('--here and --repo', () => {
  const place = newFolder('place')
  const at = (name: string): string => join(place, name)
  const root = newFolder('archive')
  beforeAll(() => {
    for (const folder of ['repo/src', 'feature', 'moved', 'repo-other', 'outside', 'code/one', 'code/unrelated']) {
      mkdirSync(at(folder), { recursive: true })
    }
    // As git lays it out: the main folder, a worktree named by an absolute path and one named by a relative path.
    writeBelow(place, {
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/.git/worktrees/feature/gitdir': `${at('feature/.git')}\n`,
      'repo/.git/worktrees/feature/commondir': '../..\n',
      'feature/.git': `gitdir: ${at('repo/.git/worktrees/feature')}\n`,
      'repo/.git/worktrees/moved/gitdir': '../../../../moved/.git\n',
      'repo/.git/worktrees/moved/commondir': '../..\n',
      'moved/.git': 'gitdir: ../repo/.git/worktrees/moved\n',
      'code/one.git/HEAD': 'ref: refs/heads/main\n',
      'code/one.git/worktrees/one/gitdir': `${at('code/one/.git')}\n`,
      'code/one.git/worktrees/one/commondir': '../..\n',
      'code/one/.git': `gitdir: ${at('code/one.git/worktrees/one')}\n`,
    })
    const folders = {
      main: 'repo',
      below: 'repo/src',
      feature: 'feature',
      moved: 'moved',
      'like-it': 'repo-other',
      outside: 'outside',
      bare: 'code/one',
      neighbour: 'code/unrelated',
    }
    writeBelow(
      root,
      Object.fromEntries(
        Object.entries(folders).map(([id, folder]) => [
          `projects/-${id}/${id}.jsonl`,
          talk(id, id, { cwd: at(folder) }),
        ]),
      ),
    )
  })

  const REPOSITORY = ['below', 'feature', 'main', 'moved']

  test.each([
    ['--here is this folder and what is below it', '--here', 'repo', ['below', 'main']],
    ['--here below is not what is above', '--here', 'repo/src', ['below']],
    ['--repo from its main folder', '--repo', 'repo', REPOSITORY],
    ['--repo from deep inside', '--repo', 'repo/src', REPOSITORY],
    ['--repo from a worktree', '--repo', 'feature', REPOSITORY],
    ['--repo from a worktree with relative paths', '--repo', 'moved', REPOSITORY],
    ['--repo outside of any repository is the folder', '--repo', 'outside', ['outside']],
    ['--repo of a bare repository leaves its neighbours out', '--repo', 'code/one', ['bare']],
  ] as const)('%s', (_, option, folder, expected) => {
    expect(ids([option, '--root', root], at(folder))).toEqual(expected)
  })

  test('--all is everything, wherever one stands', () => {
    expect(ids(['--all', '--root', root], at('repo'))).toHaveLength(8)
  })

  test('no match is said in one line and is no failure', () => {
    const { status, out, err } = clew(['list', '--here', '--root', root], { cwd: newFolder() })
    expect([status, out, err]).toEqual([0, '', 'clew: none of 8 conversations matches. Try: clew list --all\n'])
  })
})

describe('the other filters', () => {
  const folder = newFolder()

  test('--project takes part of the path or of the folder name, in any case', () => {
    expect(ids(['--root', sample, '--project', 'DOTfiles'], folder)).toHaveLength(2)
    expect(ids(['--root', sample, '--project', '-home-ada-tide'], folder)).toHaveLength(3)
    expect(ids(['--root', sample, '--project', 'nowhere'], folder)).toEqual([])
  })

  test('--since takes a span or a date', () => {
    const now = Date.now()
    const hoursAgo = (hours: number): string => new Date(now - hours * 3_600_000).toISOString()
    const root = writeBelow(newFolder(), {
      'projects/-p/hour.jsonl': talk('hour', 'x', { timestamp: hoursAgo(1) }),
      'projects/-p/days.jsonl': talk('days', 'x', { timestamp: hoursAgo(72) }),
      'projects/-p/weeks.jsonl': talk('weeks', 'x', { timestamp: hoursAgo(24 * 20) }),
    })
    const since = (when: string): readonly string[] => ids(['--root', root, '--since', when], folder)
    expect(since('30m')).toEqual([])
    expect(since('2h')).toEqual(['hour'])
    expect(since('7d')).toEqual(['days', 'hour'])
    expect(since('3w')).toEqual(['days', 'hour', 'weeks'])
    expect(since(hoursAgo(73))).toEqual(['days', 'hour'])
    expect(since('2020-01-01')).toEqual(['days', 'hour', 'weeks'])
  })

  test.each([
    ['America/Los_Angeles', '2026-02-21T01:14:00.000Z', '2026-02-20', '2026-02-21'],
    ['Asia/Tokyo', '2026-02-20T20:00:00.000Z', '2026-02-21', '2026-02-22'],
  ])('--since with a date begins with the day in %s', (TZ, timestamp, its, next) => {
    const root = writeBelow(newFolder(), { 'projects/-p/one.jsonl': talk('one', 'x', { timestamp }) })
    const rows = (since: string): readonly string[] =>
      linesOf(clew(['list', '--root', root, '--since', since, '--json'], { env: { TZ } }).out)
    expect(rows(its)).toHaveLength(1)
    expect(rows(next)).toHaveLength(0)
  })

  test('--limit and -n keep the newest', () => {
    const first = linesOf(clew(['list', '--root', sample]).out)[1]
    for (const words of [['--limit', '1'], ['-n', '1'], ['--limit=1']]) {
      expect(linesOf(clew(['list', '--root', sample, ...words]).out)[1]?.split(/\s+/)[1]).toBe(first?.split(/\s+/)[1])
      expect(ids(['--root', sample, ...words], folder)).toHaveLength(1)
    }
  })
})

describe('a call that cannot be understood', () => {
  test.each([
    [['--frob'], /^clew: Unknown option '--frob'\. Try: clew list --help\n$/],
    [['--limit'], /^clew: .*--limit.* ambiguous\. Try: clew list --help\n$/],
    [['--limit', '-5'], /^clew: --limit takes a whole number, not “-5”\n$/],
    [['--limit', 'many'], /^clew: --limit takes a whole number, not “many”\n$/],
    [['--since', 'yesterday-ish'], /^clew: --since takes 30m, .* not “yesterday-ish”\n$/],
    [['--since', '2026-02-30'], /^clew: --since takes 30m, .* not “2026-02-30”\n$/],
    [['--json=yes'], /^clew: .*--json.*\. Try: clew list --help\n$/],
    [['latest'], /^clew: list takes no “latest”\. Try: clew show latest\n$/],
  ])('list %j is one line and exit code 1', (words, message) => {
    const { status, out, err } = clew(['list', ...words, '--root', sample])
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
  })

  test('a command that does not exist names the help', () => {
    const { status, out, err } = clew(['lsit'])
    expect([status, out, err]).toEqual([1, '', 'clew: there is no command “lsit”. Try: clew --help\n'])
  })
})
