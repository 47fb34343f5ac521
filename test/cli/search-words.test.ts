// What is said around the hits of a search by words, and what its dates mean.

import { describe, expect, test } from 'vitest'
import { prompt, reply, session, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

const search = (...words: readonly string[]): ReturnType<typeof clew> => clew(['search', ...words, '--root', sample])

describe('what only comes close', () => {
  test('is told as such when nothing has all of the words', () => {
    const { out, err, status } = search('tide', 'tables', 'zzyzx')
    expect(out).toContain('2ab65b76')
    expect(err).toBe('clew: nothing has all of the words as they were typed; these come close\n')
    expect(status).toBe(0)
    expect(search('tide', 'tables').err).toBe('')
  })

  test('has a key of its own', () => {
    const looseOf = (...words: readonly string[]): readonly boolean[] =>
      clewJson<{ loose: boolean }>(['search', ...words, '--root', sample]).map(({ loose }) => loose)
    expect(new Set(looseOf('tide', 'tables', 'zzyzx'))).toEqual(new Set([true]))
    expect(looseOf('tide', 'tables')[0]).toBe(false)
  })
})

test('a reference leads to its record, also where ids were counted up', () => {
  const id = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
  const root = writeBelow(newFolder(), {
    [`projects/-p/${id(1)}.jsonl`]: session(id(1), [prompt(id(3), null, 'ebb'), reply(id(4), id(3), 'flood')]),
    [`projects/-p/${id(2)}.jsonl`]: session(id(2), [prompt(id(5), null, 'neap'), reply(id(6), id(5), 'spring')]),
  })
  const [hit] = clewJson<{ ref: string }>(['search', 'spring', '--root', root])
  expect(hit?.ref).toBe(`${id(2)}#${id(6)}`)
  expect(clew(['show', hit?.ref ?? '', '--root', root]).out).toContain('spring')
})

describe('a date', () => {
  test('is meant with its day', () => {
    expect(search('moon', '--since', '2026-10-28', '--until', '2026-10-28').out).toContain('a43e0f11')
    expect(search('moon', '--until', '2026-10-27').out).not.toContain('a43e0f11')
    expect(search('moon', '--since', '2026-10-29', '--until', '2026-10-30').out).not.toContain('a43e0f11')
  })

  test('that ends before it begins is refused', () => {
    const { err, status } = search('moon', '--since', '2026-10-28', '--until', '2026-10-27')
    expect(err).toBe('clew: --until is before --since\n')
    expect(status).toBe(1)
  })
})

describe('a file', () => {
  test('needs no query: every turn in which it was touched, and no other', () => {
    const turnsOf = (file: string): readonly (number | null)[] =>
      clewJson<{ turn: number | null }>(['search', '--file', file, '--root', sample]).map(({ turn }) => turn)
    expect(turnsOf('src/feed/ical.ts')).toEqual([10, 6, null])
    expect(turnsOf('./src/feed')).toEqual([10, 6, null])
    expect(turnsOf('feed/nothing.ts')).toEqual([])
  })

  test('or a tool it does need, or words', () => {
    expect(search('')).toMatchObject({ status: 1, err: 'clew: search for what? Try: clew search --help\n' })
  })
})

test.each([40, 60, 80, 160])('when it was and in which turn is there in %i columns, whatever is cut', (columns) => {
  const cwd = '/home/ada/a-folder/with-another/and-a-third/that-never-ends/tidewatch'
  const id = '00000000-0000-4000-8000-000000000001'
  const gitBranch = 'feature/local-days-instead-of-24-hours'
  const root = writeBelow(newFolder(), {
    [`projects/-p/${id}.jsonl`]: session(id, [prompt('u1', null, 'ebb'), reply('a1', 'u1', 'flood')]).map((record) => ({
      ...record,
      cwd,
      gitBranch,
    })),
  })
  const { out } = clew(['search', 'flood', '--root', root], { env: { COLUMNS: String(columns) } })
  const line = out.split('\n')[1] ?? ''
  expect(line).toMatch(/tidewatch · feat\S* · \d+\w+ · turn 1$/)
  expect(line.length).toBeLessThanOrEqual(columns)
  if (columns === 160) expect(line).toContain(`${cwd} · ${gitBranch}`)
})

test('a branch has all the room that a short path leaves', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  const gitBranch = 'feature/local-days-instead-of-24-hours-and-what-follows-from-that'
  const root = writeBelow(newFolder(), {
    [`projects/-p/${id}.jsonl`]: session(id, [prompt('u1', null, 'ebb'), reply('a1', 'u1', 'flood')]).map((record) => ({
      ...record,
      cwd: '/p',
      gitBranch,
    })),
  })
  const [, line = ''] = clew(['search', 'flood', '--root', root], { env: { COLUMNS: '70' } }).out.split('\n')
  expect(line).toMatch(/^ {2}\/p · feature\/local-days-instead-of-24-hours\S*… · \d+\w+ · turn 1$/)
  expect(line.length).toBeLessThanOrEqual(70)
})
