// JSON at the edge of the grammar, in the manner of nst/JSONTestSuite, with lines of our own. Each line is read as the
// first, a middle and the last one of a file, and as a last one without line end; the records around it must come back.

import { describe, expect, test } from 'vitest'
import { a, textOf, u } from '../graph/transcript-of.ts'
import { codesOf, expectCase, readBytes, readCase, sorted, uuidsOf } from './read-case.ts'

interface JsonCase {
  readonly name: string
  readonly line: string
  /** What is recovered from the line: a uuid, a dot for a record without one, nothing. */
  readonly uuids: string
  readonly problems: string
  /** Takes seconds: read only once. */
  readonly isHuge?: true
}

/** A value inside a record that is otherwise in order. */
function inRecord(value: string): string {
  return `{"type":"user","uuid":"J","parentUuid":null,"sessionId":"s","message":{"content":"x"},"v":${value}}`
}

const accepted = (name: string, value: string): JsonCase => ({ name, line: inRecord(value), uuids: 'J', problems: '' })

const refused = (name: string, value: string): JsonCase => ({
  name,
  line: inRecord(value),
  uuids: '',
  problems: 'torn-record',
})

const notRecord = (name: string, line: string): JsonCase => ({ name, line, uuids: '', problems: 'line-not-record' })

const notJson = (name: string, line: string, problems = 'line-not-json'): JsonCase => ({
  name,
  line,
  uuids: '',
  problems,
})

const NUMBERS: readonly JsonCase[] = [
  accepted('0', '0'),
  accepted('-0', '-0'),
  accepted('0e+1', '0e+1'),
  accepted('1E-2', '1E-2'),
  accepted('1e400, which is Infinity', '1e400'),
  accepted('-1e400', '-1e400'),
  accepted('1e-400, which is 0', '1e-400'),
  accepted('12345678901234567890, which a double cannot hold', '12345678901234567890'),
  accepted('a number of ten thousand digits', '1'.repeat(10_000)),
  refused('01', '01'),
  refused('-01', '-01'),
  refused('+1', '+1'),
  refused('.5', '.5'),
  refused('1.', '1.'),
  refused('-', '-'),
  refused('1e', '1e'),
  refused('1e+', '1e+'),
  refused('1.e1', '1.e1'),
  refused('0x10', '0x10'),
  refused('1_000', '1_000'),
  refused('1 000', '1 000'),
  refused('NaN', 'NaN'),
  refused('Infinity', 'Infinity'),
  refused('-Infinity', '-Infinity'),
  refused('a full-width digit', '１'),
]

const TEXTS: readonly JsonCase[] = [
  accepted('all escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"'),
  accepted('an escaped NUL', '"\\u0000"'),
  accepted('U+FFFF and U+10FFFF', '"\uffff\u{10ffff}"'),
  accepted('a byte order mark in a text', '"\ufeff"'),
  accepted('U+2028 and U+2029', '"\u2028\u2029"'),
  accepted('an empty text', '""'),
  accepted('a text of a megabyte', `"${'x'.repeat(1_000_000)}"`),
  refused('\\x', '"\\x41"'),
  refused('\\a', '"\\a"'),
  refused('\\u with three digits', '"\\u004"'),
  refused('\\u with a letter that is no digit', '"\\u00g0"'),
  refused('\\U', '"\\U00000041"'),
  refused('an escaped line end', '"\\\u2028'),
  refused('a backslash before the end', '"\\"'),
  refused('a text in single quotes', "'x'"),
  refused('a text without its last quote', '"x'),
  refused('a text without its first quote', 'x"'),
  refused('two texts side by side', '"x""y"'),
]

