// Lines that are no record, or not one record each. What cannot be read goes into quarantine; every record that can be
// gets a line of its own.

import type { Draft } from './draft.ts'
import { addStep, changeOf, rowOf } from './draft.ts'
import type { LineCode } from './model.ts'

const WORDS: Readonly<Record<LineCode, readonly [what: string, why: string]>> = {
  'torn-line': ['take out what is left of a torn record', 'it was cut off while it was written and cannot be read'],
  'torn-tail': ['take out the torn end of the file', 'the last record was cut off while it was written'],
  'glued-records': ['give each record a line of its own', 'readers take one record from a line and lose the others'],
  'nul-run': ['take out a run of NUL bytes', 'a crash of the machine left it where something was to be written'],
  'stray-bytes': ['take out bytes beside a record', 'they make the whole line unreadable'],
  'not-a-record': ['take out a line that is no record', 'nothing in it can be read as one'],
  'blank-line': ['take out a blank line', 'some readers stop there'],
  'byte-order-mark': ['take out the byte order mark', 'the official SDK loses the first record behind it'],
  'invalid-utf8': ['replace bytes that are no text by U+FFFD', 'some readers stop there'],
  'no-final-newline': ['end the last line', 'the next record would be written onto it'],
}

export function mendLines(draft: Draft): void {
  draft.mendsLines = true
  for (const { line, offset, length, code, isInRecord } of draft.survey.faults) {
    const [what, why] = WORDS[code as LineCode]
    const record = { line, uuid: null, shows: `${length} bytes` }
    if (code === 'invalid-utf8') changeOf(draft, rowOf(draft, { offset })).hasInvalidUtf8 = true
    if (!isInRecord) draft.quarantine.push({ line, offset, length, code })
    addStep(draft, ['lines', code, what, why], [record], isInRecord ? [record] : [])
  }
}
