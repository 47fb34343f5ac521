// What the index knows about a transcript at its Watermark, as plain JSON, and the small ways to compare it with the disk.
// Forks begin with the very bytes of the file they come from, so a fingerprint of the beginning tells little: it grows
// with the file, over everything that was read.

import { constants } from 'node:buffer'
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Problem } from '../base/problem.ts'
import type { Drift } from '../record/drift.ts'
import type { Labels } from '../record/labels.ts'
import { newLabels } from '../record/labels.ts'
import type { ReaderState } from '../record/transcript.ts'
import { newWindow, readBytes, readLines } from '../source/lines.ts'
import type { OpenFile } from '../source/open.ts'

export interface FileState {
  /** Where the Watermark stands: behind the last line end that was read. */
  readonly offset: number
  /** The number of the line that begins there. */
  readonly number: number
  readonly records: number
  /** How many of them used tokens. */
  readonly usages: number
  /** The last that a record names: a flat agent file does not tell by its name whose it is. */
  readonly sessionId: string | null
  readonly fingerprint: number
  /** Of the first and the last bytes before the Watermark: they are looked at whenever the file has changed. */
  readonly head: number
  readonly end: number
  readonly reader: ReaderState
  readonly labels: Labels
  readonly drift: readonly Drift[]
  /** Lone surrogates, which only `check` looks for. */
  readonly textProblems: readonly Problem[]
  /** Tools that were called and have not answered. */
  readonly openCalls: readonly (readonly [string, string])[]
}

export const NOTHING_READ: FileState = {
  offset: 0,
  number: 1,
  records: 0,
  usages: 0,
  sessionId: null,
  fingerprint: 0,
  head: 0,
  end: 0,
  reader: {
    account: { sizeBytes: 0, records: 0, problems: 0, tail: 0, blank: 0 },
    problems: [],
    crlfCount: 0,
    previousUuid: null,
  },
  labels: newLabels(),
  drift: [],
  textProblems: [],
  openCalls: [],
}

const SAMPLE_BYTES = 4096

export function headPrint(fd: number, offset: number): number {
  return crc32(readBytes(fd, 0, Math.min(offset, SAMPLE_BYTES)))
}

export function endPrint(fd: number, offset: number): number {
  const length = Math.min(offset, SAMPLE_BYTES)
  return crc32(readBytes(fd, offset - length, length))
}

const LINE_END = Buffer.from('\n')

/** One line further. Of a line too long to be kept only its length counts. */
export function addToPrint(print: number, bytes: Uint8Array | null, length: number): number {
  // With its line end: two records on one line are not what they are on two.
  return crc32(LINE_END, crc32(bytes ?? String(length), print))
}

/** True when the file begins with what was read of it. `isThorough` compares every byte and not only both ends. */
export function beginsWith(file: OpenFile, state: FileState, isThorough: boolean): boolean {
  const { fd, sizeBytes } = file
  const { offset } = state
  if (sizeBytes < offset) return false
  if (headPrint(fd, offset) !== state.head || endPrint(fd, offset) !== state.end) return false
  if (!isThorough || printOf(fd, offset) === state.fingerprint) return true
  return offset > constants.MAX_STRING_LENGTH && printOfLines(fd, offset) === state.fingerprint
}

/** Lines with their ends are all the bytes there are. */
function printOf(fd: number, offset: number): number {
  const room = newWindow(Math.min(offset, READ_BYTES))
  let print = 0
  for (let at = 0; at < offset; ) {
    const read = readSync(fd, room, 0, Math.min(room.length, offset - at), at)
    if (read === 0) break
    print = crc32(room.subarray(0, read), print)
    at += read
  }
  return print
}

const READ_BYTES = 1 << 18

/** The same where one may be too long to be kept, which takes several times as long. */
function printOfLines(fd: number, offset: number): number {
  let print = 0
  for (const line of readLines(fd)) {
    if (line.offset >= offset || !line.ended) break
    print = addToPrint(print, line.bytes, line.length)
  }
  return print
}
