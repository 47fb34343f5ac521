// A long record is looked at by the ends of its texts; where these tell too little, all of it is.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { shortened } from '../../src/search/shortened.ts'
import { openSearch } from './open-search.ts'

describe('cut to the ends of its texts', () => {
  const piece = fc.oneof(
    fc.constantFrom('\\', '"', '\n', '\u0000', '\\"', '\\\\', '😀', '汐', 'é', 'plain words '),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const long = fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 4000 }))
    .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 60_000))

  test('it is JSON still, and no text has other ends', () => {
    const record = fc.record({ uuid: fc.string(), one: long, two: fc.array(long, { maxLength: 3 }), 'a key': long })
    fc.assert(
      fc.property(record, fc.boolean(), (body, isEscaped) => {
        const json = JSON.stringify(body)
        const written = isEscaped ? json.replace(/[^\0-\x7f]/g, escaped) : json
        const cut = shortened(Buffer.from(written))
        if (cut === null) return
        const left = JSON.parse(cut.toString()) as typeof body
        expect(left.uuid).toBe(JSON.parse(Buffer.from(written).toString()).uuid)
        expect(cut.length).toBeLessThan(Buffer.byteLength(written))
        const whole = JSON.parse(Buffer.from(written).toString()) as typeof body
        const pairs = [
          [left.one, whole.one],
          [left['a key'], whole['a key']],
          ...left.two.map((text, at) => [text, whole.two[at]]),
        ]
        for (const [short, full] of pairs as [string, string][]) expect(isCutOf(short, full)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  /** The text itself, or its beginning, a line end and its end. */
  function isCutOf(short: string, full: string): boolean {
    if (short === full) return true
    for (let at = short.indexOf('\n'); at >= 0; at = short.indexOf('\n', at + 1)) {
      if (full.startsWith(short.slice(0, at)) && full.endsWith(short.slice(at + 1))) return true
    }
    return false
  }

  function escaped(character: string): string {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  }

  test.each([
    ['a short record', '{"a":"b"}'],
    ['no text', '12'],
    ['a text without an end', `{"a":"${'x'.repeat(50_000)}`],
    ['an end that is escaped', `{"a":"${'x'.repeat(50_000)}\\"`],
  ])('not %s', (_, json) => {
    expect(shortened(Buffer.from(json))).toBe(null)
  })
})

describe('hits in long records', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'clew-long-'))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))
  const sessionId = '5b1f3c80-0000-4000-8000-000000000001'
  const filler = 'waves roll in and out. '
  const said = `${filler.repeat(4000)}the lighthouse blinks ${filler.repeat(4000)}`
  const printed = `the beginning says pelican ${filler.repeat(20_000)} and the end says cormorant`
  const base = { sessionId, timestamp: '2026-10-01T10:00:00.000Z', isSidechain: false, cwd: '/home/ada/bay' }
  const uuid = (number: number): string => `5b1f3c80-0000-4000-8000-00000000010${number}`
  const result = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: printed }]
  const lines = [
    { ...base, type: 'user', uuid: uuid(1), parentUuid: null, message: { role: 'user', content: said } },
    { ...base, type: 'user', uuid: uuid(2), parentUuid: uuid(1), message: { role: 'user', content: result } },
  ]
  const folder = join(scratch, 'projects', '-home-ada-bay')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

  test.each([
    ['lighthouse', uuid(1)],
    ['"lighthouse blinks"', uuid(1)],
    ['pelican', uuid(2)],
    ['cormorant', uuid(2)],
  ])('%s is shown where it stands', async (typed, expected) => {
    const search = await openSearch(scratch, Date.parse('2026-11-01'))
    const { hits } = search(typed)
    expect(hits[0]?.records).toContain(expected)
    const { text, marks } = hits[0]?.snippet ?? { text: '', marks: [] }
    expect(marks.map(([from, to]) => text.slice(from, to))).toEqual([typed.replaceAll('"', '')])
    expect(text.length).toBeLessThan(300)
  })
})
