// Lines → Envelopes of one file, with every byte accounted for: the exact way, and the standard for the quick one.

import type { Problem, ProblemCode } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { decodeUtf8, isValidUtf8 } from '../base/text.ts'
import type { Line } from '../source/model.ts'
import type { Placed, ReadState } from './envelope.ts'
import { envelopeOf, newReadState } from './envelope.ts'
import type { Body, ByteAccount, Envelope } from './model.ts'
import type { Piece } from './salvage.ts'
import { salvage } from './salvage.ts'

export interface ReadTranscript {
  readonly path: string
  readonly envelopes: readonly Envelope[]
  readonly problems: readonly Problem[]
  readonly account: ByteAccount
}

/** Called for each Record while its Body is at hand; the Body is not kept. The line may hold others beside it. */
export type Visit = (envelope: Envelope, body: Body, line: Line) => void

export interface ReadOptions {
  readonly isSubagent?: boolean
  readonly visit?: Visit
}

export function readTranscript(path: string, lines: Iterable<Line>, options: ReadOptions = {}): ReadTranscript {
  const reader = openReader(path, options)
  for (const line of lines) addLine(reader, line)
  return closeReader(reader)
}

/** A reading in progress: a follower keeps it open and adds lines as they are written. */
export interface Reader {
  readonly path: string
  readonly visit: Visit | undefined
  readonly state: ReadState
  readonly envelopes: Envelope[]
  readonly problems: Problem[]
  readonly account: { sizeBytes: number; records: number; problems: number; tail: number; blank: number }
  crlfCount: number
}

export function openReader(path: string, options: ReadOptions = {}): Reader {
  const account = { sizeBytes: 0, records: 0, problems: 0, tail: 0, blank: 0 }
  const state = newReadState(options.isSubagent === true)
  return { path, visit: options.visit, state, envelopes: [], problems: [], account, crlfCount: 0 }
}

/** All a Reader knows beside its Envelopes, as plain JSON: a later one goes on from it. */
export interface ReaderState {
  readonly account: ByteAccount
  readonly problems: readonly Problem[]
  readonly crlfCount: number
  readonly previousUuid: string | null
}

export function saveReader({ account, problems, crlfCount, state }: Reader): ReaderState {
  return { account: { ...account }, problems: [...problems], crlfCount, previousUuid: state.eventLog.previousUuid }
}

/** A Reader that goes on where another one was; the Envelopes from before are not in it. */
export function resumeReader(path: string, options: ReadOptions, saved: ReaderState): Reader {
  const reader = openReader(path, options)
  Object.assign(reader.account, saved.account)
  for (const found of saved.problems) reader.problems.push(found)
  reader.crlfCount = saved.crlfCount
  reader.state.eventLog.previousUuid = saved.previousUuid
  return reader
}

export function closeReader(reader: Reader): ReadTranscript {
  const { path, envelopes, account } = reader
  return { path, envelopes, problems: readProblems(path, reader, envelopes[0]), account: { ...account } }
}

/** What was met while reading, and what can only be told at the end. `first` is the first record of the file. */
export function readProblems(
  path: string,
  { problems, crlfCount }: Pick<ReaderState, 'problems' | 'crlfCount'>,
  first: Placed | undefined,
): readonly Problem[] {
  if (crlfCount === 0) return [...problems]
  const position = { path, line: first?.line ?? 1, offset: first?.offset ?? 0, length: first?.length ?? 0 }
  return [...problems, problem('crlf', position, undefined, crlfCount)]
}

/** One line the exact way. What reads many lines at once (window.ts) comes here with all it is not sure of. */
export function addLine(reader: Reader, line: Line): void {
  const { account } = reader
  account.sizeBytes += line.length
  if (line.bytes === null) {
    account.problems += line.length
    report(reader, 'line-too-long', line, line.offset, line.length)
    return
  }
  const markLength = line.offset === 0 ? byteOrderMark(reader, line, line.bytes) : 0
  const bytes = markLength === 0 ? line.bytes : line.bytes.subarray(markLength)
  const whole = { line: line.number, offset: line.offset + markLength, length: line.length - markLength }
  if (isBlank(bytes)) {
    account.blank += whole.length
    return
  }
  const text = decodeUtf8(bytes)
  const value = parse(text)
  if (value === undefined) {
    addPieces(reader, line, whole.offset, bytes)
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    addRecord(reader, value as Body, whole, line)
    account.records += whole.length
    if (!line.ended) report(reader, 'no-final-newline', line, whole.offset, whole.length)
  } else if (!line.ended) {
    // A number may still grow: only an object or a list says itself that it is over.
    account.tail += whole.length
  } else {
    account.problems += whole.length
    report(reader, 'line-not-record', line, whole.offset, whole.length)
  }
  if (bytes[bytes.length - 1] === 0x0d) reader.crlfCount++
  // The character at the end of an unfinished line is unfinished too, which is nothing to report.
  if (account.tail > 0 || !text.includes('\ufffd') || isValidUtf8(bytes)) return
  report(reader, 'invalid-utf8', line, whole.offset, whole.length)
}

function addRecord(reader: Reader, body: Body, placed: Placed, line: Line): void {
  const envelope = envelopeOf(body, placed, reader.state)
  reader.envelopes.push(envelope)
  if (envelope.timestampMs === null && body['timestamp'] !== undefined) {
    const { offset, length } = placed
    reader.problems.push(problem('bad-timestamp', { path: reader.path, line: placed.line, offset, length }))
  }
  reader.visit?.(envelope, body, line)
}

function addPieces(reader: Reader, line: Line, offset: number, bytes: Uint8Array): void {
  const pieces = salvage(bytes, line.ended)
  const lineEnd = line.offset + line.length
  let recordCount = 0
  for (const [index, piece] of pieces.entries()) {
    const start = offset + piece.start
    const end = index === pieces.length - 1 ? lineEnd : offset + piece.end
    addPiece(reader, line, piece, start, end - start)
    if (piece.kind === 'record') recordCount++
  }
  if (recordCount > 1) report(reader, 'glued-records', line, line.offset, line.length)
}

function addPiece(reader: Reader, line: Line, piece: Piece, offset: number, length: number): void {
  if (piece.kind === 'record') {
    reader.account.records += length
    addRecord(reader, piece.body, { line: line.number, offset, length }, line)
  } else if (piece.kind === 'tail') {
    reader.account.tail += length
  } else {
    reader.account.problems += length
    const alone = piece.code === 'stray-bytes' && length >= line.length
    report(reader, alone ? 'line-not-json' : piece.code, line, offset, length)
  }
}

function byteOrderMark(reader: Reader, line: Line, bytes: Uint8Array): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    reader.account.problems += 3
    report(reader, 'byte-order-mark', line, 0, 3)
    return 3
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    report(reader, 'utf-16', line, 0, line.length)
  }
  return 0
}

function report(reader: Reader, code: ProblemCode, line: Line, offset: number, length: number): void {
  reader.problems.push(problem(code, { path: reader.path, line: line.number, offset, length }))
}

function isBlank(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
