// Answers of models, good and bad, and what is made of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEPT_TOKENS_MAX, parseAnswer } from '../../src/prose/answer.ts'
import { plainLine } from '../../src/prose/clean.ts'
import { lineText, partsOf, prepareTask } from '../../src/prose/lines.ts'
import { promptText, unguessableMark } from '../../src/prose/prompt.ts'
import { retryAfterMs } from '../../src/prose/prose-error.ts'
import { cutToTokens, tokensOf } from '../../src/prose/tokens.ts'
import { plainRedactor, taskOf } from './made-up.ts'

const KNOWN = new Set([1, 2, 3, 4, 5, 7])

test.each<readonly [string, string, readonly (readonly [string, ...number[]])[]]>([
  [
    'bullets',
    '- One. [1]\n- Two. [2][3]',
    [
      ['One.', 1],
      ['Two.', 2, 3],
    ],
  ],
  [
    'other bullets',
    '* One. [1]\n• Two. [2]\n3. Three. [3]',
    [
      ['One.', 1],
      ['Two.', 2],
      ['Three.', 3],
    ],
  ],
  [
    'paragraphs',
    'One. [1]\n\nTwo. [2]',
    [
      ['One.', 1],
      ['Two.', 2],
    ],
  ],
  [
    'lines broken for their width',
    '- One goes\n  on here. [1]\n- Two. [2]',
    [
      ['One goes on here.', 1],
      ['Two.', 2],
    ],
  ],
  [
    'lists and ranges',
    '- One. [1, 3]\n- Two. [2-4]\n- Three. [5–7]',
    [
      ['One.', 1, 3],
      ['Two.', 2, 3, 4],
      ['Three.', 5, 7],
    ],
  ],
  ['numbers within', '- One [1], two [2] and three[3].', [['One, two and three.', 1, 2, 3]]],
  ['numbers twice', '- One. [3][1][3]', [['One.', 1, 3]]],
  ['unknown numbers', '- One. [1][6][99]', [['One.', 1]]],
  ['none', '- One. [1]\n- Two.', [['One.', 1], ['Two.']]],
  ['code', '- Took `list[2]` out of it. [1]', [['Took `list[2]` out of it.', 1]]],
  ['wide brackets', '- One.【1】', [['One.', 1]]],
  ['headings and fences', '## Day\n```\n- One. [1]\n```\n---', [['One.', 1]]],
  ['links', '- See [the docs](https://example.com/a_(b)) and ![a](b "c"). [1]', [['See the docs and a.', 1]]],
  ['what cannot be seen', '- O\u202en\u200be\u{e0041}.\x1b[31m [1]\r\n', [['One.', 1]]],
  ['emoji and other scripts', '- 👩‍💻 船が出た。[1]', [['👩‍💻 船が出た。', 1]]],
])('%s', (_, text, wanted) => {
  expect(parseAnswer(text, KNOWN, false).map((line) => [line.text, ...line.numbers])).toEqual(wanted)
})

test('an answer that was cut off loses the half sentence at its end', () => {
  const text = '- One. [1]\n- Two was ab'
  expect(parseAnswer(text, KNOWN, true)).toHaveLength(1)
  expect(parseAnswer(text, KNOWN, false)).toHaveLength(2)
  expect(parseAnswer('- One was ab', KNOWN, true)).toHaveLength(1)
})

describe('whatever comes', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '1',
      '7',
      '-',
      ',',
      '`',
      '\n',
      ' ',
      'a',
      '<',
      '\x1b',
      '\u202e',
      '船',
      '😀',
      '\ud800',
    ),
    maxLength: 200,
  })

  test('an answer becomes plain lines with known numbers, within bounds', () => {
    fc.assert(
      fc.property(text, (answer) => {
        const lines = parseAnswer(answer, KNOWN, false)
        expect(lines.every(({ numbers }) => numbers.every((number) => KNOWN.has(number)))).toBe(true)
        expect(lines.every((line) => !/[\n\x1b\u202e\ud800]/u.test(line.text) && line.text !== '')).toBe(true)
        expect(lines.reduce((sum, line) => sum + tokensOf(lineText(line)), 0)).toBeLessThanOrEqual(KEPT_TOKENS_MAX)
      }),
    )
  })

  test('a line stays one line, and nothing in it looks like one of our numbers', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const { lines, heading } = prepareTask(taskOf('one', texts, texts[0]), plainRedactor())
        const prompt = promptText({ stage: 'whole', heading, lines, language: null, instructions: null })
        expect(prompt.split('\n')).toHaveLength(5 + lines.length)
        expect([...prompt.matchAll(/\[\s*\d[\d\s,;–-]*\]/g)]).toHaveLength(lines.length)
        expect(lines.every(({ text: line }) => plainLine(line) === line)).toBe(true)
      }),
    )
  })

  test('parts hold every line once, in order, and fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 }), { maxLength: 60 }),
        fc.integer({ min: 100, max: 1000 }),
        (texts, most) => {
          const lines = texts.map((one, index) => ({ text: one, numbers: [index + 1] }))
          const parts = partsOf(lines, most)
          expect(parts.flat()).toEqual(lines)
          const sizes = parts.map((part) => part.reduce((sum, line) => sum + tokensOf(`${lineText(line)}\n`), 0))
          expect(parts.every((part, index) => part.length === 1 || (sizes[index] ?? 0) <= most)).toBe(true)
        },
      ),
    )
  })

  test('a text is cut to what it may be, between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.integer({ min: 5, max: 100 }), (one, most) => {
        const cut = cutToTokens(one, most)
        expect(tokensOf(cut)).toBeLessThanOrEqual(most)
        expect(/\p{Cs}/u.test(cut)).toBe(false)
        if (tokensOf(one) <= most) expect(cut).toBe(one)
      }),
    )
  })
})

test.each(['[', '[1', '`', '](', '[a](', '( ', ' ', '\n- ', '\x1b]', '<think>', '[1,'])(
  '1 MB of %j takes no longer than it should',
  (piece) => {
    const hostile = piece.repeat(Math.ceil((1 << 20) / piece.length))
    const started = performance.now()
    parseAnswer(hostile, KNOWN, false)
    prepareTask(taskOf('one', [hostile]), plainRedactor())
    expect(performance.now() - started).toBeLessThan(2000)
  },
)

test('a mark does not stand in the text it is put around', () => {
  const marks = new Set(Array.from({ length: 100 }, () => unguessableMark('')))
  expect(marks.size).toBe(100)
  expect([...marks].every((mark) => /^lines-[0-9a-f]{24}$/.test(mark))).toBe(true)
})

test.each<readonly [string | null, number | null]>([
  [null, null],
  ['2', 2000],
  ['0.5', 500],
  ['Thu, 01 Jan 1970 00:00:03 GMT', 2000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', null],
  ['soon', null],
  ['-1', null],
])('retry-after %j', (header, wanted) => {
  expect(retryAfterMs(header, 1000)).toBe(wanted)
})
