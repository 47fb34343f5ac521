// A tool result that is kept as bytes until its ends are cut out must be indexed as if it had been decoded whole.

import { expect, test } from 'vitest'
import { decodedOutput, indexedOutput } from '../../src/search/words.ts'
import { randomOf } from '../random.ts'

const PIECES = ['word', ' ', '\n', 'é', '→', '日本', '🚀', 'a'.repeat(250), '한', '\u0301', '…']

test('the ends of a text that was not decoded are those of the text', () => {
  const random = randomOf(20_261_116)
  for (let round = 0; round < 2000; round++) {
    const few = Array.from({ length: 1 + random.below(3) }, () => random.pick(PIECES))
    const text = Array.from({ length: random.below(3000) }, () => random.pick(few)).join('')
    const bytes = Buffer.from(text, 'utf8').toString('latin1')
    expect(indexedOutput(decodedOutput(bytes), false)).toEqual(indexedOutput(text, false))
  }
})