const STRUCTURES: readonly JsonCase[] = [
  accepted('an empty list and an empty object', '[[],{}]'),
  accepted('white space everywhere', ' [ \t1 , { "a" : \r2 } ] '),
  refused('a comma behind the last value of a list', '[1,]'),
  refused('a comma behind the last key', '{"a":1,}'),
  refused('a comma before the first value', '[,1]'),
  refused('two commas', '[1,,2]'),
  refused('a list closed by a brace', '[1}'),
  refused('an object closed by a bracket', '{"a":1]'),
  refused('a list that is not closed', '[1'),
  refused('a colon in a list', '["a":1]'),
  refused('no colon', '{"a" 1}'),
  refused('two colons', '{"a"::1}'),
  refused('a key that is no text', '{1:1}'),
  refused('a key without quotes', '{a:1}'),
  refused('a key without a value', '{"a":}'),
  refused('True', 'True'),
  refused('nul', 'nul'),
  refused('undefined', 'undefined'),
  refused('a comment', '1/* x */'),
  refused('a comment to the end', '1//'),
  refused('a non-breaking space', '\u00a01'),
  refused('a function call', 'f()'),
  accepted('nested lists, ten thousand deep', '['.repeat(10_000) + ']'.repeat(10_000)),
  accepted('nested objects, a hundred thousand deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  { ...accepted('nested lists, a million deep', '['.repeat(1_000_000) + ']'.repeat(1_000_000)), isHuge: true },
  { ...refused('a million lists that are not closed', '['.repeat(1_000_000)), isHuge: true },
]

const LINES: readonly JsonCase[] = [
  notRecord('null', 'null'),
  notRecord('true', 'true'),
  notRecord('a number', '-12.5e3'),
  notRecord('a text', '"{}"'),
  notRecord('an empty list', '[]'),
  notRecord('a list with a record', `[${inRecord('1')}]`),
  notJson('a brace', '{', 'torn-record'),
  notJson('a closing brace', '}'),
  notJson('a bracket', '['),
  notJson('a quote', '"'),
  notJson('a comma', ','),
  notJson('a colon', ':'),
  notJson('a word', 'hello'),
  notJson('two numbers', '1 2'),
  notJson('two lists', '[][]'),
  notJson('a number and an object', '1{"a":1}'),
  notJson('an object with a value and no key', '{1}', 'torn-record'),
  { name: 'an empty object', line: '{}', uuids: '.', problems: '' },
  { name: 'an object with an empty key', line: '{"":1}', uuids: '.', problems: '' },
  { name: 'an object and a brace too many', line: '{}}', uuids: '.', problems: 'stray-bytes' },
  { name: 'two empty objects', line: '{}{}', uuids: '. .', problems: 'glued-records' },
]

const KEYS: readonly JsonCase[] = [
  { name: 'the same key twice: the last one counts', line: '{"uuid":"I","uuid":"J"}', uuids: 'J', problems: '' },
  { name: 'an escaped key', line: '{"\\u0075uid":"J"}', uuids: 'J', problems: '' },
  { name: 'a key in capitals is another key', line: '{"UUID":"J"}', uuids: '.', problems: '' },
  { name: '__proto__ as a key', line: '{"__proto__":{"uuid":"I","type":"user"}}', uuids: '.', problems: '' },
  { name: '__proto__ beside a uuid', line: '{"__proto__":{"uuid":"I"},"uuid":"J"}', uuids: 'J', problems: '' },
  { name: '__proto__ that is null', line: '{"__proto__":null,"uuid":"J"}', uuids: 'J', problems: '' },
  { name: 'constructor as a key', line: '{"constructor":{"prototype":{"uuid":"I"}}}', uuids: '.', problems: '' },
  { name: 'toString and hasOwnProperty as keys', line: '{"toString":1,"hasOwnProperty":2}', uuids: '.', problems: '' },
  { name: '__proto__ as a uuid', line: '{"uuid":"__proto__"}', uuids: '__proto__', problems: '' },
  { name: 'constructor as a uuid', line: '{"uuid":"constructor"}', uuids: 'constructor', problems: '' },
  {
    name: 'ten thousand keys',
    line: `{"uuid":"J"${Array.from({ length: 10_000 }, (_, index) => `,"k${index}":1`).join('')}}`,
    uuids: 'J',
    problems: '',
  },
]

const BEFORE = textOf([u('S1', null)]).trimEnd()
const AFTER = textOf([a('S2', 'S1')]).trimEnd()

describe.each([
  ['numbers', NUMBERS],
  ['texts', TEXTS],
  ['structures', STRUCTURES],
  ['lines', LINES],
  ['keys', KEYS],
])('%s', (_, cases) => {
  for (const { name, line, uuids, problems, isHuge = false } of cases)
    test(name, () => {
      const around = (...words: readonly string[]): string => words.filter((word) => word !== '').join(' ')
      expectCase(readCase(`${BEFORE}\n${line}\n${AFTER}\n`), { uuids: around('S1', uuids, 'S2'), problems })
      if (isHuge) return
      const first = readBytes(`${line}\n${BEFORE}\n${AFTER}\n`)
      expect([uuidsOf(first), codesOf(first)]).toEqual([around(uuids, 'S1', 'S2'), sorted(problems)])
      const last = readBytes(`${BEFORE}\n${AFTER}\n${line}\n`)
      expect([uuidsOf(last), codesOf(last)]).toEqual([around('S1', 'S2', uuids), sorted(problems)])
      // Without its line end the line may still grow: what is whole is a record, the rest a tail or a Problem.
      expect(uuidsOf(readBytes(`${BEFORE}\n${AFTER}\n${line}`))).toBe(around('S1', 'S2', uuids))
    })
})
