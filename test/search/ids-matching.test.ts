// A word that stands in very many docs, asked for in some files or some time: just those docs, the newest first, however
// the docs of the files lie among the others.

import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/search/database.ts'
import { idsMatching, setScope } from '../../src/search/ids-matching.ts'
import { randomOf } from '../random.ts'

const DOCS = 12_000
const FILES = 60
const database = openDatabase(null)
afterAll(() => database.close())

interface Doc {
  readonly id: number
  readonly file: number
  readonly ms: number | null
  readonly isCommon: boolean
}

/** Most files are read at once; some grow while others do. */
const random = randomOf(7)
const docs: readonly Doc[] = Array.from({ length: DOCS }, (_, at) => ({
  id: at + 1,
  file: random.chance(0.2) ? 1 + random.below(5) : 6 + Math.floor((at / DOCS) * (FILES - 6)),
  ms: random.chance(0.01) ? null : at * 1000 + random.below(400_000),
  isCommon: random.chance(0.7),
}))

database.exec('BEGIN')
const addDoc = database.prepare('INSERT INTO doc VALUES(?, ?, ?, 0, -1, ?, 0, 0)')
const addWords = database.prepare('INSERT INTO said(rowid, prompt) VALUES(?, ?)')
for (const { id, file, ms, isCommon } of docs) {
  addDoc.run(id, file, id, ms)
  addWords.run(id, isCommon ? 'tide moon' : 'moon')
}
database.exec('COMMIT')

const ALL = { scope: null, sinceMs: null, untilMs: null }

describe.each([5000, 900, 3])('at most %i', (most) => {
  test.each<[string, Partial<{ scope: readonly number[]; sinceMs: number; untilMs: number }>]>([
    ['everything', {}],
    ['an old file', { scope: [7] }],
    ['a new file', { scope: [59] }],
    ['a file that grew all the time', { scope: [3] }],
    ['many files', { scope: Array.from({ length: 30 }, (_, at) => at * 2) }],
    ['no file', { scope: [] }],
    ['a file that is not there', { scope: [999] }],
    ['since a late time', { sinceMs: 11_500_000 }],
    ['since an early time', { sinceMs: 500_000 }],
    ['until an early time', { untilMs: 900_000 }],
    ['between two times', { sinceMs: 3_000_000, untilMs: 3_400_000 }],
    ['files and times', { scope: [3, 20, 40], sinceMs: 3_000_000, untilMs: 8_000_000 }],
    ['a time before all', { untilMs: -1 }],
  ])('%s', (_, some) => {
    const range = { ...ALL, ...some }
    const { scope, sinceMs, untilMs } = range
    setScope(database, scope)
    const isWanted = ({ file, ms, isCommon }: Doc): boolean =>
      isCommon &&
      (scope === null || scope.includes(file)) &&
      (sinceMs === null || (ms !== null && ms >= sinceMs)) &&
      (untilMs === null || (ms !== null && ms <= untilMs))
    const expected = docs.filter(isWanted).map(({ id }) => id)
    expect(idsMatching(database, 'said', 'tide', range, most)).toEqual(expected.reverse().slice(0, most))
  })
})

test('what was written since is found, by scope and by time', () => {
  const scope = [3]
  const range = { ...ALL, scope, sinceMs: 3_000_000 }
  setScope(database, scope)
  const before = idsMatching(database, 'said', 'tide', range, 5000)
  addDoc.run(DOCS + 1, 3, DOCS + 1, 4_000_000)
  addWords.run(DOCS + 1, 'tide')
  expect(idsMatching(database, 'said', 'tide', range, 5000)).toEqual([DOCS + 1, ...before])
})
