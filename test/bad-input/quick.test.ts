// Lines that a reader which passes over what it does not need could misread, each in the record types that are read so.
// Every case compares the quick reading with the exact one (see sound.ts); here it says what both must have found.
// Timestamps stand here too: they have a quick way of their own.

import { describe, expect, test } from 'vitest'
import type { Envelope } from '../../src/record/model.ts'
import { a, textOf, u } from '../graph/transcript-of.ts'
import { codesOf, readCase } from './read-case.ts'

interface LineCase {
  readonly name: string
  readonly line: string
  readonly facts: Partial<Envelope>
  readonly problems?: string
}

const USAGE = { inputTokens: 1, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 }
const REPLY = '"type":"assistant","uuid":"X","parentUuid":"A"'
const RESULT = '"type":"user","uuid":"X","parentUuid":"A"'

const LINES: readonly LineCase[] = [
  { name: 'an escaped key', line: '{"type":"assistant","\\u0075uid":"X"}', facts: { kind: 'reply', uuid: 'X' } },
  { name: 'an escaped type', line: '{"type":"\\u0061ssistant","uuid":"X"}', facts: { kind: 'reply', uuid: 'X' } },
  {
    name: 'a key once plain and once escaped',
    line: `{${REPLY},"cwd":"/a","c\\u0077d":"/b"}`,
    facts: { kind: 'reply', cwd: '/b' },
  },
  { name: 'a key twice', line: `{${REPLY},"cwd":"/a","cwd":"/b"}`, facts: { cwd: '/b' } },
  { name: 'a key twice, the second time a number', line: `{${REPLY},"cwd":"/a","cwd":7}`, facts: { cwd: null } },
  {
    name: 'a message twice, the second time a text',
    line: `{${REPLY},"message":{"id":"m","content":[]},"message":"x"}`,
    facts: { kind: 'reply', messageId: null },
  },
  {
    name: 'a message twice, the second time a list',
    line: `{${REPLY},"message":{"id":"m","content":[]},"message":[1]}`,
    facts: { kind: 'reply', messageId: null },
  },
  {
    name: 'a message twice, both objects',
    line: `{${REPLY},"message":{"id":"m","model":"x"},"message":{"id":"n"}}`,
    facts: { messageId: 'n', model: null },
  },
  {
    name: 'content twice, the second time null',
    line: `{${REPLY},"message":{"content":[{"type":"text"}],"content":null}}`,
    facts: { blocks: [] },
  },
  {
    name: 'a message that is a list, of a fork',
    line: `{${REPLY},"message":[],"forkedFrom":{}}`,
    facts: { links: null },
  },
  { name: 'usage that is a list', line: `{${REPLY},"message":{"usage":[1]}}`, facts: { usage: null } },
  {
    name: 'usage twice, the second time a list',
    line: `{${REPLY},"message":{"usage":{"input_tokens":1},"usage":[]}}`,
    facts: { usage: null },
  },
  {
    name: 'usage with an escaped key',
    line: `{${REPLY},"message":{"usage":{"input\\u005ftokens":1}}}`,
    facts: { usage: USAGE },
  },
  {
    name: 'usage of 1e400 and -0',
    line: `{${REPLY},"message":{"usage":{"input_tokens":1,"output_tokens":1e400,"cache_read_input_tokens":-0}}}`,
    facts: { usage: { ...USAGE, cacheReadTokens: -0 } },
  },
  {
    name: 'a block type with an escape',
    line: `{${RESULT},"message":{"content":[{"type":"tool\\u005fresult","tool_use_id":"t"}]}}`,
    facts: { kind: 'tool-result' },
  },
  {
    name: 'a call of Task whose name has an escape',
    line: `{${REPLY},"message":{"content":[{"type":"tool_use","id":"t","name":"T\\u0061sk","input":{"prompt":"x"}}]}}`,
    facts: { blocks: ['tool_use'] },
  },
  {
    name: 'attachment twice, the second time a queued command',
    line: '{"type":"attachment","uuid":"X","attachment":{"type":"x"},"attachment":{"type":"queued_command","prompt":"p"}}',
    facts: { kind: 'prompt' },
  },
  {
    name: 'a type twice',
    line: '{"type":"assistant","uuid":"X","type":"user","message":{"content":"hi"}}',
    facts: { type: 'user', kind: 'prompt' },
  },
  { name: 'a lone quote in what is passed over', line: `{${REPLY},"x":{"y":["a\\"b"]}}`, facts: { uuid: 'X' } },
  {
    name: 'what is passed over, a hundred thousand deep',
    line: `{${REPLY},"x":${'[{"a":'.repeat(50_000)}0${'}]'.repeat(50_000)}}`,
    facts: { uuid: 'X' },
  },
  {
    name: 'a uuid of a million characters',
    line: `{${REPLY.replace('"X"', `"${'x'.repeat(1_000_000)}"`)}}`,
    facts: {},
  },
  { name: 'DEL in a uuid', line: `{${REPLY.replace('"X"', '"\u007f"')}}`, facts: { uuid: '\u007f' } },
  { name: 'accents in a uuid', line: `{${REPLY.replace('"X"', '"é"')}}`, facts: { uuid: 'é' } },
]

