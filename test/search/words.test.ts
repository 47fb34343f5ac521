// What a word index is given: most texts are given as they are, because nothing in them has to be set apart.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inWords, setApart } from '../../src/search/words.ts'

const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff)

test('every character is given as setting it apart would give it, alone and between others', () => {
  const wrong = CODE_POINTS.map((code) => String.fromCodePoint(code)).filter(
    (letter) => inWords(letter) !== setApart(letter) || inWords(`e${letter}e`) !== setApart(`e${letter}e`),
  )
  expect(wrong).toEqual([])
})

test('so is every text', () => {
  const settled = CODE_POINTS.map((code) => String.fromCodePoint(code)).filter((letter) => setApart(letter) === letter)
  const printed = settled.filter((letter) => letter > '\x7f' && letter < '\u3000')
  const text = fc.array(
    fc.oneof(fc.constantFrom('a', 'Z', ' ', '→', '✓', '├──', '“', 'é', 'ё', '🚀'), fc.constantFrom(...printed)),
  )
  fc.assert(
    fc.property(text, (letters) => {
      expect(inWords(letters.join(''))).toBe(setApart(letters.join('')))
    }),
    { numRuns: 2000 },
  )
})
