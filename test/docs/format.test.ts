// docs/format says what we believe about the files on disk. Here every fixture in it is run, and every name that the
// code knows must be told there: a page that falls behind the code fails.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/base/problem.ts'
import { KNOWN_BLOCKS, KNOWN_SUBTYPES, KNOWN_TYPES } from '../../src/record/known.ts'
import type { Expectation } from './fixtures.ts'
import { answersOf, fixturesOf } from './fixtures.ts'

const FOLDER = join(import.meta.dirname, '../../docs/format')
const FIXTURES_MIN = 2
const FIXTURES_MIN_OF: Readonly<Record<string, number>> = { 'chains.md': 12 }

const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => {
    const markdown = readFileSync(join(FOLDER, name), 'utf8')
    return { name, markdown, fixtures: fixturesOf(name, markdown) }
  })

describe.each(pages)('$name', ({ name, fixtures }) => {
  test('has enough fixtures', () => {
    expect(fixtures.length).toBeGreaterThanOrEqual(FIXTURES_MIN_OF[name] ?? FIXTURES_MIN)
  })
  for (const fixture of fixtures) {
    test(fixture.name, () => {
      const expected = JSON.parse(fixture.expected) as Expectation
      expect(Object.keys(expected)).not.toEqual([])
      expect(answersOf(fixture, expected)).toEqual(expected)
    })
  }
})

describe('every name the code knows is in the pages', () => {
  const told = new Set(pages.flatMap(({ markdown }) => [...markdown.matchAll(/`([^`\s]+)`/g)].map(([, word]) => word)))
  const missing = (names: Iterable<string>): readonly string[] => [...names].filter((name) => !told.has(name))

  test('record types', () => expect(missing(KNOWN_TYPES)).toEqual([]))
  test.each([...KNOWN_SUBTYPES])('subtypes of %s', (_, subtypes) => expect(missing(subtypes)).toEqual([]))
  test('block kinds', () => expect(missing(KNOWN_BLOCKS)).toEqual([]))
  test('problem codes', () => expect(missing(Object.keys(PROBLEMS))).toEqual([]))
})

test('the index lists every page', () => {
  const index = pages.find(({ name }) => name === 'README.md')?.markdown ?? ''
  for (const { name } of pages) if (name !== 'README.md') expect(index).toContain(`](${name})`)
})
