// One pass over a transcript: its Envelopes, what is wrong with its lines, the few facts of Bodies a repair needs, and
// what was said in it. Bodies are not kept, so that a transcript of any size fits.

import { createHash } from 'node:crypto'
import { isValidUtf8 } from '../base/text.ts'
import type { ByteAccount, Envelope } from '../record/model.ts'
import type { Reader } from '../record/transcript.ts'
import { addLine, closeReader, openReader } from '../record/transcript.ts'
import type { Line } from '../source/model.ts'
import type { BodyFacts } from './body-facts.ts'
import { bodyFacts } from './body-facts.ts'
import type { Quarantined, RefusalCode, StepCode } from './model.ts'
import type { SaidCounts } from './said.ts'
import { countSaid, newSaidCounts } from './said.ts'
import type { TranscriptBytes } from './transcript-bytes.ts'

/** Something wrong with a line; its bytes belong to no record unless `isInRecord`. */
export interface LineFault extends Quarantined {
  readonly isInRecord: boolean
}

export interface Survey {
  readonly source: TranscriptBytes
  readonly sha256: string
  /** In file order. */
  readonly envelopes: readonly Envelope[]
  readonly account: ByteAccount
  readonly faults: readonly LineFault[]
  /** Records that do not stand alone on a line with a line end. */
  readonly ragged: ReadonlySet<number>
  readonly facts: ReadonlyMap<number, BodyFacts>
  /** What each record says, as a number. */
  readonly saidKeys: readonly number[]
  readonly said: SaidCounts
  readonly unreadable: readonly RefusalCode[]
}

export function surveyOf(source: TranscriptBytes, isSubagent = false): Survey {
  const facts = new Map<number, BodyFacts>()
  const saidKeys: number[] = []
  const said = newSaidCounts()
  const reader = openReader(source.path, {
    isSubagent,
    visit: (envelope, body) => {
      const found = bodyFacts(envelope, body)
      if (found !== null) facts.set(saidKeys.length, found)
      saidKeys.push(countSaid(said, envelope, body))
    },
  })
  const faults: LineFault[] = []
  const ragged = new Set<number>()
  const unreadable = new Set<RefusalCode>()
  for (const line of source.lines()) {
    const { tail, blank } = reader.account
    const before = { records: reader.envelopes.length, problems: reader.problems.length, tail, blank }
    addLine(reader, line)
    const found = faultsOf(reader, line, before, unreadable)
    for (const fault of found) faults.push(fault)
    const isPlain = reader.envelopes.length === before.records + 1 && line.ended && found.length === 0
    if (!isPlain) for (let row = before.records; row < reader.envelopes.length; row++) ragged.add(row)
  }
  const { envelopes, account } = closeReader(reader)
  const sha256 = sha256Of(source)
  return { source, sha256, envelopes, account, faults, ragged, facts, saidKeys, said, unreadable: [...unreadable] }
}

interface Before {
  readonly records: number
  readonly problems: number
  readonly tail: number
  readonly blank: number
}

/** Which Problems are for `lines` to mend; the others are not about the line. */
const CODES: Readonly<Record<string, StepCode>> = {
  'torn-record': 'torn-line',
  'salvage-limit': 'torn-line',
  'line-not-json': 'not-a-record',
  'line-not-record': 'not-a-record',
  'stray-bytes': 'stray-bytes',
  'nul-run': 'nul-run',
  'byte-order-mark': 'byte-order-mark',
}

function faultsOf(reader: Reader, line: Line, before: Before, unreadable: Set<RefusalCode>): readonly LineFault[] {
  const faults: LineFault[] = []
  const add = (code: StepCode, offset: number, length: number, isInRecord = false): void => {
    faults.push({ line: line.number, offset, length, code, isInRecord })
  }
  const end = line.offset + line.length
  const blank = reader.account.blank - before.blank
  const tail = reader.account.tail - before.tail
  for (let at = before.problems; at < reader.problems.length; at++) {
    const { code, position } = reader.problems[at] as (typeof reader.problems)[number]
    const stepCode = CODES[code]
    if (code === 'line-too-long' || code === 'utf-16') unreadable.add(code)
    else if (stepCode !== undefined) add(stepCode, position?.offset ?? line.offset, position?.length ?? 0)
    else if (code === 'glued-records' || code === 'no-final-newline') add(code, line.offset, line.length, true)
  }
  if (blank > 0) add('blank-line', end - blank, blank)
  if (tail > 0) add('torn-tail', end - tail, tail)
  for (let row = before.records; row < reader.envelopes.length; row++) {
    const { offset, length } = reader.envelopes[row] as Envelope
    const bytes = line.bytes?.subarray(offset - line.offset, offset - line.offset + length)
    if (bytes !== undefined && !isValidUtf8(bytes)) add('invalid-utf8', offset, length, true)
  }
  return faults
}

const BLOCK_BYTES = 1 << 20

function sha256Of({ sizeBytes, read }: TranscriptBytes): string {
  const hash = createHash('sha256')
  for (let offset = 0; offset < sizeBytes; offset += BLOCK_BYTES)
    hash.update(read(offset, Math.min(BLOCK_BYTES, sizeBytes - offset)))
  return hash.digest('hex')
}
