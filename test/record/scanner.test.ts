// The scanner gives what the exact way gives, for lines of every shape, as clients write them, in other forms, or damaged. CLEW_SCAN_LINES sets how many are
// made, CLEW_SCAN_SEED where to begin; a failure names the seed that shows it.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openScanner } from '../../src/record/scanner.ts'
import { randomOf } from '../random.ts'
import { byScanner, exactly } from './both-ways.ts'
import { formed } from './scanner-forms.ts'
import { damaged, scannerRecord } from './scanner-lines.ts'

it('is opened from the bytes in a view or without one, or from what was compiled from them', () => {
  const bytes = readFileSync(new URL('../../dist/record/scan.wasm', import.meta.url))
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  for (const form of [bytes, buffer, new WebAssembly.Module(bytes)])
    expect(openScanner(form).input.length).toBeGreaterThan(0)
})

const lines = Number(process.env['CLEW_SCAN_LINES'] ?? 20_000)
const first = Number(process.env['CLEW_SCAN_SEED'] ?? 1)
const AT_ONCE = 50

it(`reads ${lines} lines both ways with the same result`, { timeout: 3_600_000 }, () => {
  let sure = 0
  let records = 0
  for (let seed = first; seed < first + lines; seed += AT_ONCE) {
    const made = Array.from({ length: AT_ONCE }, (_, index) => {
      const random = randomOf(seed + index)
      const record = scannerRecord(random)
      const line = JSON.stringify(record)
      return random.pick([damaged, () => formed(record, random), () => Buffer.from(line)])(line, random)
    })
    const bytes = Buffer.concat(made.flatMap((line) => [line, Buffer.from('\n')]))
    const random = randomOf(-seed)
    const isSubagent = random.below(4) === 0
    const quick = byScanner(bytes, isSubagent, random.below(2) === 0 ? random : null)
    const exact = exactly(bytes, isSubagent)
    sure += quick.sure
    records += AT_ONCE
    if (JSON.stringify(quick.outcome) === JSON.stringify(exact.outcome)) continue
    for (const [index, line] of made.entries()) {
      const alone = Buffer.concat([line, Buffer.from('\n')])
      expect(byScanner(alone).outcome, `seed ${seed + index}: ${line.toString().slice(0, 2000)}`).toEqual(
        exactly(alone).outcome,
      )
    }
    expect(quick.outcome, `seeds from ${seed}`).toEqual(exact.outcome)
  }
  // Of what is written as clients write it, it must be sure of most; and what is damaged it must give up on.
  expect(sure).toBeGreaterThan(records * 0.2)
  expect(sure).toBeLessThan(records * 0.6)
})
