// A tool result of which only the ends are decoded must be indexed as if it had been decoded whole, and one that stays
// bytes as if it were a text.

import { expect, test } from 'vitest'
import { decodedOutput, indexedOutput, indexedSaid } from '../../src/search/words.ts'
import { randomOf } from '../random.ts'

const PIECES = ['word', ' ', '\n', 'é', '→', '日本', '🚀', 'a'.repeat(250), '한', '\u0301', '…']
const PLAIN = ['word', ' ', '\n', '\u001b[1m', 'a'.repeat(250), '-', '_', '\0']

test('the ends of a text that was not decoded are those of the text', () => {
  const random = randomOf(20_261_116)
  for (let round = 0; round < 2000; round++) {
    const few = Array.from({ length: 1 + random.below(3) }, () => random.pick(PIECES))
    const text = Array.from({ length: random.below(3000) }, () => random.pick(few)).join('')
    expect(indexedOutput(decodedOutput(Buffer.from(text, 'utf8')))).toEqual(indexedOutput(text))
  }
})

test('bytes are cut where the text would be', () => {
  const random = randomOf(20_261_117)
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: random.below(3000) }, () => random.pick(PLAIN)).join('')
    for (const indexed of [indexedOutput, indexedSaid]) {
      const { head, end } = indexed(Buffer.from(text))
      const textOf = (part: string | Uint8Array | null): string | null =>
        part === null ? null : Buffer.from(part as Uint8Array).toString()
      expect({ head: textOf(head), end: textOf(end) }).toEqual(indexed(text))
    }
  }
})
