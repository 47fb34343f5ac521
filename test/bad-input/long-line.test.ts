// Lines longer than a string can be, as sparse files. Alone in its file and so in its process, because it looks at
// the memory of the whole process.

import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { a, textOf, u } from '../graph/transcript-of.ts'
import { codesOf, FILE_NAME, inFolder, readFile, uuidsOf } from './read-case.ts'

const MEBIBYTE = 2 ** 20
const GROWTH_BYTES_MAX = 250 * MEBIBYTE

interface LongCase {
  readonly name: string
  /** Texts as they are; a number is a hole of so many bytes. */
  readonly parts: readonly (string | number)[]
  readonly uuids: string
  readonly problems: string
}

const A = textOf([u('A', null)])
const B = textOf([a('B', 'A')])
const HOLE = 600 * MEBIBYTE

const CASES: readonly LongCase[] = [
  { name: '600 MiB, then a record', parts: [HOLE, '\n', A, B], uuids: 'A B', problems: 'line-too-long' },
  { name: '600 MiB between records', parts: [A, HOLE, '\n', B], uuids: 'A B', problems: 'line-too-long' },
  { name: '600 MiB at the end, without a line end', parts: [A, B, HOLE], uuids: 'A B', problems: 'line-too-long' },
  {
    name: 'a stub and 600 MiB, and the same again',
    parts: [A, '{"type":"us', HOLE, '\n', '{"type":"us', HOLE, '\n', B],
    uuids: 'A B',
    problems: 'line-too-long line-too-long',
  },
]

for (const { name, parts, uuids, problems } of CASES)
  test(name, () =>
    inFolder((folder) => {
      const file = path.join(folder, FILE_NAME)
      const sizeBytes = writeParts(file, parts)
      const before = process.memoryUsage().rss
      const found = readFile(file)
      expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(GROWTH_BYTES_MAX)
      const { account, transcript } = found.loaded
      expect(uuidsOf(transcript)).toBe(uuids)
      expect(codesOf(found)).toBe(problems)
      expect(account.sizeBytes).toBe(sizeBytes)
      expect(account.records).toBe(A.length + B.length)
      expect(account.problems).toBe(sizeBytes - A.length - B.length)
      expect([account.tail, account.blank]).toEqual([0, 0])
      expect(transcript.envelopes.at(-1)?.offset).toBe(parts.at(-1) === HOLE ? A.length : sizeBytes - B.length)
    }),
  )

function writeParts(file: string, parts: readonly (string | number)[]): number {
  const fd = fs.openSync(file, 'w')
  let sizeBytes = 0
  for (const part of parts) {
    if (typeof part === 'number') sizeBytes += part
    else sizeBytes += fs.writeSync(fd, part, sizeBytes)
    fs.ftruncateSync(fd, sizeBytes)
  }
  fs.closeSync(fd)
  return sizeBytes
}
