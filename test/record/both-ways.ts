// Bytes read both ways: by the scanner, and by nothing but the exact way. All that anybody takes from a line is in what
// comes out: Envelopes, problems, the account of bytes, names, drift, tokens, calls and words.

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { readTranscriptBytes } from '../../src/record/read-bytes.ts'
import type { Scanner } from '../../src/record/scanner.ts'
import { openScanner } from '../../src/record/scanner.ts'
import { splitLines } from '../../src/record/split.ts'
import type { ReadOptions, ReadTranscript, Visit } from '../../src/record/transcript.ts'
import { addLine, closeReader, openReader } from '../../src/record/transcript.ts'
import type { VisitSketch } from '../../src/record/window.ts'
import { addWindow } from '../../src/record/window.ts'
import { OWN_ROOM } from '../../src/search/doc-room.ts'
import { NOTHING_READ } from '../../src/search/file-state.ts'
import { Gathered } from '../../src/search/gathered.ts'
import type { Random } from '../random.ts'

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

export function exactly(bytes: Uint8Array, isSubagent = false): ReadOneWay {
  return { outcome: outcomeOf((visit) => readTranscriptBytes('some.jsonl', bytes, { visit, isSubagent })), sure: 0 }
}

/** With `random` in windows of any size that lie anywhere, as when a file is read in pieces. */
export function byScanner(bytes: Uint8Array, isSubagent = false, random: Random | null = null): ReadOneWay {
  let sure = 0
  const outcome = outcomeOf((visit, gathered) => {
    const visitSketch: VisitSketch = (envelope, sketch) => {
      sure++
      gathered.visitSketch(envelope, sketch)
    }
    const options = { visit, isSubagent, visitSketch }
    return random === null
      ? readTranscriptBytes('some.jsonl', bytes, { ...options, scanner: builtScanner })
      : readInWindows(bytes, options, random)
  })
  return { outcome, sure }
}

interface WindowOptions extends ReadOptions {
  readonly visitSketch: VisitSketch
}

/** What lies around a window is what a scan that runs out of it would go on with. */
function readInWindows(bytes: Uint8Array, { visitSketch, ...options }: WindowOptions, random: Random): ReadTranscript {
  const reader = openReader('some.jsonl', options)
  const { input } = builtScanner
  let number = 1
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, Math.min(bytes.length - 1, from + random.below(4000))) + 1
    if (end === 0) {
      for (const line of splitLines(bytes.subarray(from)))
        addLine(reader, { ...line, number: number++, offset: from + line.offset })
      break
    }
    const length = end - from
    const start = random.pick([random.below(100), input.length - length])
    input.fill(random.pick(AROUND), Math.max(0, start - 40), Math.min(input.length, start + length + 300))
    input.set(bytes.subarray(from, end), start)
    const window = { start, end: start + length, offset: from, number, lineCount: 0 }
    addWindow(reader, builtScanner, window, visitSketch)
    number += window.lineCount
    from = end
  }
  return closeReader(reader)
}

const AROUND = [0x22, 0x5c, 0x7b, 0x7d, 0x0a, 0x30, 0x61, 0xff]

function outcomeOf(read: (visit: Visit, gathered: Gathered) => ReadTranscript): object {
  const gathered = new Gathered('some.jsonl', NOTHING_READ)
  const { envelopes, problems, account } = read(gathered.visit, gathered)
  const { docs, calls, usages } = gathered
  return { envelopes, problems, account, calls, usages, docs: docs.finish(OWN_ROOM), ...gathered.save() }
}
