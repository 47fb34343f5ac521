// One file and what is found in it: which field, which position, and what is left of damage.

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSearch, scanFile } from '../../src/search/scan-file.ts'
import type { ScanPattern } from '../../src/search/scan-model.ts'
import { compilePattern } from '../../src/search/scan-pattern.ts'
import { matchSpill } from '../../src/search/scan-spill.ts'
import { exact, exactAnyCase, hitsIn, newFolder, regex, writeTarget } from './scan-case.ts'

const folder = newFolder()

const user = (content: unknown, more: object = {}): string =>
  JSON.stringify({ type: 'user', uuid: 'u1', timestamp: '2026-11-15T18:16:07.087Z', message: { content }, ...more })
const block = (text: string): object => ({ type: 'text', text })

describe('the field a reader sees comes first', () => {
  test.each([
    ['a text', user('a needle'), 'message.content', 1],
    ['a Block', user([block('hay'), block('needle, needle')]), 'message.content.1.text', 2],
    ['a tool input', user([{ type: 'tool_use', input: { command: 'needle' } }]), 'message.content.0.input.command', 1],
    [
      'a result that is there twice',
      user([{ type: 'tool_result', content: 'needle' }], { toolUseResult: { stdout: 'needle' } }),
      'message.content.0.content',
      1,
    ],
    ['only the result', user('hay', { toolUseResult: { stdout: 'needle needle' } }), 'toolUseResult.stdout', 2],
    [
      'an attachment before a result',
      user('', { toolUseResult: 'needle', attachment: { a: 'needle' } }),
      'attachment.a',
      1,
    ],
    ['progress', JSON.stringify({ type: 'progress', data: { message: { x: 'needle' } } }), 'data.message.x', 1],
    ['a summary', JSON.stringify({ type: 'summary', summary: 'needle', leafUuid: 'needle' }), 'summary', 1],
    ['an id', JSON.stringify({ type: 'summary', leafUuid: 'needle' }), 'leafUuid', 1],
    ['an unknown type', JSON.stringify({ type: 'brand-new', deep: [[{ a: 'needle' }]] }), 'deep.0.0.a', 1],
    ['a picture last', user([{ source: { data: 'needle' } }], { toolUseResult: ['needle'] }), 'toolUseResult.0', 1],
    [
      'a question that is a key',
      user('', { toolUseResult: { 'Which needle?': 'x' } }),
      'toolUseResult.Which needle?',
      1,
    ],
  ])('%s', (_, line, field, count) => {
    const hits = hitsIn(writeTarget(folder, 'field.jsonl', `${line}\n`), exact('needle'))
    expect(hits.map((hit) => [hit.field, hit.count])).toEqual([[field, count]])
  })

  test('names of the format are no text', () => {
    const target = writeTarget(folder, 'names.jsonl', `${user('hay')}\n`)
    expect(hitsIn(target, exact('message'))).toEqual([])
    expect(hitsIn(target, exact('timestamp'))).toEqual([])
  })
})

describe('where it stands', () => {
  const record = user('a needle')
  const size = Buffer.byteLength(record)
  const HAY = `${user('hay')}\n`
  test.each<[string, string | Buffer, readonly (readonly [number, number, number])[]]>([
    ['the first line', `${record}\n`, [[1, 0, size + 1]]],
    ['behind others', `${HAY}${HAY}${record}\n${HAY}`, [[3, 2 * HAY.length, size + 1]]],
    [
      'twice',
      `${record}\n${HAY}${record}\n`,
      [
        [1, 0, size + 1],
        [3, size + 1 + HAY.length, size + 1],
      ],
    ],
    ['without a line end', `${HAY}${record}`, [[2, HAY.length, size]]],
    ['CR LF', `${record}\r\n`, [[1, 0, size + 2]]],
    ['behind a byte order mark', `\ufeff${record}\n`, [[1, 3, size + 1]]],
    ['behind blank lines', `\n\n\n${record}\n`, [[4, 3, size + 1]]],
    [
      'two records on one line',
      `${record}${record}\n`,
      [
        [1, 0, size],
        [1, size, size + 1],
      ],
    ],
    ['the second of two on one line', `${HAY.trim()}${record}\n`, [[1, HAY.length - 1, size + 1]]],
    ['behind NUL bytes', Buffer.concat([Buffer.alloc(100), Buffer.from(`${record}\n`)]), [[1, 100, size + 1]]],
  ])('%s', (_, content, places) => {
    const hits = hitsIn(writeTarget(folder, 'place.jsonl', content), exact('a needle'))
    expect(hits.map(({ line, offset, length }) => [line, offset, length])).toEqual(places)
    for (const hit of hits) expect([hit.uuid, hit.timestampMs]).toEqual(['u1', Date.UTC(2026, 10, 15, 18, 16, 7, 87)])
  })
})

