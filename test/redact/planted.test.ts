// More than a thousand Secrets of every kind in every encoding: not eight characters of one may be left.

import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'
import { randomOf } from '../random.ts'
import type { Planted } from './planted.ts'
import { ENCODINGS, KINDS, leaksOf, NOT_SECRET, plant } from './planted.ts'

const COUNT = 1300
test('there are sixty kinds and more', () => {
  expect(KINDS.length).toBeGreaterThan(100)
  expect(Object.keys(ENCODINGS).length).toBeGreaterThan(6)
})

/** `CLEW_SEEDS=7,8,9` for others. */
const seeds = (process.env['CLEW_SEEDS'] ?? '20261116').split(',').map(Number)
describe.each(Object.entries(ENCODINGS))('%s', (name, { write, read }) => {
  test.each(seeds)('seed %i', (seed) => {
    const random = randomOf(seed)
    const leaked: string[] = []
    for (let number = 0; number < COUNT; number++) {
      const planted = plant(random, number)
      const written = write(planted.text, planted.secret)
      const told = createRedactor().text(written).text
      const leaks = [...leaksOf(planted.secret, told), ...leaksOf(planted.secret, read(told))]
      if (leaks.length > 0 && !isOnlyPrefix(planted, leaks)) leaked.push(`${planted.kind}: ${written}\n   → ${told}`)
    }
    expect(leaked.slice(0, 10), `${leaked.length} leaked in ${name}`).toEqual([])
  })
})

function isOnlyPrefix({ secret }: Planted, leaks: readonly string[]): boolean {
  const prefix = NOT_SECRET.exec(secret)?.[0] ?? ''
  return leaks.every((leak) => prefix.includes(leak))
}
