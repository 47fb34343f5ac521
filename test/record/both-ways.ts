// Bytes read both ways: by the scanner, and by nothing but the exact way. All that anybody takes from a line is in what
// comes out: Envelopes, problems, the account of bytes, names, drift, tokens, calls and words.

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { readTranscriptBytes } from '../../src/record/read-bytes.ts'
import type { Scanner } from '../../src/record/scanner.ts'
import { openScanner } from '../../src/record/scanner.ts'
import type { ReadTranscript, Visit } from '../../src/record/transcript.ts'
import { NOTHING_READ } from '../../src/search/file-state.ts'
import { Gathered } from '../../src/search/gathered.ts'

export const builtScanner: Scanner = openScanner(readFileSync(new URL('../../dist/record/scan.wasm', import.meta.url)))

/** As text first: to compare a megabyte of words value by value takes minutes. */
export function expectBothWays(bytes: Uint8Array, name = ''): void {
  const quick = byScanner(bytes).outcome
  const exact = exactly(bytes).outcome
  if (JSON.stringify(quick) !== JSON.stringify(exact)) expect(quick, name).toEqual(exact)
}

export interface ReadOneWay {
  readonly outcome: object
  /** How many records the scanner was sure of. */
  readonly sure: number
}

export function exactly(bytes: Uint8Array): ReadOneWay {
  return { outcome: outcomeOf((visit) => readTranscriptBytes('some.jsonl', bytes, { visit })), sure: 0 }
}

export function byScanner(bytes: Uint8Array): ReadOneWay {
  let sure = 0
  const outcome = outcomeOf((visit, gathered) =>
    readTranscriptBytes('some.jsonl', bytes, {
      visit,
      scanner: builtScanner,
      visitSketch: (envelope, sketch) => {
        sure++
        gathered.visitSketch(envelope, sketch)
      },
    }),
  )
  return { outcome, sure }
}

function outcomeOf(read: (visit: Visit, gathered: Gathered) => ReadTranscript): object {
  const gathered = new Gathered('some.jsonl', NOTHING_READ)
  const { envelopes, problems, account } = read(gathered.visit, gathered)
  const { docs, calls, usages } = gathered
  return { envelopes, problems, account, calls, usages, docs: docs.finish(), ...gathered.save() }
}
