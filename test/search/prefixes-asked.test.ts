// The beginning of very many words is gathered by FTS5 as seldom as can be, and what is found is what would be found.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openSearch, type Search } from './open-search.ts'

const values = vi.hoisted((): unknown[] => [])

vi.mock(import('../../src/search/statements.ts'), async (original) => {
  const real = await original()
  const statement: typeof real.statement = (database, sql) => {
    const own = real.statement(database, sql)
    return new Proxy(own, {
      get: (_, name: keyof typeof own) => {
        return (...all: never[]) => {
          if (/ (said|done) MATCH/.test(sql)) values.push(...all)
          return (own[name] as (...given: never[]) => unknown)(...all)
        }
      },
    })
  }
  return { ...real, statement }
})

const SESSION = '11111111-2222-4333-8444-555555555555'
const NOW_MS = 1_800_000_000_000
const root = mkdtempSync(join(tmpdir(), 'clew-prefixes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Nearly all of them hold a word that begins with `ti`; a few a rare word, with and without one. */
function textOf(number: number): string {
  // The title.
  if (number === 0) return 'moon shore'
  const rare = number % 700 === 0 ? 'gannet' : number % 1000 === 1 ? 'petrel' : ''
  const isWithout = number % 500 === 1
  return `moon ${isWithout ? 'shore' : `tide${number % 30}`} ${rare}`
}

let search: Search
beforeAll(async () => {
  const folder = join(root, 'projects', '-home-ada-tidewatch')
  mkdirSync(folder, { recursive: true })
  const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const lines = Array.from({ length: 7000 }, (_, number) =>
    JSON.stringify({
      parentUuid: number === 0 ? null : uuidOf(number - 1),
      sessionId: SESSION,
      type: 'user',
      message: { role: 'user', content: textOf(number) },
      uuid: uuidOf(number),
      timestamp: new Date(NOW_MS - 1_000_000_000 + number * 1000).toISOString(),
    }),
  )
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${lines.join('\n')}\n`)
  search = await openSearch(root, NOW_MS)
})

/** How often FTS5 was asked for every word that begins with these letters, and what was found. */
function asked(typed: string): { readonly gathered: number; readonly found: readonly string[] } {
  values.length = 0
  const { hits } = search(typed, { limit: 50, perConversation: 50 })
  const gathered = values.filter((value) => typeof value === 'string' && value.includes('"ti" *')).length
  return { gathered, found: hits.map(({ snippet }) => JSON.stringify(snippet)) }
}

test('beside a rare word whose docs all have a common one of them', () => {
  const { gathered, found } = asked('gannet ti*')
  expect(found).toHaveLength(9)
  expect(gathered).toBe(0)
})

test('beside a word that is nowhere', () => {
  expect(asked('cormorant ti*').gathered).toBe(0)
})

test('behind a minus, once for all Turns', () => {
  const { gathered, found } = asked('moon -ti*')
  expect(found).toHaveLength(15)
  expect(found.filter((snippet) => snippet.includes('tide'))).toEqual([])
  expect(gathered).toBeLessThan(5)
})

test('beside a rare word whose docs have none', () => {
  expect(search('petrel ti*', { perConversation: 50 }).hits.map(({ isLoose }) => isLoose)).toEqual(Array(7).fill(true))
})
