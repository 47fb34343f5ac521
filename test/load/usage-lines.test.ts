// The quick way to the tokens of a file gives what the exact one gives, on every genuine line, on the sample, and on
// lines that were damaged; and the bytes they are packed into give them back.

import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { plainLine, readUsageLines } from '../../src/load/usage-lines.ts'
import { packUsage, unpackUsage, unpackUsageRuns } from '../../src/load/usage-pack.ts'
import type { UsageRecord } from '../../src/record/usage-record.ts'
import { usagePagesOf } from '../../src/search/usage-page.ts'
import { readLines } from '../../src/source/lines.ts'
import { corpus } from '../corpus/corpus.ts'
import { record, usage } from '../digest/usage-case.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clew-usage-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const sample = join(import.meta.dirname, '../../sample')
const SMALL = 300

function quick(path: string, readBytes?: number): readonly UsageRecord[] {
  return reading(path, (fd, add) => readUsageLines(fd, add, readBytes))
}

function plain(path: string): readonly UsageRecord[] {
  return reading(path, (fd, add) => {
    for (const line of readLines(fd)) plainLine(line, add)
  })
}

function reading(path: string, read: (fd: number, add: (record: UsageRecord) => void) => void): readonly UsageRecord[] {
  const records: UsageRecord[] = []
  const fd = openSync(path, 'r')
  try {
    read(fd, (record) => records.push(record))
  } finally {
    closeSync(fd)
  }
  return records
}

function quickOf(bytes: Uint8Array, readBytes?: number): readonly [readonly UsageRecord[], readonly UsageRecord[]] {
  const path = join(scratch, 'one.jsonl')
  writeFileSync(path, bytes)
  return [quick(path, readBytes), plain(path)]
}

function transcriptsBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return names.map((name) => join(folder, name))
}

test('the sample, whatever is read at once', () => {
  for (const path of transcriptsBelow(sample)) {
    const expected = plain(path)
    expect(expected.length, path).toBeGreaterThan(0)
    expect(quick(path), path).toEqual(expected)
    expect(quick(path, SMALL), path).toEqual(expected)
  }
})

describe.runIf(corpus !== null)('every genuine line', () => {
  test('of both corpora', () => {
    let records = 0
    for (const path of transcriptsBelow(corpus ?? '')) {
      const expected = plain(path)
      records += expected.length
      expect(quick(path), path).toEqual(expected)
    }
    expect(records).toBeGreaterThan(4000)
  })
})

const ASSISTANT = {
  type: 'assistant',
  uuid: 'u1',
  sessionId: 's',
  timestamp: '2026-11-14T09:00:00.000Z',
  cwd: '/home/ada',
  message: {
    id: 'm1',
    model: 'claude-opus-5',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'hello' }],
    usage: { input_tokens: 3, output_tokens: 9, cache_creation: { ephemeral_1h_input_tokens: 4 } },
  },
}
const LINE = JSON.stringify(ASSISTANT)

