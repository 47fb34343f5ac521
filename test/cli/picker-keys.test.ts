// What a terminal sends, in whatever pieces it arrives.

import { describe, expect, test } from 'vitest'
import type { Key } from '../../src/cli/keys.ts'
import { openKeys } from '../../src/cli/keys.ts'
import { randomOf } from '../random.ts'

const ESC = '\u001b'

/** `up`, `text(é)`, `paste(a b)`. */
function told(keys: readonly Key[]): string {
  return keys.map((key) => ('text' in key ? `${key.name}(${key.text})` : key.name)).join(' ')
}

function readAll(reads: readonly (string | Uint8Array)[]): string {
  const keys = openKeys()
  const found = reads.flatMap((one) => keys.push(typeof one === 'string' ? Buffer.from(one) : one))
  return told([...found, ...keys.flush()])
}

const SEQUENCES: readonly (readonly [string, string])[] = [
  ['r', 'text(r)'],
  ['tide', 'text(tide)'],
  ['é日👨‍👩‍👧ش', 'text(é日👨‍👩‍👧ش)'],
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u0003', 'ctrl-c'],
  ['\u0004', 'ctrl-d'],
  ['\u0006', 'ctrl-f'],
  ['\u000c', 'ctrl-l'],
  ['\u000e', 'ctrl-n'],
  ['\u0010', 'ctrl-p'],
  ['\u0012', 'ctrl-r'],
  ['\u0015', 'ctrl-u'],
  ['\u0017', 'word-backspace'],
  ['\u001a', 'ctrl-z'],
  [`${ESC}\u007f`, 'word-backspace'],
  [`${ESC}[A`, 'up'],
  [`${ESC}[B`, 'down'],
  [`${ESC}OA`, 'up'],
  [`${ESC}OB`, 'down'],
  [`${ESC}OM`, 'enter'],
  [`${ESC}[H`, 'home'],
  [`${ESC}[F`, 'end'],
  [`${ESC}OH`, 'home'],
  [`${ESC}OF`, 'end'],
  [`${ESC}[1~`, 'home'],
  [`${ESC}[4~`, 'end'],
  [`${ESC}[7~`, 'home'],
  [`${ESC}[8~`, 'end'],
  [`${ESC}[5~`, 'page-up'],
  [`${ESC}[6~`, 'page-down'],
  [`${ESC}[1;2A`, 'scroll-up'],
  [`${ESC}[1;5B`, 'scroll-down'],
  [`${ESC}[1;3B`, 'scroll-down'],
  [`${ESC}[6;2~`, 'scroll-down'],
  [`${ESC}${ESC}[A`, 'scroll-up'],
  [`${ESC}${ESC}OB`, 'scroll-down'],
  [`${ESC}[200~two\nlines ${ESC}[31m日${ESC}[201~`, `paste(two\nlines ${ESC}[31m日)`],
  [`${ESC}[200~${ESC}[201~`, 'paste()'],
]

/** Nothing of these may reach the filter. */
const UNKNOWN: readonly (readonly [string, string])[] = [
  ['other control characters', '\u0000\u0001\u0002\u0005\u001c\u001f'],
  ['left and right', `${ESC}[C${ESC}[D${ESC}OC${ESC}OD`],
  ['insert and delete', `${ESC}[2~${ESC}[3~`],
  ['function keys', `${ESC}OP${ESC}OS${ESC}[15~${ESC}[24;5~${ESC}[[A${ESC}[[E`],
  ['Shift-Tab', `${ESC}[Z`],
  ['Alt and a letter', `${ESC}x${ESC}R${ESC}/`],
  ['a mouse', `${ESC}[<0;10;20M${ESC}[<0;10;20m`],
  ['the focus', `${ESC}[I${ESC}[O`],
  ['where the cursor is', `${ESC}[24;80R`],
  ['what the terminal is', `${ESC}[?62;22c${ESC}[>1;10;0c`],
  ['a colour', `${ESC}]11;rgb:0000/0000/0000\u0007${ESC}]10;rgb:ffff/ffff/ffff${ESC}\\`],
  ['device control', `${ESC}P>|tmux 3.3a${ESC}\\`],
  ['other keyboards', `${ESC}[97;5u${ESC}[27;5;13~`],
]

