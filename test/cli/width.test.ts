// Texts are measured quickly where letters stand alone; this is the proof that the quick way and the plain way agree.

import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { clustersOf, cutStartTo, cutTo, expandTabs, pad, padStart, widthOf } from '../../src/render/width.ts'
import { randomOf } from '../random.ts'

const PIECES = [
  ...'aZ~ 09|é߀ßøŁ—…“日本語のカタ한글、。ａＢｱﾞ',
  'e\u0301',
  '☀️',
  '☀',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '1️⃣',
  'नमस्ते',
  'สวัสดี',
  '\u200d',
  '\ud83d',
  '\u1100\u1161',
  '\u0300',
]

describe('a text', () => {
  const random = randomOf(20_261_115)
  const texts = Array.from({ length: 3000 }, () =>
    Array.from({ length: random.below(24) }, () => random.pick(PIECES)).join(''),
  )

  test('is taken apart as the platform does it, also where that is not asked', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    const plain = [...'a ~é—日の한→⌘─✓☀❤�🌊🎉🚀🫠', '\ufe0f', '\ufe0f']
    const marked = Array.from({ length: 3000 }, () =>
      Array.from({ length: random.below(12) }, () => random.pick(plain)).join(''),
    )
    const wrong = [...texts, ...marked].filter(
      (text) =>
        [...clustersOf(text)].join('\n') !== [...segmenter.segment(text)].map(({ segment }) => segment).join('\n'),
    )
    expect(wrong).toEqual([])
  })

  test('of one character is, also as an emoji, as wide as string-width says', () => {
    const wrong: string[] = []
    for (const [from, to] of [
      [0x20, 0xd7ff],
      [0x1f000, 0x1ffff],
    ] as const) {
      for (let point = from; point <= to; point++) {
        const one = String.fromCodePoint(point)
        for (const text of [one, `${one}\ufe0f`]) {
          if (widthOf(text) !== stringWidth(text)) wrong.push(`${point.toString(16)} ${text.length}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('of many is as wide as string-width says', () => {
    for (const text of texts) expect(widthOf(text), JSON.stringify(text)).toBe(stringWidth(text))
  })

  test('is cut only where it does not fit, and then it fits', () => {
    for (const text of texts) {
      const columns = 1 + random.below(30)
      for (const cut of [cutTo(text, columns), cutStartTo(text, columns)]) {
        expect(stringWidth(cut), JSON.stringify([text, cut])).toBeLessThanOrEqual(columns)
        if (stringWidth(text) <= columns) expect(cut).toBe(text)
      }
      expect(stringWidth(pad(cutTo(text, columns), columns))).toBe(columns)
      expect(stringWidth(padStart(cutStartTo(text, columns), columns))).toBe(columns)
    }
  })

  test('keeps its beginning or its end', () => {
    expect(cutTo('tidewatch', 5)).toBe('tide…')
    expect(cutTo('two words', 5)).toBe('two…')
    expect(cutStartTo('/home/ada/tidewatch', 11)).toBe('…/tidewatch')
    expect(cutTo('☀️☀️☀️', 5)).toBe('☀️☀️…')
    expect(cutTo('日本語', 4)).toBe('日…')
    expect([cutTo('x', 0), cutStartTo('x', 0), cutTo('', 5)]).toEqual(['', '', ''])
  })
})

test('tabs become spaces up to the next stop, however many there are', () => {
  expect(expandTabs('1\tone\n10\tten\n\tin\n12345678\tfar')).toBe(
    '1       one\n10      ten\n        in\n12345678        far',
  )
  expect(expandTabs('日本\tx')).toBe('日本    x')
  expect(expandTabs('\t'.repeat(100_000))).toHaveLength(800_000)
})