describe('damaged lines are searched as bytes', () => {
  test.each<[string, string | Buffer, ScanPattern]>([
    ['torn', user('a needle').slice(0, -3), exact('needle')],
    ['torn, with quotes', user('say "needle"').slice(0, -3), exact('say "needle"')],
    ['torn, with a line end', `${user('needle\nneedle').slice(0, -3)}\n`, exact('needle\nneedle')],
    ['torn, escaped', `{"text":"n\\u0065\\u0065dle\n`, exact('needle')],
    ['no JSON at all', 'needle\n', exact('needle')],
    ['a bare string', '"needle"\n', exact('needle')],
    ['an array', '["needle"]\n', exact('needle')],
    ['bytes that are no UTF-8 beside it', Buffer.from([0xff, 0xc3, ...Buffer.from('needle'), 0xe2]), exact('needle')],
    ['NUL bytes around it', Buffer.from('\0\0needle\0\0'), exact('needle')],
    ['a NUL byte in it', Buffer.from('nee\0dle'), exact('nee\0dle')],
  ])('%s', (_, content, pattern) => {
    const hits = hitsIn(writeTarget(folder, 'damaged.jsonl', content), pattern)
    expect(hits.map(({ line, count }) => [line, count])).toEqual([[1, 1]])
  })
})

describe('the excerpt', () => {
  test.each([
    ['short', 'a needle', exact('needle'), 'a needle', 'needle'],
    ['in the middle', `${'x'.repeat(500)}needle${'y'.repeat(500)}`, exact('needle'), /^x{60}needley{94}$/, 'needle'],
    ['at the end', `${'x'.repeat(500)}needle`, exact('needle'), /^x{154}needle$/, 'needle'],
    [
      'between pairs',
      `${'🌊'.repeat(99)}-needle${'🌊'.repeat(99)}`,
      exact('needle'),
      /^(?:🌊)+-needle(?:🌊)+$/u,
      'needle',
    ],
    ['a long match', `x${'y'.repeat(500)}`, regex('y+'), /^xy{159}$/, 'y'.repeat(159)],
    ['ignoring case', 'a NeeDLe', exactAnyCase('needle'), 'a NeeDLe', 'NeeDLe'],
  ])('%s', (_, content, pattern, text, match) => {
    const [hit] = hitsIn(writeTarget(folder, 'excerpt.jsonl', user(content)), pattern)
    const { excerpt } = hit ?? { excerpt: { text: '', start: 0, end: 0 } }
    expect(excerpt.text).toMatch(text)
    expect(excerpt.text.slice(excerpt.start, excerpt.end)).toBe(match)
  })
})

