// Regexes that would take longer than the universe. The scan ends all the same, and finds what is elsewhere.

import { describe, expect, test } from 'vitest'
import { scanFiles } from './scan-built.ts'
import { newFolder, regex, regexAnyCase, writeTarget } from './scan-case.ts'

const folder = newFolder()
const line = (text: string): string => `${JSON.stringify({ type: 'user', message: { content: text } })}\n`
/** What a pattern asks for is in the record, so that no search over bytes can rule it out. */
const slowLine = (text: string): string =>
  `${JSON.stringify({ type: 'user', message: { content: text }, toolUseResult: 'a b x y 🌊' })}\n`
const END_MS = 12_000

describe('V8 has another engine for', () => {
  test.each([
    ['(a+)+$', `${'a'.repeat(50_000)}b`, 'aaa'],
    ['(\\w+\\s?)*x', 'word '.repeat(10_000), 'ex'],
    ['(x+x+)+y', 'x'.repeat(50_000), 'xxxy'],
    ['(?:a|a)*b', 'a'.repeat(50_000), 'ab'],
  ])('%s', async (source, hostile, friendly) => {
    const target = writeTarget(folder, 'linear.jsonl', line('-') + slowLine(hostile) + line(friendly) + line('-'))
    const startMs = performance.now()
    const { hits, problems } = await scanFiles([target], regex(source))
    expect(performance.now() - startMs).toBeLessThan(END_MS)
    expect(hits.map((hit) => hit.line)).toContain(3)
    expect(problems).toEqual([])
  })
})

describe('a record is left out, and told, for', () => {
  test.each([
    ['a back reference', regex('(a*)*\\1b'), 'a'.repeat(5000), 'aab'],
    ['ignored case', regexAnyCase('(\\w+\\s?)*x'), 'word '.repeat(5000), 'ex'],
    ['look-around', regex('(?=(a+)+$)a'), `${'a'.repeat(5000)}b`, 'aaa'],
    ['characters in pairs', regex('^(🌊+)+$'), `${'🌊'.repeat(5000)}b`, '🌊'],
  ])('%s', async (_, pattern, hostile, friendly) => {
    const lines = [line(friendly), slowLine(hostile), line(friendly)]
    const target = writeTarget(folder, 'slow.jsonl', lines.join(''))
    const spill = writeTarget(folder, 'slow.txt', `${friendly}\n${hostile}`)
    const other = writeTarget(folder, 'other.jsonl', line('-') + line(friendly))
    const startMs = performance.now()
    const { hits, problems, isCut } = await scanFiles([target, spill, other], pattern)
    expect(performance.now() - startMs).toBeLessThan(END_MS)
    expect(isCut).toBe(false)
    const own = hits.filter((hit) => !hit.isSpill)
    expect(own.map((hit) => [hit.path, hit.line])).toEqual([
      [target.path, 1],
      [target.path, 3],
      [other.path, 2],
    ])
    const offset = Buffer.byteLength(lines[0] ?? '')
    expect(problems[0]?.position).toEqual({
      path: target.path,
      line: 2,
      offset,
      length: Buffer.byteLength(lines[1] ?? ''),
    })
    expect(problems[0]?.message).toContain('too long')
    expect(problems.slice(1).map((found) => found.position?.path)).toEqual([spill.path])
  })
})

test('a pattern that is too slow everywhere is given up', async () => {
  const target = writeTarget(folder, 'everywhere.jsonl', line('aab') + slowLine('a'.repeat(5000)).repeat(1000))
  const { hits, problems, isCut } = await scanFiles([target], regex('(a*)*\\1b'))
  expect(hits.map((hit) => hit.line)).toEqual([1])
  expect(isCut).toBe(true)
  expect(problems.map((found) => found.position?.line)).toEqual([2, 3, 4, 5])
})

test('what was found before a slow record is found once', async () => {
  const before = Array.from({ length: 3000 }, (_, index) => line(`aab ${'hay '.repeat(500)}${index}`)).join('')
  const target = writeTarget(folder, 'once.jsonl', before + slowLine('a'.repeat(5000)) + line('aab'))
  const { hits, problems } = await scanFiles([target], regex('(a*)*\\1b'))
  expect(hits.map((hit) => hit.line)).toEqual([...Array.from({ length: 3000 }, (_, index) => index + 1), 3002])
  expect(problems.map((found) => found.position?.line)).toEqual([3001])
})
