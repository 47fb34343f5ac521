// The searches over raw bytes: what they look for, and that they never pass over a line that holds a match.

import { closeSync, openSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeSearch, exactSearch, foldedSearch } from '../../src/search/scan-bytes.ts'
import { candidateLines } from '../../src/search/scan-lines.ts'
import { requiredTexts } from '../../src/search/scan-literal.ts'
import { runsOf } from '../../src/search/scan-prefilter.ts'
import { newWindow, readLines } from '../../src/source/lines.ts'
import { exact, exactAnyCase, newFolder, regex, regexAnyCase, writeTarget } from './scan-case.ts'

describe('the run of characters that is looked for', () => {
  test.each([
    ['needle', exact('needle'), ['needle']],
    ['quotes and backslashes', exact('say "hello\\there"'), ['hello']],
    ['line ends and tabs', exact('one\ntwo\tthree'), ['three']],
    ['slashes', exact('src/search/scan.ts'), ['scan.ts']],
    ['more bytes, not more characters', exact('abcd"日本'), ['日本']],
    ['what decoding may have made', exact('ab\ufffdc'), ['ab']],
    ['half a pair', exact('ab\ud83cc'), ['ab']],
    ['a whole pair', exact('"🌊"'), ['🌊']],
    ['nothing but quotes', exact('"\\"'), null],
    ['only ASCII when case is ignored', exactAnyCase('Ünïcode'), ['code']],
    ['slashes when case is ignored', exactAnyCase('src/search/scan.ts'), ['scan.ts']],
    ['nothing in ASCII', exactAnyCase('Ü'), null],
    ['a long one is cut', exact('x'.repeat(1000)), ['x'.repeat(64)]],
    ['a regex', regex('foo\\d+barbaz'), ['barbaz']],
    ['a regex with alternatives', regex('error|warn(ing)?'), ['error', 'warn']],
    ['a regex in which one alternative requires nothing', regex('error|\\d'), null],
    ['a regex without case', regexAnyCase('Straße \\d+'), ['Stra']],
  ])('%s', (_, pattern, runs) => {
    expect(runsOf(pattern)).toEqual(runs)
  })
})

describe('what a regex requires', () => {
  test.each<[string, readonly (readonly string[])[] | null]>([
    ['abc', [['abc']]],
    ['ab*c', [['a', 'c']]],
    ['ab+c', [['ab', 'c']]],
    ['ab?c', [['a', 'c']]],
    ['ab{2,3}c', [['a', 'c']]],
    ['ab{0}?c', [['a', 'c']]],
    ['a.c', [['a', 'c']]],
    ['a\\.c', [['a.c']]],
    ['a\\d\\wc', [['a', 'c']]],
    ['a\\x41b\\u0041c\\u{1f30a}d', [['a', 'b', 'c', 'd']]],
    ['\\cAb', [['b']]],
    ['(abc)d', [['d']]],
    ['(?:a|b)d', [['d']]],
    ['(a(b)c)*d', [['d']]],
    ['(?<name>a)\\k<name>b', [['b']]],
    ['(?<=a)b(?!c)', [['b']]],
    ['[abc]d', [['d']]],
    ['[a\\]b]d', [['d']]],
    ['[(]d', [['d']]],
    ['\\(d', [['(d']]],
    ['\\p{Lu}d', [['d']]],
    ['a|b', [['a'], ['b']]],
    ['a|[b]', null],
    ['(a)', null],
    ['^$', null],
    ['🌊*d', [['d']]],
    ['(a)\\1b', [['b']]],
    ['(a)\\12b', [['b']]],
    ['a{b', [['a', 'b']]],
  ])('%s', (source, required) => {
    expect(requiredTexts(source)).toEqual(required)
  })

  const atom = fc.constantFrom('a', 'b', 'c', '.', '\\w', '[ab]', '[^a]', '\\.', '^', '\\b', 'é', '🌊', '\\n', '\\x61')
  const source: fc.Arbitrary<string> = fc.letrec<{ regex: string; piece: string }>((tie) => ({
    regex: fc.array(tie('piece'), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
    piece: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      atom,
      fc
        .tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{0,1}', '*?', '+?'))
        .map(([one, quantifier]) => (one === '^' || one === '\\b' ? one : one + quantifier)),
      tie('regex').map((inner) => `(${inner})`),
      fc.tuple(tie('regex'), tie('regex')).map(([one, other]) => `(?:${one}|${other})?`),
      fc.tuple(tie('regex'), tie('regex')).map(([one, other]) => `${one}|${other}`),
      tie('regex').map((inner) => `(?=${inner})`),
    ),
  })).regex
  const subject = fc.array(fc.constantFrom('a', 'b', 'c', '.', 'é', '🌊', '\n', 'x'), { maxLength: 12 })

  test('is in every text that matches', () => {
    let matched = 0
    fc.assert(
      fc.property(source, subject, (pattern, characters) => {
        const text = characters.join('')
        const required = requiredTexts(pattern)
        if (required === null || !new RegExp(pattern, 'mu').test(text)) return true
        matched++
        return required.some((texts) => texts.every((one) => text.includes(one)))
      }),
      { numRuns: 10_000 },
    )
    expect(matched).toBeGreaterThan(150)
  })
})

