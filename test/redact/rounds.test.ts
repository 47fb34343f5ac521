// What the shortcuts of the rounds after the first rely on.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codedOf } from '../../src/redact/coded.ts'
import { isHarmless, isMix, standsIn } from '../../src/redact/harmless.ts'
import { openLiterals } from '../../src/redact/literals.ts'
import { SECRET_MIN } from '../../src/redact/marked.ts'
import { numberTags, openPlaceholders, placeholdersIn } from '../../src/redact/placeholder.ts'
import { redactText } from '../../src/redact/redact-text.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { openRegistry } from '../../src/redact/registry.ts'
import { scanText } from '../../src/redact/scan.ts'
import { randomOf } from '../random.ts'
import { ENCODINGS, plant } from './planted.ts'

const RUNS = { numRuns: Number(process.env['CLEW_RUNS'] ?? 400) }
const SHORT = '⟦secret:a:zz⟧'
const LONG = '⟦secret:a-rule-with-a-long-name:zz0123456789abcd⟧'
const GLUE = [
  '',
  ' ',
  '\n',
  '=',
  ': "',
  'password=',
  'token: ',
  '" + "',
  '\\n',
  '\\',
  ',',
  '://a:',
  '@',
  SHORT,
  SHORT + SHORT,
]

const planted = fc.integer({ min: 0, max: 1e6 }).map((seed) => {
  const random = randomOf(seed)
  const one = plant(random, random.below(500))
  return [random.pick(Object.values(ENCODINGS)).write(one.text, one.secret), one.secret]
})
/** The same Secrets with and without what says so, close beside each other: some show only when others are replaced. */
const dense = fc
  .array(planted, { minLength: 1, maxLength: 3 })
  .chain((pairs) => {
    const part = fc.oneof(fc.constantFrom(...pairs.flat()), fc.constantFrom(...GLUE), fc.string({ maxLength: 5 }))
    return fc.array(part, { minLength: 1, maxLength: 16 })
  })
  .map((parts) => parts.join(''))

test('what is left holds nothing that a look at all of it, Placeholders in full, would find', () => {
  fc.assert(
    fc.property(dense, (text) => {
      const literals = openLiterals()
      const placeholders = openPlaceholders(numberTags())
      const told = redactText(text, { literals, registry: openRegistry(), placeholders, isListed: null }).text
      const places = placeholdersIn(told)
      for (const { start, end, rule } of scanText(codedOf(told), { literals, layers: 3, isEncodedToo: true }))
        for (const part of partsOutside(told, start, end, places))
          expect(part.length < 6 || !/[A-Za-z0-9]{4}/.test(part), `${rule}: ${part} in ${told}`).toBe(true)
    }),
    RUNS,
  )
})

function partsOutside(text: string, start: number, end: number, places: ReturnType<typeof placeholdersIn>): string[] {
  const parts: string[] = []
  let from = start
  for (const place of places) {
    if (place.end <= start || place.start >= end) continue
    parts.push(text.slice(from, Math.max(from, place.start)))
    from = place.end
  }
  return [...parts, text.slice(from, Math.max(from, end))]
}

test('what stands in a Placeholder changes nothing around it', () => {
  fc.assert(
    fc.property(dense, (text) => {
      const short = createRedactor().text(text)
      const long = createRedactor().text(text.replaceAll(SHORT, LONG))
      expect(short.text.replaceAll(SHORT, LONG)).toBe(long.text)
      expect(short.findings.map(({ placeholder }) => placeholder)).toEqual(
        long.findings.map(({ placeholder }) => placeholder),
      )
    }),
    RUNS,
  )
})

test('no Secret is shorter than what is passed over between two Placeholders', () => {
  fc.assert(
    fc.property(dense, (text) => {
      for (const { start, end } of createRedactor().text(text).findings)
        expect(end - start).toBeGreaterThanOrEqual(SECRET_MIN)
    }),
    RUNS,
  )
})

test('a mix of letters and digits is no stand-in', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    maxLength: 4,
  })
  const words = fc.constantFrom('x', 'xxx', 'foo', 'put', 'not', 'env', 'my', 'to', 'fak', 'tes', 'arn', 'ref', 'todo')
  const digits = fc.integer({ min: 0, max: 999 }).map(String)
  fc.assert(
    fc.property(fc.array(fc.oneof(letters, words, digits), { maxLength: 10 }), (parts) => {
      const value = parts.join('')
      if (isMix(value)) expect(standsIn(value)).toBe(false)
    }),
    { numRuns: RUNS.numRuns * 10 },
  )
  expect(['x1y2z3w4', '0x1f2e3d', 'abc123'].map(isHarmless)).toEqual([false, true, true])
})
