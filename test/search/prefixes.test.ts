// The beginning of very many words is asked for by the commonest of them, wherever in a query it stands.

import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/search/database.ts'
import { withFrequentWords } from '../../src/search/prefixes.ts'
import { matchText, parseQuery } from '../../src/search/query.ts'

const database = openDatabase(null)
afterAll(() => database.close())
const add = database.prepare('INSERT INTO said(rowid, prompt) VALUES(?, ?)')
database.exec('BEGIN')
for (let doc = 1; doc <= 7000; doc++) add.run(doc, `the tide${doc % 100} ebb`)
for (let doc = 1; doc <= 7000; doc += 100) add.run(10_000 + doc, 'tidewatch')
database.exec('COMMIT')

/** Of each group what is asked for, or how many words when there are several. */
function asked(typed: string): readonly (string | number)[] | null {
  const query = withFrequentWords(database, parseQuery(typed))
  if (query === null) return null
  expect(query.groups.flat().some(({ isPrefix, words }) => isPrefix && words.at(-1) === 'ti')).toBe(false)
  return query.groups.map((group) =>
    group.length === 1 && group[0] !== undefined ? matchText(group[0]) : group.length,
  )
}

test('alone, beside other words, in a phrase and as one of several', () => {
  expect(asked('ti*')).toEqual([24])
  expect(asked('the ti*')).toEqual(['"the"', 24])
  expect(asked('ti* ebb ti*')).toEqual([24, '"ebb"'])
  expect(asked('"the ti*"')).toEqual([24])
  expect(asked('ebb OR ti*')).toEqual([25])
  expect(asked('ti* eb*')).toEqual([24, '"ebb"'])
  // One that few docs have stays what it is.
  expect(asked('ti* tidew*')).toEqual([24, '"tidew" *'])
})

test('not where FTS5 has little to gather', () => {
  expect(asked('tidew*')).toBeNull()
  expect(asked('the ebb')).toBeNull()
  expect(asked('nothing*')).toBeNull()
})