describe('lines that take more care', () => {
  const cases: Readonly<Record<string, readonly [string | Buffer, number]>> = {
    'with spaces': [JSON.stringify(ASSISTANT, null, 1).replaceAll('\n', ' '), 1],
    'with a folder outside of ASCII': [LINE.replace('/home/ada', '/home/ada/Größe'), 1],
    'with the same key twice': [LINE.replace('"uuid"', '"type":"user","uuid"'), 0],
    'with usage in a tool’s input': [LINE.replace('"text":"hello"', '"input":{"usage":{"input_tokens":7}}'), 1],
    'inside of a progress record': [JSON.stringify({ type: 'progress', data: { message: ASSISTANT } }), 0],
    'as a text in a prompt': [JSON.stringify({ type: 'user', message: { content: LINE } }), 0],
    'glued to another': [LINE + LINE, 2],
    'behind a torn one': [LINE.slice(0, 90) + LINE, 1],
    torn: [LINE.slice(0, -20), 0],
    'behind a byte order mark': [`\ufeff${LINE}`, 1],
    'with a line end of Windows': [`${LINE}\r`, 1],
    'with bytes that are not UTF-8': [Buffer.concat([Buffer.from(LINE.slice(0, -1)), Buffer.from([0x22, 0xff])]), 0],
    synthetic: [LINE.replace('claude-opus-5', '<synthetic>'), 0],
    'without tokens': [LINE.replace(/"usage":\{.*?\}\}/, '"usage":{"input_tokens":0}'), 0],
    'with tokens that are no numbers': [LINE.replace('"input_tokens":3', '"input_tokens":"3"'), 1],
    'with no message': ['{"type":"assistant","message":null}', 0],
  }
  test.each(Object.entries(cases))('%s', (_, [line, count]) => {
    for (const end of ['', '\n', `\n${LINE}\n`]) {
      const [found, expected] = quickOf(Buffer.concat([Buffer.from(line as string), Buffer.from(end)]))
      expect(found).toEqual(expected)
      expect(found.length).toBe(count + (end.length > 1 ? 1 : 0))
    }
  })

  test('writes for an hour are among all writes', () => {
    const [found] = quickOf(Buffer.from(LINE))
    expect(found[0]?.usage).toEqual(usage(3, 9, 0, 4, 4))
  })
})

test('thousands of damaged files', () => {
  let records = 0
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomOf(seed)
    const made = randomRecords(random, 's').map((one) => withTokens(one, seed))
    const [found, expected] = quickOf(damage(bytesOf(made), random), seed % 2 === 0 ? SMALL : undefined)
    expect(found, `seed ${seed}`).toEqual(expected)
    records += found.length
  }
  expect(records).toBeGreaterThan(1000)
})

function withTokens<Value>(one: Value, seed: number): Value {
  const body = one as { readonly type?: unknown; readonly message?: object }
  if (body.type !== 'assistant') return one
  const message = {
    ...body.message,
    id: `m${seed % 3}`,
    usage: { input_tokens: 1 + (seed % 5), output_tokens: seed % 7 },
  }
  return { ...one, message }
}

const times = fc.oneof(fc.constant(null), fc.integer(), fc.constantFrom(8.64e15, -1, 0.5, 1e15))
const counts = fc.oneof(fc.nat(), fc.constantFrom(0, 1e300, 0.1, 2 ** 53))
const anyUsage = fc.tuple(counts, counts, counts, counts, counts).map((fields) => usage(...fields))
const texts = fc.constantFrom('a', 'b', null, '', 'ü', '0b0f4e1c-0000-4000-8000-000000000000')
const anyRecord = fc
  .record({
    key: texts,
    line: fc.nat(),
    model: texts,
    timestampMs: times,
    sessionId: texts,
    agentId: texts,
    agentType: texts,
    cwd: texts,
    rate: texts,
    isSidechain: fc.boolean(),
    isFork: fc.boolean(),
    isFinal: fc.boolean(),
    usage: anyUsage,
  })
  .map(({ key, ...more }) => record(key, more))

test('packed and unpacked, any records come back', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), (records) => {
      expect(unpackUsage(packUsage(records))).toEqual(records)
    }),
  )
})

test('runs hold as many records, and the highest of each field', () => {
  fc.assert(
    fc.property(fc.array(anyRecord), (records) => {
      const runs = unpackUsageRuns(packUsage(records))
      expect(runs.reduce((sum, run) => sum + run.records, 0)).toBe(records.length)
      expect(Math.max(0, ...runs.map((run) => run.usage.outputTokens))).toBe(
        Math.max(0, ...records.map((one) => one.usage.outputTokens)),
      )
    }),
  )
})

test('pages end where they would have ended had all been read at once', () => {
  const all = Array.from({ length: 2500 }, (_, line) => record(`m${line >> 1}`, { line }))
  const sizes = (pages: readonly Uint8Array[]): readonly number[] => pages.map((page) => unpackUsage(page).length)
  expect(sizes(usagePagesOf(all, 0))).toEqual([1024, 1024, 452])
  expect(sizes(usagePagesOf(all.slice(1000), 1000))).toEqual([24, 1024, 452])
})
