// Records that were cut off, and what a killed writer glued to them. What is whole comes back, what is nested stays
// inside.

import { describe, expect, test } from 'vitest'
import type { Written } from '../graph/transcript-of.ts'
import { a, progress, toolUse, u } from '../graph/transcript-of.ts'
import { codesOf, expectCase, readBytes, readCase, uuidsOf } from './read-case.ts'
import { join, line } from './write.ts'

const A = line(u('A', null))
const B = line(a('B', 'A'))
const C = line(u('C', 'B'))

/** A record with one of everything that can be cut through. */
const RICH = line(
  u('X', 'A', {
    isMeta: true,
    gone: null,
    count: -120.5e-7,
    list: [1, 22, [], {}, 'é😀'],
    message: { role: 'user', content: [{ type: 'text', text: 'a "quoted" \u0001 \\ é😀 {"type":"user"} end' }] },
  }),
)

interface CutCase {
  readonly name: string
  /** Cut right behind the last occurrence of this text. */
  readonly behind: string
}

const CUTS: readonly CutCase[] = [
  { name: 'behind the opening brace', behind: '{' },
  { name: 'behind the quote of a key', behind: '"isMeta":true,"' },
  { name: 'inside a key', behind: '"isMe' },
  { name: 'behind a key', behind: '"isMeta"' },
  { name: 'behind a colon', behind: '"isMeta":' },
  { name: 'behind a colon, before an object', behind: '"message":' },
  { name: 'inside a literal', behind: '"isMeta":tr' },
  { name: 'behind a literal', behind: '"isMeta":true' },
  { name: 'behind a comma', behind: '"isMeta":true,' },
  { name: 'inside null', behind: '"gone":nu' },
  { name: 'behind a minus', behind: '"count":-' },
  { name: 'inside a number', behind: '"count":-0.0000' },
  { name: 'behind a number', behind: '"count":-0.00001205' },
  { name: 'behind an opening bracket', behind: '"list":[' },
  { name: 'inside a number in a list', behind: '"list":[1,2' },
  { name: 'behind a comma in a list', behind: '"list":[1,22,' },
  { name: 'behind an empty list', behind: '[1,22,[]' },
  { name: 'behind an empty object', behind: '[1,22,[],{}' },
  { name: 'behind the quote of a text', behind: '"content":[{"type":"' },
  { name: 'inside a text', behind: 'a \\"quo' },
  { name: 'inside an escape', behind: '"text":"a \\' },
  { name: 'behind an escape', behind: '"text":"a \\"' },
  { name: 'behind the u of an escape', behind: '\\u' },
  { name: 'inside the digits of an escape', behind: '\\u00' },
  { name: 'behind a text that looks like a record', behind: '{\\"type\\":\\"user\\"}' },
  { name: 'behind a closing brace', behind: 'end"}' },
  { name: 'behind a closing bracket', behind: 'end"}]' },
  { name: 'before the last brace', behind: 'end"}]}' },
]

describe('a record cut', () => {
  for (const { name, behind } of CUTS)
    test(`${name}, the next one glued to it`, () => {
      const at = RICH.lastIndexOf(behind)
      expect(at).toBeGreaterThanOrEqual(0)
      const stub = behind === '{' ? '{' : RICH.slice(0, at + behind.length)
      expectCase(readCase(`${A}\n${stub}${B}\n${C}\n`), { uuids: 'A B C', problems: 'torn-record' })
    })

  test.each([1, 2, 3])('behind byte %i of a character of four, the next one glued to it', (count) => {
    const bytes = Buffer.from(RICH)
    const stub = bytes.subarray(0, bytes.indexOf(Buffer.from('😀 {')) + count)
    const found = readCase(join(`${A}\n`, stub, `${B}\n${C}\n`))
    expectCase(found, { uuids: 'A B C', problems: 'torn-record invalid-utf8' })
  })

  test('at every byte, the next one glued to it', () => {
    const bytes = Buffer.from(RICH)
    for (let cut = 1; cut < bytes.length; cut++) {
      const found = readBytes(`${A}\n`, bytes.subarray(0, cut), `${B}\n`)
      expect(uuidsOf(found), `cut at ${cut}`).toBe('A B')
      expect(codesOf(found).replace('invalid-utf8 ', ''), `cut at ${cut}`).toBe('torn-record')
    }
  })

  test('at every byte, on a line of its own', () => {
    const bytes = Buffer.from(RICH)
    for (let cut = 1; cut < bytes.length; cut++) {
      const found = readBytes(`${A}\n`, bytes.subarray(0, cut), `\n${B}\n`)
      expect(uuidsOf(found), `cut at ${cut}`).toBe('A B')
    }
  })

  test('at every byte, as the line that is still being written', () => {
    const bytes = Buffer.from(RICH)
    for (let cut = 1; cut < bytes.length; cut++) {
      const found = readBytes(`${A}\n`, bytes.subarray(0, cut))
      expect([uuidsOf(found), codesOf(found), found.account.tail], `cut at ${cut}`).toEqual(['A', '', cut])
    }
  })
})

const SNAPSHOT = {
  type: 'file-history-snapshot',
  messageId: 'A',
  snapshot: { messageId: 'A', trackedFileBackups: { 'a.ts': { backupFileName: 'x', version: 1 } }, timestamp: 't' },
  isSnapshotUpdate: false,
}