describe('keys', () => {
  test.each(SEQUENCES)('%j', (sent, expected) => {
    expect(readAll([sent])).toBe(expected)
  })

  test.each(SEQUENCES)('%j byte by byte', (sent, expected) => {
    expect(joined(readAll([...Buffer.from(sent)].map((byte) => Uint8Array.of(byte))))).toBe(expected)
  })

  test.each(UNKNOWN)('%s say nothing', (_, sent) => {
    expect(readAll([`a${sent}b`])).toBe('text(ab)')
    expect(joined(readAll(Array.from(`a${sent}b`)))).toBe('text(ab)')
  })

  test('any split of any stream gives the same keys', () => {
    const random = randomOf(20_261_115)
    const pieces = [...SEQUENCES, ...UNKNOWN.map(([, sent]) => [sent, ''] as const)]
    for (let time = 0; time < 500; time++) {
      const chosen = Array.from({ length: 1 + random.below(8) }, () => random.pick(pieces))
      const bytes = Buffer.from(chosen.map(([sent]) => sent).join(''))
      const expected = joined(
        chosen
          .map(([, key]) => key)
          .filter((key) => key !== '')
          .join(' '),
      )
      const reads: Uint8Array[] = []
      for (let at = 0; at < bytes.length; ) {
        const length = 1 + random.below(6)
        reads.push(bytes.subarray(at, at + length))
        at += length
      }
      expect(joined(readAll(reads)), JSON.stringify(reads.map(String))).toBe(expected)
    }
  })
})

describe('Esc', () => {
  test('is told from a sequence by time alone', () => {
    const keys = openKeys()
    expect(told(keys.push(Buffer.from(ESC)))).toBe('')
    expect(keys.patienceMs()).toBeGreaterThan(10)
    expect(keys.patienceMs()).toBeLessThan(200)
    expect(told(keys.flush())).toBe('escape')
    expect(keys.patienceMs()).toBe(null)
    expect(told(keys.push(Buffer.from('[A')))).toBe('text([A)')
  })

  test('pressed twice is two of them', () => {
    expect(readAll([ESC, ESC])).toBe('escape escape')
    expect(readAll([`${ESC}${ESC}`])).toBe('escape escape')
    expect(readAll([`${ESC}${ESC}\r`])).toBe('escape')
  })

  test('an unfinished sequence is no Esc and no letters', () => {
    for (const broken of [`${ESC}[`, `${ESC}[1;`, `${ESC}O`, `${ESC}]0;title`, `${ESC}P`])
      expect(readAll([broken])).toBe('')
  })

  test('Ctrl-C gets through an unfinished sequence', () => {
    expect(readAll([`${ESC}[1;\u0003`])).toBe('ctrl-c')
  })
})

describe('a paste', () => {
  test('waits for its end, and longer than a sequence does', () => {
    const keys = openKeys()
    expect(told(keys.push(Buffer.from(`${ESC}[200~tide\u0003`)))).toBe('')
    expect(keys.patienceMs()).toBeGreaterThan(500)
    expect(told(keys.push(Buffer.from(`table${ESC}[20`)))).toBe('')
    expect(told(keys.push(Buffer.from('1~r')))).toBe('paste(tide\u0003table) text(r)')
  })

  test('that never ends is taken as it is', () => {
    expect(readAll([`${ESC}[200~tide`])).toBe('paste(tide)')
  })
})

test('bytes that are no UTF-8 are left out, and nothing with them', () => {
  expect(readAll([Uint8Array.of(0x61, 0xff, 0x62)])).toBe('text(ab)')
  expect(readAll([Uint8Array.of(0x61, 0x80, 0xc3, 0x62, 0xe6, 0x97)])).toBe('text(ab)')
  expect(readAll([Uint8Array.of(0xed, 0xa0, 0x80, 0x62)])).toBe('text(b)')
  expect(readAll([Uint8Array.of(0xf0, 0x9f, 0x03)])).toBe('ctrl-c')
})

/** Letters in a row are one text, however they were read. */
function joined(keys: string): string {
  return keys.replaceAll(/\)( text\()/g, '')
}
