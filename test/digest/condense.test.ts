import fc from 'fast-check'
import { expect, test } from 'vitest'
import { closingQuestions, isAnnouncing, leadOf, linesOf, shorten } from '../../src/digest/condense.ts'
import { expectLinear } from '../growth.ts'

/** Half of a surrogate pair. */
const HALF = /\p{Surrogate}/u

const REPLY = `Two separate mistakes add up:

1. **The offset is frozen.** It is asked for once.
2. A day is always 24 hours.

\`\`\`ts
const not = 'told'
\`\`\`

| a | table |
|---|---|

## A heading

A restart would hide the first one. Shall I write a test?`

test('paragraphs and points are lines; code, tables and headings are left out', () => {
  expect(linesOf(REPLY, 10, 100)).toEqual([
    'Two separate mistakes add up:',
    '**The offset is frozen.** It is asked for once.',
    'A day is always 24 hours.',
    'A restart would hide the first one. Shall I write a test?',
  ])
  expect(linesOf(REPLY, 2, 20)).toEqual(['Two separate…', '**The offset is…', '… 2 more'])
})

test('the lead goes on while it says too little', () => {
  expect(leadOf(REPLY)).toBe('Two separate mistakes add up: **The offset is frozen.** It is asked for once.')
  expect(leadOf('Both are back. One thing is wrong in the feed, the rest is fine. More.')).toBe(
    'Both are back. One thing is wrong in the feed, the rest is fine.',
  )
  expect(leadOf('> A quoted answer that is long enough to be the lead of it all, surely.')).toMatch(/^A quoted/)
  expect(leadOf('```\nonly code\n```')).toBe('')
})

test('what a text asks at its end', () => {
  expect(closingQuestions(REPLY)).toEqual(['Shall I write a test?'])
  expect(closingQuestions('It is fixed. Shall I?')).toEqual(['It is fixed. Shall I?'])
  expect(closingQuestions('Why does it fail? Because the offset is frozen.')).toEqual(['Why does it fail?'])
  expect(closingQuestions('はい、直しました。テストも書きますか？')).toEqual([
    'はい、直しました。 テストも書きますか？',
  ])
  expect(closingQuestions('All done.')).toEqual([])
})

test('announcing is no news', () => {
  for (const said of ['Let me look at the tests.', "Now I'll fix it.", 'Good. Let me check', 'Here is what I will do:'])
    expect(isAnnouncing(said), said).toBe(true)
  for (const said of ['The tests pass.', 'Letters are fine.', 'Fixed: it was the cache.'])
    expect(isAnnouncing(said), said).toBe(false)
})

test('any text: short, on one line, never half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 60 }), (text, most) => {
      for (const line of [
        shorten(text, most),
        leadOf(text, most),
        ...linesOf(text, 5, most),
        ...closingQuestions(text),
      ]) {
        expect(line).not.toMatch(/[\n\r\t]/)
        if (!HALF.test(text)) expect(line).not.toMatch(HALF)
      }
      expect(shorten(text, most).length).toBeLessThanOrEqual(most)
    }),
  )
})

test.each(['? ', '*', '> ', '`', 'a. A', '."', '.)', '。', '- \n', '| '])(
  'any number of %j takes time in proportion',
  (piece) => {
    expectLinear(
      (length) => piece.repeat(length / piece.length),
      (text) => {
        leadOf(text)
        linesOf(text, 10, 100)
        closingQuestions(text)
        isAnnouncing(text)
      },
    )
  },
)
