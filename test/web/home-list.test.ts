// What the list does with its rows: which of them fit, in which order, under which heading, and what news do to them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HomeRow } from '../../src/server/api/home.ts'
import type { LiveMessage } from '../../src/server/api/live.ts'
import { findRows, prepareRows } from '../../src/web/home/find-rows.ts'
import { groupsOf, linesOf } from '../../src/web/home/group-rows.ts'
import { homeAfter } from '../../src/web/home/merge.ts'
import { isOutOfOrder, sortRows } from '../../src/web/home/sort-rows.ts'
import type { HomeView } from '../../src/web/home/view.ts'
import { isFiltered, MARKS, PLAIN_VIEW, SCOPES, SORTS, searchOf, viewOf } from '../../src/web/home/view.ts'
import { accounts, home, NOON_MS, row } from './rows.ts'

const day = (text: string): number => Date.parse(`${text}T12:00:00Z`)

describe('which rows fit', () => {
  const tides = row({ id: 'aaaa1111-0', title: 'Tides an hour late', firstPrompt: 'Since the clocks went back' })
  const moon = row({ id: 'bbbb2222-0', title: 'Moon phase', gitBranch: 'feat/moon', model: 'claude-opus-5-5' })
  const zsh = row({
    id: 'cccc3333-0',
    title: 'Grüße in zsh',
    project: '/home/ada/dotfiles/.worktrees/zsh',
    repository: '/home/ada/dotfiles',
    running: 'waiting',
    subagents: 2,
  })
  const rows = [tides, moon, zsh]
  const idsFor = (part: Partial<HomeView>, activity = accounts({})): readonly string[] =>
    findRows(rows, { ...PLAIN_VIEW, ...part }, { activity, timeZone: 'UTC' }).map(({ id }) => id.slice(0, 4))

  test.each<readonly [string, Partial<HomeView>, readonly string[]]>([
    ['nothing asked', {}, ['aaaa', 'bbbb', 'cccc']],
    ['a word of the title', { words: 'moon' }, ['bbbb']],
    ['whatever its case', { words: 'GRÜSSE' }, []],
    ['whatever its case, umlauts too', { words: 'GRÜ' }, ['cccc']],
    ['all words must be there', { words: 'tides moon' }, []],
    ['in any order and any field', { words: 'clocks  hour ' }, ['aaaa']],
    ['a model', { words: 'opus' }, ['bbbb']],
    ['a branch of git', { words: 'feat/' }, ['bbbb']],
    ['a folder', { words: 'dotfiles' }, ['cccc']],
    ['how an id begins', { words: 'aaaa1' }, ['aaaa']],
    ['not the middle of an id', { words: '1111-0' }, []],
    ['a project', { project: '/home/ada/tidewatch' }, ['aaaa', 'bbbb']],
    ['a worktree', { project: '/home/ada/dotfiles/.worktrees/zsh' }, ['cccc']],
    ['a repository has its worktrees', { project: '/home/ada/dotfiles' }, ['cccc']],
    ['a mark', { marks: ['running'] }, ['cccc']],
    ['all marks', { marks: ['running', 'problems'] }, []],
  ])('%s', (_, view, ids) => {
    expect(idsFor(view)).toEqual(ids)
  })

  test('days are those of the accounts, or of its changes where there are none', () => {
    const on = accounts({ [tides.id]: 1 }, { '2026-11-03': [tides.id], '2026-11-05': [tides.id] })
    const quiet = row({ id: 'dddd4444-0', createdMs: day('2026-11-04'), modifiedMs: day('2026-11-06') })
    const found = (from: string, to: string): readonly string[] =>
      findRows([tides, quiet], { ...PLAIN_VIEW, days: { from, to } }, { activity: on, timeZone: 'UTC' }).map(({ id }) =>
        id.slice(0, 4),
      )
    expect(found('2026-11-03', '2026-11-03')).toEqual(['aaaa'])
    expect(found('2026-11-04', '2026-11-04')).toEqual(['dddd'])
    expect(found('2026-11-04', '2026-11-05')).toEqual(['aaaa', 'dddd'])
    expect(found('2026-11-07', '2026-11-30')).toEqual([])
  })

  test('ten thousand rows are filtered and grouped within a key', () => {
    const words = ['tide', 'moon', 'harbour', 'clock', 'ledger', 'battery']
    const many = Array.from({ length: 10_000 }, (_, index) =>
      row({
        title: `${words[index % 6]} and ${words[(index * 7) % 5]} ${index}`,
        firstPrompt: 'Since the clocks went back on Sunday every harbour page shows high water an hour late. '.repeat(
          3,
        ),
        project: `/home/ada/project-${index % 40}`,
        repository: `/home/ada/project-${index % 40}`,
      }),
    )
    expect(prepareRows(many, 0, 20_000)).toBe(10_000)
    const timed = (words: string): number => {
      const before = performance.now()
      linesOf(findRows(many, { ...PLAIN_VIEW, words }, { activity: null, timeZone: 'UTC' }), 'repository', new Set())
      return performance.now() - before
    }
    // The best of five: other programs may be at work.
    for (const words of ['m', 'mo', 'moon', 'moon 9', 'late nothing'])
      expect(Math.min(...[1, 2, 3, 4, 5].map(() => timed(words)))).toBeLessThan(30)
  })
})

