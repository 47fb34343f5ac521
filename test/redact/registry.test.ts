// What is kept by hand gives the answers that the language would give.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { putCodes, textOfCodes } from '../../src/base/text.ts'
import { codedOf, release } from '../../src/redact/coded.ts'
import { isMadeUp } from '../../src/redact/harmless.ts'
import { openLiterals } from '../../src/redact/literals.ts'
import { openRegistry } from '../../src/redact/registry.ts'

test('every Secret has one number, also when hundreds share a hash', () => {
  const registry = openRegistry()
  const known = new Map<string, number>()
  const ends = 'e'.repeat(60)
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < 3000; index++) {
      const secret = index % 4 === 0 ? `${ends}${index + 1e6}${ends}` : `secret ${index}`
      const number = registry.numberOf(secret)
      expect(number).toBe(known.get(secret) ?? known.size + 1)
      known.set(secret, number)
    }
})

test('codes become the same text again, half surrogates too', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 600 }), (codes) => {
      const text = String.fromCharCode(...codes)
      const room = new Uint16Array(text.length)
      putCodes(text, room)
      expect([...room]).toEqual(codes)
      expect(textOfCodes(room)).toBe(text)
    }),
  )
})

test('a string that repeats itself is found wherever it stands', () => {
  const part = fc.constantFrom('ab', 'abab', 'aba', 'abababab', 'c', '\n')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.constantFrom('abababab', 'aaab', 'abaababa'), (parts, secret) => {
      const text = parts.join('')
      const literals = openLiterals()
      literals.add(secret, 1, 'literal', secret)
      const found = new Array<string>(text.length).fill('-')
      const coded = codedOf(text)
      literals.scan(coded, (start, end) => found.fill('x', start, end))
      release(coded)
      const expected = new Array<string>(text.length).fill('-')
      let covered = 0
      for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
        expected.fill('x', at, at + secret.length)
        covered++
      }
      // Of what repeats itself not every repetition is looked at, but all that is told is one.
      if (covered > 0) expect(found).toContain('x')
      for (const [at, sign] of found.entries()) if (sign === 'x') expect(expected[at]).toBe('x')
    }),
  )
})

test('the walk before the pattern leaves out no token that is made up', () => {
  const word = fc.constantFrom(
    ...'example PlaceHolder redacted changeme dummy your_ YOUR- xxxxx XXXXXX **** .... 00000000 1234567890 ABCdefghijk'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), word, fc.string({ maxLength: 30 }), (before, made, behind) => {
      expect(isMadeUp(`${before}${made}${behind}`)).toBe(true)
    }),
  )
})
