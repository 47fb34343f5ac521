// Bytes that are no records, before, behind and between those that are.

import { describe, expect, test } from 'vitest'
import { a, u } from '../graph/transcript-of.ts'
import { expectCase, readBytes, readCase, uuidsOf } from './read-case.ts'
import { join, line, nuls } from './write.ts'

interface ByteCase {
  readonly name: string
  readonly bytes: Uint8Array
  readonly uuids: string
  readonly problems: string
}

const A = line(u('A', null))
const B = line(a('B', 'A'))
const C = line(u('C', 'A'))
const STUB = A.slice(0, 60)

const GARBAGE: readonly ByteCase[] = [
  { name: 'garbage before a record', bytes: join('garbage', A, '\n', B, '\n'), uuids: 'A B', problems: 'stray-bytes' },
  { name: 'garbage behind a record', bytes: join(A, 'garbage\n', B, '\n'), uuids: 'A B', problems: 'stray-bytes' },
  {
    name: 'garbage between records',
    bytes: join(A, '@@', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes glued-records',
  },
  {
    name: 'garbage and NULs around a record',
    bytes: join('x', nuls(3), A, nuls(3), 'y\n', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes nul-run stray-bytes',
  },
  { name: 'a closing brace too many', bytes: join(A, '}\n', B, '\n'), uuids: 'A B', problems: 'stray-bytes' },
  {
    name: 'records joined by a comma',
    bytes: join(A, ',', B, '\n', C, '\n'),
    uuids: 'A B C',
    problems: 'stray-bytes glued-records',
  },
  {
    name: 'records in a list',
    bytes: join('[', A, ',', B, ']\n', C, '\n'),
    uuids: 'C',
    problems: 'line-not-record missing-parent',
  },
  {
    name: 'a megabyte of letters and NULs in turn, then a record',
    bytes: join('x\0'.repeat(500_000), A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes',
  },
  {
    name: 'twenty thousand runs of NULs with letters between, then a record',
    bytes: join(`x${'\0'.repeat(16)}`.repeat(20_000), A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes nul-run '.repeat(20_000),
  },
  {
    name: 'a source file instead of a transcript (CC#47412)',
    bytes: join('/* highlight.js */\nvar hljs = function () {\n  return { a: 1 }\n}\n'),
    uuids: '',
    problems: 'line-not-json line-not-json line-not-json line-not-json',
  },
  {
    name: 'source between records',
    bytes: join(A, '\n<!doctype html>\nfunction () {}\n', B, '\n'),
    uuids: 'A B',
    problems: 'line-not-json line-not-json',
  },
  {
    name: 'a record over several lines',
    bytes: join(`{\n"type": "user",\n"uuid": "X"\n}\n${A}\n`),
    uuids: 'A',
    problems: 'torn-record line-not-json line-not-json line-not-json',
  },
]

describe('garbage', () => {
  for (const { name, bytes, uuids, problems } of GARBAGE)
    test(name, () => expectCase(readCase(bytes), { uuids, problems }))
})

test('random bytes: every byte has a place, whatever they are', () => {
  let seed = 20_261_115
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 0x1_0000_0000) * below)
  }
  const pieces = [A, B, STUB, '{"', '{', '}', '"', '\\', '\n', '\0', '[', ',', ':', '\u2028', 'x', '12', 'nul']
  for (let round = 0; round < 1000; round++) {
    const parts = Array.from({ length: next(12) }, () => (next(4) === 0 ? [next(256)] : (pieces[next(17)] as string)))
    expect(uuidsOf(readBytes(join(...parts)))).toMatch(/^([AB.]( |$))*$/)
  }
})