describe('a Spill', () => {
  const text = 'one needle\r\nneedle needle\n\nhay\nnee\ndle needle'
  const target = writeTarget(folder, 'spill.txt', text)
  const places = (pattern: ScanPattern): unknown =>
    hitsIn(target, pattern).map(({ line, offset, length, count }) => [line, offset, length, count])

  test('has a hit for each line', () => {
    expect(places(exact('needle'))).toEqual([
      [1, 0, 12, 1],
      [2, 12, 14, 2],
      [6, 35, 10, 1],
    ])
  })

  test('may match across lines', () => {
    expect(places(exact('nee\ndle'))).toEqual([[5, 31, 4, 1]])
    expect(places(regex('^h.+\\s+nee$'))).toEqual([[4, 27, 4, 1]])
  })

  test('an empty match counts once for a line', () => {
    expect(places(regex('^'))).toEqual([
      [1, 0, 12, 1],
      [2, 12, 14, 1],
      [3, 26, 1, 1],
      [4, 27, 4, 1],
      [5, 31, 4, 1],
      [6, 35, 10, 1],
    ])
  })

  test('is the same in pieces', () => {
    const odd = writeTarget(
      folder,
      'odd.txt',
      Buffer.from(`本needle\n\u{1f30a}\n${'日本needle '.repeat(9)}\n本needle\n`),
    )
    const fd = openSync(odd.path, 'r')
    const matcher = compilePattern(exact('本needle'))
    const whole = [...matchSpill(odd.path, fd, odd.sizeBytes, matcher)]
    expect(whole.map(({ line, count }) => [line, count])).toEqual([
      [1, 1],
      [3, 9],
      [4, 1],
    ])
    for (let pieceBytes = 7; pieceBytes < 80; pieceBytes++) {
      const counts = new Map<number, number>()
      for (const { line, offset, count } of matchSpill(odd.path, fd, odd.sizeBytes, matcher, {
        pieceBytes,
        aheadBytes: 12,
      })) {
        expect(offset).toBe(whole.find((hit) => hit.line === line)?.offset)
        counts.set(line, (counts.get(line) ?? 0) + count)
      }
      expect([...counts]).toEqual([
        [1, 1],
        [3, 9],
        [4, 1],
      ])
    }
    closeSync(fd)
  })
})

describe('patterns', () => {
  test.each<[string, string, ScanPattern, number]>([
    ['case counts', 'Needle', exact('needle'), 0],
    ['unless it is ignored', 'NEEDLE', exactAnyCase('needle'), 1],
    ['the Kelvin sign is a k', '3\u212a', exactAnyCase('3k'), 1],
    ['ſ is an s', 'Waſſer', exactAnyCase('wasser'), 1],
    ['É is an é', 'CAFÉ', exactAnyCase('café'), 1],
    ['a dot is a whole character', 'a🌊b', regex('a.b'), 1],
    ['^ is the beginning of a line', 'one\ntwo', regex('^two$'), 1],
    ['what is wrong with the flag u is taken without', 'a-b', regex('a\\-b'), 1],
    ['classes of Unicode', 'Éa', regex('^\\p{Lu}a'), 1],
    ['specials are none in a literal', 'a.b*c', exactAnyCase('A.B*C'), 1],
    ['specials are none in a literal, and match nothing else', 'axbbc', exactAnyCase('a.b*c'), 0],
    ['across Blocks', '', regex('one\\ntwo'), 1],
  ])('%s', (name, content, pattern, count) => {
    const line = name === 'across Blocks' ? user([block('one'), block('two')]) : user(content)
    expect(hitsIn(writeTarget(folder, 'pattern.jsonl', line), pattern).length).toBe(count)
  })
})

test('a line longer than a string can be is searched as bytes, and told', () => {
  const path = join(folder, 'long.jsonl')
  const fd = openSync(path, 'w')
  const holeBytes = 600 * 2 ** 20
  writeSync(fd, '{"text":"a \\"needle\\"')
  ftruncateSync(fd, holeBytes)
  writeSync(fd, 'another \\u006eeedle"}\n', holeBytes)
  writeSync(fd, `${user('needle')}\n`, holeBytes + 22)
  closeSync(fd)
  const target = { path, sizeBytes: holeBytes, isSpill: false }
  const found = [...scanFile(target, openSearch(exact('needle')))]
  expect(found.map((one) => ('hit' in one ? `${one.hit.line} ${one.hit.count}` : one.problem.code))).toEqual([
    '1 2',
    'line-too-long',
    '2 1',
  ])
  const quoted = [...scanFile(target, openSearch(exact('a "needle"')))]
  expect(quoted.flatMap((one) => ('hit' in one ? [one.hit.line] : []))).toEqual([1])
})

test('a text of 100 MB', () => {
  const target = writeTarget(folder, 'large.jsonl', `${user(`${'hay '.repeat(25 << 20)}"needle"`)}\n${user('needle')}`)
  expect(hitsIn(target, exact('y "needle"')).map(({ line, count }) => [line, count])).toEqual([[1, 1]])
  expect(hitsIn(target, exact('needle')).map(({ line }) => line)).toEqual([1, 2])
})
