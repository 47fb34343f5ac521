// Random records in random spelling: whatever is in a decoded text is found, and nothing else is.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScanPattern, ScanTarget } from '../../src/search/scan-model.ts'
import { randomOf } from '../random.ts'
import { allTexts, exact, exactAnyCase, hitsIn, newFolder, regex, spell, writeTarget } from './scan-case.ts'

const folder = newFolder()

const CHARACTERS = [
  ...'aabbcABSKsk019 .',
  ...'"\\/\n\t\r\b\u0000\u001b\u007f',
  ...'éÉßẞſKåÅöÖ日本',
  '🌊',
  '𝒳',
  '\u2028',
  '\ufeff',
  '\ufffd',
]

const text = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 20 }).map((all) => all.join(''))

const record = fc.oneof(
  fc.record({ type: fc.constant('user'), message: fc.record({ role: fc.constant('user'), content: text }) }),
  fc.record({
    type: fc.constant('assistant'),
    message: fc.record({ content: fc.array(fc.record({ type: fc.constant('text'), text }), { maxLength: 3 }) }),
  }),
  fc.record({
    type: fc.constant('user'),
    message: fc.record({ content: fc.tuple(fc.record({ type: fc.constant('tool_result'), content: text })) }),
    toolUseResult: fc.oneof(text, fc.record({ stdout: text })),
  }),
  fc.record({ type: fc.constant('brand-new'), whatever: fc.record({ deep: fc.array(text, { maxLength: 3 }) }) }),
)

interface Case {
  readonly records: readonly unknown[]
  readonly target: ScanTarget
  readonly windowBytes: number
}

const scanCase: fc.Arbitrary<Case> = fc
  .tuple(
    fc.array(record, { minLength: 1, maxLength: 6 }),
    fc.nat(),
    fc.constantFrom(0, 0, 0.05, 0.5, 1),
    fc.boolean(),
    fc.integer({ min: 300, max: 500 }),
  )
  .map(([records, seed, escapedShare, isEnded, windowBytes]) => {
    const random = randomOf(seed)
    const lines = records.map((one) => spell(one, random, escapedShare))
    const written = lines.join(random.chance(0.2) ? '\r\n' : '\n') + (isEnded ? '\n' : '')
    const mark = random.chance(0.1) ? '\ufeff' : ''
    return { records, target: writeTarget(folder, 'case.jsonl', mark + written), windowBytes }
  })

/** A piece of some text of the case, or of none. */
const needleOf = ({ records }: Case): fc.Arbitrary<string> => {
  const texts = records.flatMap(allTexts).filter((one) => one !== '')
  const own = fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 12 }))
    .map(([one, at, length]) => {
      const characters = Array.from(one)
      const start = at % characters.length
      return characters.slice(start, start + length).join('')
    })
  return fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: text.filter((one) => one !== '') })
}

const caseAndNeedle = scanCase.chain((one) => fc.tuple(fc.constant(one), needleOf(one)))

function check({ records, target, windowBytes }: Case, pattern: ScanPattern, isIn: (text: string) => boolean): boolean {
  const expected = records.flatMap((one, index) => (allTexts(one).some(isIn) ? [index + 1] : []))
  const hits = hitsIn(target, pattern, windowBytes)
  expect(hits.map(({ line }) => line)).toEqual(expected)
  for (const { excerpt, count } of hits) {
    expect(isIn(excerpt.text)).toBe(true)
    expect(isIn(excerpt.text.slice(excerpt.start, excerpt.end))).toBe(true)
    expect(count).toBeGreaterThan(0)
  }
  return expected.length > 0
}

describe('found exactly where it is', () => {
  test('a needle as it is written', () => {
    let found = 0
    fc.assert(
      fc.property(caseAndNeedle, ([one, needle]) => {
        if (check(one, exact(needle), (within) => within.includes(needle))) found++
      }),
      { numRuns: 4000 },
    )
    expect(found).toBeGreaterThan(2000)
  })

  test('a needle in any case', () => {
    let found = 0
    const swapped = (needle: string): string =>
      Array.from(needle, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
        .map((one) => (Array.from(one).length === 1 ? one : 'ß'))
        .join('')
    fc.assert(
      fc.property(caseAndNeedle, fc.boolean(), ([one, own], isSwapped) => {
        const needle = isSwapped ? swapped(own) : own
        const plain = new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
        if (check(one, exactAnyCase(needle), (within) => plain.test(within))) found++
      }),
      { numRuns: 4000 },
    )
    expect(found).toBeGreaterThan(2000)
  })

  test('a regex', () => {
    const source = fc.array(
      fc.constantFrom('a', 'b', 'S', '.', '\\s', '[ab]+', 'é', '🌊', 'ab', '1?', '\\n', '(?:a|b)', '"', '\\/', '|'),
      { minLength: 1, maxLength: 4 },
    )
    let found = 0
    fc.assert(
      fc.property(scanCase, source, (one, parts) => {
        // An alternative that is empty would match everything.
        const pattern = parts.join('').replace(/^\|+|\|+$|\|(?=\|)/g, '')
        if (pattern === '') return
        const plain = new RegExp(pattern, 'mu')
        if (check(one, regex(pattern), (within) => plain.test(within))) found++
      }),
      { numRuns: 4000 },
    )
    expect(found).toBeGreaterThan(500)
  })
})
