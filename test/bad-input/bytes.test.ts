// Bytes that no client writes, or only when it is killed.

import { describe, expect, test } from 'vitest'
import { a, u } from '../graph/transcript-of.ts'
import { expectCase, readCase } from './read-case.ts'
import { join, line, nuls } from './write.ts'

interface ByteCase {
  readonly name: string
  readonly bytes: Uint8Array
  readonly uuids: string
  readonly problems: string
  /** How many bytes the unfinished last line has; none unless it says so. */
  readonly tail?: number
  readonly holdsLoneSurrogate?: boolean
}

const A = line(u('A', null))
const B = line(a('B', 'A'))
const C = line(u('C', 'A'))
const STUB = A.slice(0, 60)

/** The three records with the middle one's text replaced by some bytes. */
function withText(...bytes: readonly number[]): Uint8Array {
  const [before = '', after = ''] = B.split('a:B')
  return join(A, '\n', before, bytes, after, '\n', C, '\n')
}

const NUL_RUNS: readonly ByteCase[] = [1, 2, 3, 7, 200, 511, 700].flatMap((count) => [
  {
    name: `${count} NULs on the first line, before a record`,
    bytes: join(nuls(count), A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'nul-run',
  },
  {
    name: `${count} NULs as a line in the middle`,
    bytes: join(A, '\n', nuls(count), '\n', B, '\n'),
    uuids: 'A B',
    problems: 'nul-run',
  },
  {
    name: `${count} NULs behind the last record, no line end`,
    bytes: join(A, '\n', B, '\n', nuls(count)),
    uuids: 'A B',
    problems: 'nul-run',
  },
])

const NULS: readonly ByteCase[] = [
  { name: 'NULs and nothing else', bytes: join(nuls(4096)), uuids: '', problems: 'nul-run' },
  {
    name: 'NULs in place of a line end',
    bytes: join(A, nuls(9), B, '\n'),
    uuids: 'A B',
    problems: 'nul-run glued-records',
  },
  { name: 'NULs behind a record', bytes: join(A, nuls(9), '\n', B, '\n'), uuids: 'A B', problems: 'nul-run' },
  {
    name: 'a stub, NULs, a record',
    bytes: join(A, '\n', STUB, nuls(512), B, '\n'),
    uuids: 'A B',
    problems: 'torn-record nul-run',
  },
  {
    name: 'a stub and NULs at the end of the file',
    bytes: join(A, '\n', STUB, nuls(512)),
    uuids: 'A',
    problems: 'torn-record nul-run',
  },
  { name: 'a few NULs inside a text', bytes: withText(...nuls(5)), uuids: 'A C', problems: 'torn-record' },
  {
    name: 'a run of NULs inside a text',
    bytes: withText(...nuls(512)),
    uuids: 'A C',
    problems: 'torn-record nul-run stray-bytes',
  },
  {
    name: 'a hole of NULs with a nested message right behind it',
    bytes: join(A, '\n', STUB, nuls(512), `${line(a('N', 'A')).replace('sessionId', 'x')}],"y":1}\n`, B, '\n'),
    uuids: 'A B',
    problems: 'torn-record nul-run torn-record',
  },
  {
    name: 'two runs on a line with a record between',
    bytes: join(nuls(3), A, nuls(4), '\n', B, '\n'),
    uuids: 'A B',
    problems: 'nul-run nul-run',
  },
  {
    name: 'runs with blanks around them',
    bytes: join(A, '\n  ', nuls(3), ' \t', nuls(3), ' \n', B, '\n'),
    uuids: 'A B',
    problems: 'nul-run nul-run',
  },
]

const ENCODINGS: readonly ByteCase[] = [
  {
    name: 'a byte order mark',
    bytes: join([0xef, 0xbb, 0xbf], A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'byte-order-mark',
  },
  { name: 'a byte order mark alone', bytes: join([0xef, 0xbb, 0xbf]), uuids: '', problems: 'byte-order-mark' },
  {
    name: 'a byte order mark before a later line',
    bytes: join(A, '\n', [0xef, 0xbb, 0xbf], B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes',
  },
  {
    name: 'two byte order marks',
    bytes: join([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'byte-order-mark stray-bytes',
  },
  {
    name: 'half a byte order mark',
    bytes: join([0xef, 0xbb], A, '\n', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes invalid-utf8',
  },
  { name: 'latin-1', bytes: withText(0x63, 0x61, 0x66, 0xe9), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'a character cut after one byte', bytes: withText(0xf0), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'a character cut after three', bytes: withText(0xf0, 0x9f, 0x98), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'a lone continuation byte', bytes: withText(0x80), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'an overlong slash', bytes: withText(0xc0, 0xaf), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'beyond U+10FFFF', bytes: withText(0xf4, 0x90, 0x80, 0x80), uuids: 'A B C', problems: 'invalid-utf8' },
  { name: 'bytes FE and FF', bytes: withText(0xfe, 0xff), uuids: 'A B C', problems: 'invalid-utf8' },
  {
    name: 'a surrogate pair as two raw characters (CESU-8)',
    bytes: withText(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
    uuids: 'A B C',
    problems: 'invalid-utf8',
  },
  { name: 'U+FFFD that was really written', bytes: withText(0xef, 0xbf, 0xbd), uuids: 'A B C', problems: '' },
  {
    name: 'an escaped lone surrogate',
    bytes: withText(...Buffer.from('x\\ud83c\\ny')),
    uuids: 'A B C',
    problems: '',
    holdsLoneSurrogate: true,
  },
  {
    name: 'an escaped low surrogate before a high one',
    bytes: withText(...Buffer.from('\\ude00\\ud83d')),
    uuids: 'A B C',
    problems: '',
    holdsLoneSurrogate: true,
  },
  { name: 'an escaped pair', bytes: withText(...Buffer.from('\\ud83d\\ude00')), uuids: 'A B C', problems: '' },
  {
    name: 'UTF-16 LE with a mark',
    bytes: join([0xff, 0xfe], [...Buffer.from(`${A}\n${B}\n`, 'utf16le')]),
    uuids: '',
    problems: 'utf-16 invalid-utf8 torn-record line-not-json nul-run nul-run',
  },
  {
    name: 'UTF-16 BE with a mark',
    bytes: Buffer.from(`\ufeff${A}\n${B}\n`, 'utf16le').swap16(),
    uuids: '',
    problems: 'utf-16 invalid-utf8 torn-record line-not-json nul-run',
  },
  {
    name: 'UTF-16 LE without a mark',
    bytes: Buffer.from(`${A}\n${B}\n`, 'utf16le'),
    uuids: '',
    problems: 'torn-record torn-record nul-run nul-run',
  },
  {
    name: 'UTF-16 BE without a mark',
    bytes: Buffer.from(`${A}\n${B}\n`, 'utf16le').swap16(),
    uuids: '',
    problems: 'torn-record torn-record nul-run nul-run',
  },
]

const LINES: readonly ByteCase[] = [
  { name: 'an empty file', bytes: join(), uuids: '', problems: '' },
  { name: 'one line end', bytes: join('\n'), uuids: '', problems: '' },
  { name: 'only white space', bytes: join('  \n\t\n\r\n \t\r'), uuids: '', problems: '' },
  { name: 'empty lines between', bytes: join('\n\n', A, '\n\n \n', B, '\n\n'), uuids: 'A B', problems: '' },
  { name: 'ten thousand empty lines', bytes: join('\n'.repeat(10_000), A, '\n'), uuids: 'A', problems: '' },
  { name: 'CR LF', bytes: join(A, '\r\n', B, '\r\n'), uuids: 'A B', problems: 'crlf' },
  { name: 'CR LF on one line only', bytes: join(A, '\r\n', B, '\n'), uuids: 'A B', problems: 'crlf' },
  { name: 'CR alone between records', bytes: join(A, '\r', B, '\r'), uuids: 'A B', problems: 'crlf glued-records' },
  {
    name: 'CR, tabs and blanks as white space inside a record',
    bytes: join(A.replaceAll('":', '"\r:\t '), '\n', B, '\n'),
    uuids: 'A B',
    problems: '',
  },
  { name: 'white space around records', bytes: join(' \t', A, ' \n\r', B, '\t\n'), uuids: 'A B', problems: '' },
  {
    name: 'U+2028 and U+2029 in texts',
    bytes: withText(...Buffer.from('one\u2028two\u2029three')),
    uuids: 'A B C',
    problems: '',
  },
  {
    name: 'U+2028 between records',
    bytes: join(A, '\u2028', B, '\n'),
    uuids: 'A B',
    problems: 'stray-bytes glued-records',
  },
  { name: 'no final line end', bytes: join(A, '\n', B), uuids: 'A B', problems: 'no-final-newline' },
  {
    name: 'no final line end but white space',
    bytes: join(A, '\n', B, ' \t'),
    uuids: 'A B',
    problems: 'no-final-newline',
  },
  { name: 'form feed before a record', bytes: join('\f', A, '\n', B, '\n'), uuids: 'A B', problems: 'stray-bytes' },
  { name: 'a raw tab in a text', bytes: withText(9), uuids: 'A C', problems: 'torn-record' },
  { name: 'a raw ESC in a text', bytes: withText(0x1b, 0x5b, 0x41), uuids: 'A C', problems: 'torn-record' },
  { name: 'a raw line end in a text', bytes: withText(10), uuids: 'A C', problems: 'torn-record line-not-json' },
  { name: 'DEL and C1 characters in a text', bytes: withText(0x7f, 0xc2, 0x85), uuids: 'A B C', problems: '' },
]

describe.each([
  ['runs of NULs', [...NUL_RUNS, ...NULS]],
  ['encodings', ENCODINGS],
  ['lines', LINES],
])('%s', (_, cases) => {
  for (const { name, bytes, uuids, problems, tail = 0, holdsLoneSurrogate = false } of cases)
    test(name, () => {
      const found = readCase(bytes)
      expectCase(found, { uuids, problems })
      expect(found.loaded.account.tail).toBe(tail)
      expect(found.holdsLoneSurrogate).toBe(holdsLoneSurrogate)
    })
})
