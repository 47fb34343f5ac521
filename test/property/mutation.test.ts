// Damaged files without end: nothing throws, nothing hangs, every byte is accounted for, no record is invented.
// CLEW_FUZZ_FILES sets how many, CLEW_FUZZ_SEED where to begin; a failure names the seed that shows it.

import { expect, it } from 'vitest'
import { conversationOf } from '../../src/conversation/conversation.ts'
import { reachOf } from '../../src/conversation/reach.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { bytesOf, damage, randomOf, randomRecords } from '../random.ts'
import { wovenOf } from '../woven.ts'

const files = Number(process.env['CLEW_FUZZ_FILES'] ?? 20_000)
const first = Number(process.env['CLEW_FUZZ_SEED'] ?? 1)

it(`reads ${files} damaged files`, () => {
  let lines = 0
  for (let seed = first; seed < first + files; seed++) {
    const random = randomOf(seed)
    const bytes = damage(bytesOf(randomRecords(random, 's')), random)
    const startedMs = Date.now()
    try {
      const { woven, read } = wovenOf(bytes, seed % 2 === 0 ? 'file' : 'resume')
      const { sizeBytes, records, problems, tail, blank } = read.account
      lines += read.envelopes.length + read.problems.length
      if (sizeBytes !== bytes.length || records + problems + tail + blank !== sizeBytes)
        throw new Error('bytes are missing')
      let recordBytes = 0
      for (const { offset, length } of read.envelopes) {
        recordBytes += length
        // Each record can be had back from its own bytes.
        JSON.parse(bytes.toString('utf8', offset === 3 && bytes[0] === 0xef ? 3 : offset, offset + length))
      }
      if (recordBytes !== records) throw new Error('records overlap')
      if (seed % 16 === 0) conversationOf(woven)
      readFull(woven)
      readContextTurns(woven)
      if (seed % 16 === 1) reachOf(woven)
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
    if (Date.now() - startedMs > 2000) throw new Error(`seed ${seed}: took more than two seconds`)
  }
  console.log(
    `${files} damaged files, ${lines} records and problems, seeds ${first} to ${first + files - 1}: every byte accounted for`,
  )
  expect(lines).toBeGreaterThan(files)
}, 3_600_000)