const NESTED: readonly { readonly name: string; readonly record: Written }[] = [
  {
    name: 'a progress record with the messages of an agent',
    record: {
      ...progress('P', 'A'),
      data: {
        type: 'agent_progress',
        message: { type: 'user', message: { role: 'user', content: 'go' }, uuid: 'N1', timestamp: 't' },
        normalizedMessages: [
          { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'x' }] }, uuid: 'N2' },
          { type: 'user', message: { role: 'user', content: [] }, uuid: 'N3', timestamp: 't' },
        ],
      },
    },
  },
  { name: 'a file snapshot', record: SNAPSHOT },
  {
    name: 'a queued command',
    record: { type: 'attachment', uuid: 'Q', attachment: { type: 'queued_command', prompt: `do ${B}` } },
  },
  {
    name: 'a tool call with records in its input',
    record: a('T', 'A', {
      message: {
        id: 'm',
        content: [{ type: 'tool_use', id: 't', name: 'Write', input: { type: 'user', uuid: 'N4' } }],
      },
    }),
  },
]

for (const { name, record } of NESTED)
  describe(`${name}, cut at every byte`, () => {
    const whole = Buffer.from(line(record))

    test('nothing nested becomes a record', () => {
      for (let cut = 1; cut < whole.length; cut++) {
        const found = readBytes(`${A}\n`, whole.subarray(0, cut), `\n${C}\n`)
        expect(uuidsOf(found), `cut at ${cut}`).toBe('A C')
      }
    })

    test('nothing nested becomes a record when another is glued to it', () => {
      for (let cut = 1; cut < whole.length; cut++) {
        const found = readBytes(`${A}\n`, whole.subarray(0, cut), `${B}\n`)
        expect(uuidsOf(found), `cut at ${cut}`).toBe('A B')
      }
    })
  })

interface LineCase {
  readonly name: string
  readonly text: string
  readonly uuids: string
  readonly problems: string
  readonly tail?: number
}

const STUB = RICH.slice(0, 100)

const LINES: readonly LineCase[] = [
  { name: 'two records glued', text: `${A}${B}\n${C}\n`, uuids: 'A B C', problems: 'glued-records' },
  { name: 'three records glued', text: `${A}${B}${C}\n`, uuids: 'A B C', problems: 'glued-records' },
  { name: 'records glued with blanks', text: `${A} \t${B}\r \r${C} \n`, uuids: 'A B C', problems: 'glued-records' },
  {
    name: 'a record, a stub, a record',
    text: `${A}${STUB}${B}\n`,
    uuids: 'A B',
    problems: 'torn-record glued-records',
  },
  { name: 'two stubs, a record', text: `${STUB}${STUB}${A}\n${B}\n`, uuids: 'A B', problems: 'torn-record' },
  { name: 'a stub, two records', text: `${STUB}${A}${B}\n`, uuids: 'A B', problems: 'torn-record glued-records' },
  { name: 'a record, a stub', text: `${A}${STUB}\n${B}\n`, uuids: 'A B', problems: 'torn-record' },
  { name: 'a stub alone', text: `${A}\n${STUB}\n${B}\n`, uuids: 'A B', problems: 'torn-record' },
  {
    name: 'the stub of CC#52387',
    text: `${A}\n{"type":"pr-link","sessionId":"<redacted>","prNu${B}\n`,
    uuids: 'A B',
    problems: 'torn-record',
  },
  {
    name: 'the end of a record without its beginning',
    text: `${A}\n${B.slice(40)}\n${C}\n`,
    uuids: 'A C',
    problems: 'line-not-json missing-parent',
  },
  {
    name: 'one record written into another, as two writers do',
    text: `${A.slice(0, 50)}${B}${A.slice(50)}\n${C}\n`,
    uuids: 'C',
    problems: 'torn-record missing-parent',
  },
  { name: 'a tail that is unfinished', text: `${A}\n${STUB}`, uuids: 'A', problems: '', tail: STUB.length },
  {
    name: 'a whole record and an unfinished one on the last line',
    text: `${A}\n${B}${STUB}`,
    uuids: 'A B',
    problems: '',
    tail: STUB.length,
  },
  {
    name: 'a stub, a record and an unfinished one on the last line',
    text: `${STUB}${A}${STUB}`,
    uuids: 'A',
    problems: 'torn-record',
    tail: STUB.length,
  },
  { name: 'a tail that is one brace', text: `${A}\n{`, uuids: 'A', problems: '', tail: 1 },
  { name: 'a tail that is a number', text: `${A}\n12`, uuids: 'A', problems: '', tail: 2 },
  { name: 'a tail that can never become a record', text: `${A}\nx`, uuids: 'A', problems: 'line-not-json' },
  { name: 'a tail of blanks', text: `${A}\n  \t`, uuids: 'A', problems: '' },
  { name: 'nothing but an unfinished record', text: STUB, uuids: '', problems: '', tail: STUB.length },
  {
    name: 'a hundred stubs and a record on one line',
    text: `${STUB.repeat(100)}${A}\n${B}\n`,
    uuids: 'A B',
    problems: 'torn-record',
  },
  {
    name: 'two hundred kilobytes of opening braces',
    text: `${A}\n${'{"a":'.repeat(40_000)}\n${B}\n`,
    uuids: 'A B',
    problems: 'salvage-limit',
  },
  {
    name: 'a megabyte of torn records, each with a tool call',
    text: `${A}\n${line(toolUse('T', 'A', ['t']))
      .slice(0, -1)
      .repeat(3000)}\n${B}\n`,
    uuids: 'A B',
    problems: 'torn-record',
  },
]

describe('lines', () => {
  for (const { name, text, uuids, problems, tail = 0 } of LINES)
    test(name, () => {
      const found = readCase(text)
      expectCase(found, { uuids, problems })
      expect(found.loaded.account.tail).toBe(tail)
    })
})