describe('order', () => {
  const small = row({ title: 'b 2', turns: 1, sizeBytes: 10, modifiedMs: day('2026-11-01') })
  const long = row({ title: 'a', turns: 99, sizeBytes: 20, modifiedMs: day('2026-11-02') })
  const large = row({ title: 'b 10', turns: 5, sizeBytes: 99, modifiedMs: day('2026-11-03') })
  const rows = [small, long, large]
  const costs = accounts({ [small.id]: 3, [long.id]: null })

  test.each([
    ['newest', [large, long, small]],
    ['oldest', [small, long, large]],
    ['longest', [long, large, small]],
    ['costliest', [small, large, long]],
    ['largest', [large, long, small]],
    ['title', [long, small, large]],
  ] as const)('%s', (sort, sorted) => {
    expect(sortRows(rows, sort, new Map(), costs)).toEqual(sorted)
  })

  test('a row that goes on stays where it is until it is asked to move', () => {
    const times = new Map(rows.map(({ id, modifiedMs }) => [id, modifiedMs]))
    const gone = rows.map((one) => (one === small ? { ...one, modifiedMs: NOON_MS } : one))
    const shown = sortRows(gone, 'newest', times, null)
    expect(shown.map(({ id }) => id)).toEqual([large.id, long.id, small.id])
    expect(isOutOfOrder(shown, 'newest')).toBe(true)
    expect(isOutOfOrder(sortRows(gone, 'newest', new Map(), null), 'newest')).toBe(false)
    expect(isOutOfOrder(shown, 'title')).toBe(false)
  })
})

describe('groups', () => {
  const own = row({ repository: '/r/one', project: '/r/one' })
  const other = row({ repository: '/r/two', project: '/r/two' })
  const worktree = row({ repository: '/r/one', project: '/r/one/.worktrees/a' })
  const rows = [own, other, worktree]
  const told = (scope: HomeView['scope'], folded: readonly string[] = []): readonly string[] =>
    linesOf(rows, scope, new Set(folded)).map((line) =>
      line.kind === 'group' ? `${line.group.path} ${line.group.rows.length}` : `${line.place}`,
    )

  test('worktrees stand with their repository, or by themselves', () => {
    expect(told('repository')).toEqual(['/r/one 2', '1', '2', '/r/two 1', '3'])
    expect(told('project')).toEqual(['/r/one 1', '1', '/r/two 1', '2', '/r/one/.worktrees/a 1', '3'])
    expect(told('none')).toEqual(['1', '2', '3'])
  })

  test('a folded group keeps its heading', () => {
    expect(told('repository', ['/r/one'])).toEqual(['/r/one 2', '/r/two 1', '1'])
  })

  test('no row is lost and none is there twice', () => {
    const some = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 50 })
    fc.assert(
      fc.property(some, (projects) => {
        const rows = projects.map((number) => row({ project: `/p/${number}`, repository: `/r/${number % 2}` }))
        for (const scope of ['project', 'repository'] as const) {
          const ids = groupsOf(rows, scope).flatMap((group) => group.rows.map(({ id }) => id))
          expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
        }
      }),
    )
  })
})

describe('the address', () => {
  const days = fc
    .tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 50 }))
    .map(([from, more]) => ({ from: dayAfter(from), to: dayAfter(from + more) }))
  const views = fc.record({
    words: fc.string(),
    sort: fc.constantFrom(...SORTS),
    scope: fc.constantFrom(...SCOPES),
    project: fc.option(fc.string({ minLength: 1 })),
    marks: fc.subarray([...MARKS]),
    days: fc.option(days),
  })

  test('says what was asked for, and nothing that is usual', () => {
    fc.assert(
      fc.property(views, (view) => {
        expect(viewOf(searchOf(view))).toEqual(view)
      }),
    )
    expect(searchOf(PLAIN_VIEW)).toBe('')
    expect(searchOf({ ...PLAIN_VIEW, words: 'a b', days: { from: '2026-11-01', to: '2026-11-01' } })).toBe(
      '?q=a+b&from=2026-11-01',
    )
  })

  test('of another version is no error', () => {
    expect(viewOf('?sort=colour&group=x&is=blue,compacted&from=2026-02-30&to=soon&later=1')).toEqual({
      ...PLAIN_VIEW,
      marks: ['compacted'],
    })
    expect(viewOf('?from=2026-11-05&to=2026-11-01').days).toBe(null)
    expect(isFiltered({ ...PLAIN_VIEW, sort: 'title', words: ' ' })).toBe(false)
  })

  function dayAfter(number: number): string {
    return new Date(Date.parse('2022-01-01') + number * 86_400_000).toISOString().slice(0, 10)
  }
})

describe('news', () => {
  const [one, two, three] = [row(), row(), row()] as [HomeRow, HomeRow, HomeRow]
  const before = home([one, two])
  const list = (rows: readonly HomeRow[], removed: readonly string[] = []): LiveMessage => ({
    kind: 'list',
    rows,
    removed,
  })

  test('rows that are new, changed and gone', () => {
    const changed = { ...two, turns: 7 }
    expect(homeAfter(before, list([three, changed])).rows).toEqual([three, one, changed])
    expect(homeAfter(before, list([], [one.id])).rows).toEqual([two])
    expect(homeAfter(before, list([three], [three.id])).rows).toEqual([one, two])
    expect(homeAfter(before, list([three])).rows[1]).toBe(one)
  })

  test('told twice they are told once', () => {
    const once = homeAfter(before, list([three]))
    expect(homeAfter(once, list([three]))).toEqual(once)
  })

  test('what runs, and what no longer does', () => {
    const running = { id: two.id, pid: 1, state: 'running' as const, project: null, sinceMs: null }
    const now = homeAfter(before, { kind: 'sessions', running: [running] })
    expect(now.rows.map((row) => row.running)).toEqual([null, 'running'])
    expect(homeAfter(now, { kind: 'sessions', running: [running] })).toBe(now)
    expect(homeAfter(now, { kind: 'sessions', running: [] }).rows[1]?.running).toBe(null)
  })
})