describe('each search finds what a plain loop finds', () => {
  const bytes = fc.array(fc.constantFrom(...'aaAbQ\n'), { maxLength: 60 }).map((all) => all.join(''))
  const run = fc.array(fc.constantFrom(...'aaAbQ'), { minLength: 1, maxLength: 10 }).map((all) => all.join(''))

  test('as written', () => {
    fc.assert(
      fc.property(bytes, run, fc.nat(60), (text, needle, from) => {
        expect(exactSearch(Buffer.from(needle))(Buffer.from(text), from)).toBe(text.indexOf(needle, from))
      }),
      { numRuns: 5000 },
    )
  })

  test('in either case', () => {
    fc.assert(
      fc.property(bytes, run, fc.nat(60), (text, needle, from) => {
        const lower = needle.toLowerCase()
        const expected = from > text.length ? -1 : text.toLowerCase().indexOf(lower, from)
        expect(foldedSearch(Buffer.from(lower))(Buffer.from(text), from)).toBe(expected)
      }),
      { numRuns: 5000 },
    )
  })

  test.each([
    ['lower case digits', '\\u00e9', [0xe9], 0],
    ['upper case digits', 'x\\u00E9', [0xe9], 1],
    ['another character', '\\u00e8', [0xe9], -1],
    ['a control character before it', '\\u001b[31m\\u0061', [0x61], 10],
    ['cut off', '\\u00e', [0xe9], -1],
    ['no digits', '\\u00zz \\u0061', [0x61], 7],
    ['a digit that is none of the characters', '\\u0010', [0x61], -1],
    ['half a pair', '\\ud83c\\udf0a', [0xdf0a], 6],
  ])('escapes: %s', (_, text, units, found) => {
    expect(escapeSearch(new Set(units))(Buffer.from(text), 0)).toBe(found)
  })
})

test('lines are cut as source cuts them, whatever the window', () => {
  const folder = newFolder()
  const line = fc.array(fc.constantFrom('a', 'bc', '\\u0061', '-'.repeat(30), 'é', '\r'), { maxLength: 12 })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.boolean(),
      fc.integer({ min: 20, max: 200 }),
      (all, isEnded, windowBytes) => {
        const text = all.map((parts) => parts.join('')).join('\n') + (isEnded ? '\n' : '')
        const { path } = writeTarget(folder, 'lines.jsonl', text)
        const searches = [exactSearch(Buffer.from('bc')), escapeSearch(new Set([0x61]))]
        const fd = openSync(path, 'r')
        const wanted = (bytes: Uint8Array | null): boolean => /bc|\\u0061/.test(String(bytes))
        const plain = [...copied(readLines(fd))]
        const every = {
          searches: [(found: Buffer, from: number) => (from < found.length ? from : -1)],
          overlapBytes: 0,
        }
        expect([...copied(candidateLines(fd, every, newWindow(windowBytes)))]).toEqual(plain)
        expect([...copied(candidateLines(fd, { searches, overlapBytes: 6 }, newWindow(windowBytes)))]).toEqual(
          plain.filter(({ bytes }) => wanted(bytes)),
        )
        closeSync(fd)
      },
    ),
    { numRuns: 1500 },
  )
})

function* copied(lines: ReturnType<typeof readLines>): ReturnType<typeof readLines> {
  for (const line of lines) yield { ...line, bytes: line.bytes === null ? null : Buffer.from(line.bytes) }
}
