// Bytes read both ways: by the scanner, and by nothing but the exact way. All that anybody takes from a line is in what
// comes out: Envelopes, problems, the account of bytes, names, drift, tokens, calls and words.

import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Scanner } from '../../src/record/scanner.ts'
import { openScanner } from '../../src/record/scanner.ts'
import { splitLines } from '../../src/record/split.ts'
import type { Reader } from '../../src/record/transcript.ts'
import { addLine, closeReader, openReader } from '../../src/record/transcript.ts'
import { addWindow } from '../../src/record/window.ts'
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
  return read((reader) => {
    for (const line of splitLines(bytes)) addLine(reader, line)
    return 0
  })
}

/** In windows of whole lines, as a file is read; what is left behind the last line end is a line without one. */
export function byScanner(bytes: Uint8Array): ReadOneWay {
  return read((reader, gathered) => {
    let sure = 0
    const end = bytes.lastIndexOf(10) + 1
    let number = 1
    for (let from = 0; from < end; ) {
      const to = windowEnd(bytes, from, end)
      if (to <= from) throw new Error('a line does not fit: read it from a file')
      builtScanner.input.set(bytes.subarray(from, to))
      const window = { end: to - from, offset: from, number, lineCount: 0 }
      addWindow(reader, builtScanner, window, (envelope, sketch) => {
        sure++
        gathered.visitSketch(envelope, sketch)
      })
      number += window.lineCount
      from = to
    }
    const rest = bytes.subarray(end)
    if (rest.length > 0) addLine(reader, { number, offset: end, length: rest.length, bytes: rest, ended: false })
    return sure
  })
}

function windowEnd(bytes: Uint8Array, from: number, end: number): number {
  const most = from + builtScanner.input.length
  return most >= end ? end : bytes.lastIndexOf(10, most - 1) + 1
}

function read(readInto: (reader: Reader, gathered: Gathered) => number): ReadOneWay {
  const gathered = new Gathered('some.jsonl', NOTHING_READ)
  const reader = openReader('some.jsonl', { visit: gathered.visit })
  const sure = readInto(reader, gathered)
  const { envelopes, problems, account } = closeReader(reader)
  const { docs, calls, usages } = gathered
  return { sure, outcome: { envelopes, problems, account, calls, usages, docs: docs.finish(), ...gathered.save() } }
}