interface TimeCase {
  readonly name: string
  /** As it stands in the line; undefined for a record without one. */
  readonly written: string | undefined
  readonly ms: number | null
  readonly problems?: string
}

const bad = (name: string, written: string): TimeCase => ({ name, written, ms: null, problems: 'bad-timestamp' })
const good = (name: string, written: string, ms: number): TimeCase => ({ name, written, ms })

const TIMES: readonly TimeCase[] = [
  { name: 'no timestamp', written: undefined, ms: null },
  bad('null', 'null'),
  bad('an empty text', '""'),
  bad('a word', '"yesterday"'),
  bad('an object', '{"t":1}'),
  bad('a list', '[2026]'),
  bad('true', 'true'),
  bad('1e400', '1e400'),
  bad('nanoseconds, which no calendar reaches', '1790000000000000000'),
  bad('1e300', '1e300'),
  bad('a second of 60', '"2016-12-31T23:59:60.000Z"'),
  bad('an hour of 25', '"2026-01-01T25:00:00.000Z"'),
  bad('a month of 13', '"2026-13-01T00:00:00.000Z"'),
  bad('a day of 32', '"2026-01-32T00:00:00.000Z"'),
  bad('letters for digits', '"2026-01-01T0a:00:00.000Z"'),
  bad('milliseconds since 1970 in a text', '"1790000000000"'),
  bad('full-width digits', '"２０２６-01-01T00:00:00.000Z"'),
  good('milliseconds since 1970', '1790000000000', 1_790_000_000_000),
  good('zero', '0', 0),
  good('before 1970', '"1969-12-31T23:59:59.999Z"', -1),
  good('the year 9999', '"9999-12-31T23:59:59.999Z"', 253_402_300_799_999),
  good('the last moment there is', '"+275760-09-13T00:00:00.000Z"', 8.64e15),
  good('midnight as 24:00', '"2026-01-01T24:00:00.000Z"', Date.UTC(2026, 0, 2)),
  good(
    'the 30th of February, as Date.parse has it',
    '"2026-02-30T00:00:00.000Z"',
    Date.parse('2026-02-30T00:00:00.000Z'),
  ),
  good('a time with an offset', '"2026-01-01T02:00:00+02:00"', Date.UTC(2026, 0, 1)),
  good('a time of six decimals', '"2026-01-01T00:00:00.123456Z"', Date.UTC(2026, 0, 1, 0, 0, 0, 123)),
  good('a day alone', '"2026-01-01"', Date.UTC(2026, 0, 1)),
]

const A = u('A', null)
const Z = a('Z', 'A')

describe('the quick reading', () => {
  for (const { name, line, facts, problems = '' } of LINES)
    test(name, () => {
      const found = readCase(textOf([A, `${line}\n`, Z]))
      expect(found.loaded.transcript.envelopes).toMatchObject([{ uuid: 'A' }, facts, { uuid: 'Z' }])
      expect(codesOf(found)).toBe(problems)
    })
})

describe('timestamps', () => {
  for (const { name, written, ms, problems = '' } of TIMES)
    test(name, () => {
      const time = written === undefined ? '' : `,"timestamp":${written}`
      for (const record of [REPLY, RESULT.replace('user', 'system')]) {
        const found = readCase(textOf([A, `{${record}${time}}\n`, Z]))
        expect(found.loaded.transcript.envelopes).toMatchObject([{ uuid: 'A' }, { timestampMs: ms }, { uuid: 'Z' }])
        expect(codesOf(found)).toBe(problems)
      }
    })
})
