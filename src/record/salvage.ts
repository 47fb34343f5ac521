// What can be saved from a line that JSON.parse refuses. The shapes met in the field: a record cut off and the next one
// glued to it (a killed writer), two records without a line end between them, and runs of NUL bytes (a crashed machine).
// Nothing is invented: an object inside a damaged record is only taken for a record when it looks like one from the
// outside and the line is done, or another record begins, where it ends.

import type { ProblemCode } from '../base/problem.ts'
import { scanJson } from '../base/scan-json.ts'
import { decodeUtf8 } from '../base/text.ts'
import type { Body } from './model.ts'

export type Piece =
  | { readonly kind: 'record'; readonly start: number; readonly end: number; readonly body: Body }
  | { readonly kind: 'problem'; readonly start: number; readonly end: number; readonly code: ProblemCode }
  | { readonly kind: 'tail'; readonly start: number; readonly end: number }

/** Pieces that cover `bytes` without gap or overlap. `ended` is false for a last line that may still grow. */
export function salvage(bytes: Uint8Array, ended: boolean): readonly Piece[] {
  const pieces: Piece[] = []
  const work: Work = { bytes, scansLeft: 64 * bytes.length + 1_000_000, foundAt: -1, noneFrom: bytes.length }
  let at = skipSpace(bytes, 0)
  while (at < bytes.length) {
    const stop = skipSpace(bytes, at)
    if (stop > at) {
      extend(pieces, stop)
      at = stop
      continue
    }
    at = bytes[at] === 0 ? takeNuls(work, pieces, at) : takeObject(work, pieces, at, ended)
  }
  const first = pieces[0]
  if (first !== undefined) pieces[0] = { ...first, start: 0 }
  return pieces
}

interface Work {
  readonly bytes: Uint8Array
  /** Bytes that may still be scanned, so that a hostile line costs linear time. */
  scansLeft: number
  /** The next whole record, and from where on there is none; found out once, not again for each run of stray bytes. */
  foundAt: number
  noneFrom: number
}

function takeNuls(work: Work, pieces: Piece[], start: number): number {
  let end = start
  while (end < work.bytes.length && work.bytes[end] === 0) end++
  pieces.push({ kind: 'problem', start, end, code: 'nul-run' })
  return end
}

function takeObject(work: Work, pieces: Piece[], start: number, ended: boolean): number {
  const { bytes } = work
  const scan = scanFrom(work, start)
  if (scan.state === 'complete') {
    const body = bytes[start] === OPEN ? parseObject(bytes, start, scan.end) : null
    // Something that is not an object may only be the beginning of other stray bytes, and what stands behind damage may
    // be the rest of what was damaged.
    if (body !== null && (start === work.foundAt || !isBehindDamage(pieces) || isWholeRecord(work, start))) {
      pieces.push({ kind: 'record', start, end: scan.end, body })
      return scan.end
    }
  }
  const cut = scan.state === 'cut'
  const wrongAt = scan.state === 'wrong' ? scan.at : scan.state === 'complete' ? scan.end : bytes.length
  const next = findRecord(work, start + 1, wrongAt)
  const limit = next ?? bytes.length
  const end = work.scansLeft > 0 ? damageEnd(bytes, start, limit) : limit
  if (cut && next === null && !ended) pieces.push({ kind: 'tail', start, end: bytes.length })
  else pieces.push({ kind: 'problem', start, end, code: damageCode(work, start) })
  return cut && next === null && !ended ? bytes.length : end
}

const OPEN = 0x7b

/**
 * Where the next whole record begins. The glue lies at or before the byte that was wrong, so the candidates before it
 * are tried first, the nearest one first; then those behind it.
 */
function findRecord(work: Work, from: number, wrongAt: number): number | null {
  const { bytes } = work
  if (from <= work.foundAt) return work.foundAt
  if (from >= work.noneFrom) return null
  for (let at = Math.min(wrongAt, bytes.length - 1); at >= from; at--) {
    if (isCandidate(bytes, at) && isWholeRecord(work, at)) return found(work, at)
    if (work.scansLeft <= 0) return null
  }
  for (let at = wrongAt + 1; at < bytes.length; at++) {
    if (isCandidate(bytes, at) && isWholeRecord(work, at)) return found(work, at)
    if (work.scansLeft <= 0) return null
  }
  work.noneFrom = from
  return null
}

function found(work: Work, at: number): number {
  work.foundAt = at
  return at
}

/** Behind a run of NULs on a line of its own a record begins anew; behind a torn one the run is a hole in it. */
function isBehindDamage(pieces: readonly Piece[]): boolean {
  const last = pieces.findLast((piece) => piece.kind !== 'problem' || piece.code !== 'nul-run')
  return last?.kind === 'problem'
}

function isCandidate(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN && (bytes[at + 1] === 0x22 || bytes[at + 1] === 0x20)
}

function isWholeRecord(work: Work, start: number): boolean {
  const scan = scanFrom(work, start)
  if (scan.state !== 'complete') return false
  const behind = skipSpace(work.bytes, scan.end)
  const next = work.bytes[behind]
  if (behind < work.bytes.length && next !== 0 && next !== OPEN) return false
  const body = parseObject(work.bytes, start, scan.end)
  return body !== null && looksLikeRecord(body)
}

/** A message nested in a progress record has a type and a uuid too; only a record also says whose it is. */
function looksLikeRecord(body: Body): boolean {
  if (typeof body['type'] !== 'string') return false
  if (typeof body['sessionId'] === 'string') return true
  if (typeof body['uuid'] === 'string' && 'parentUuid' in body) return true
  return typeof body['leafUuid'] === 'string' || (typeof body['messageId'] === 'string' && 'snapshot' in body)
}

function scanFrom(work: Work, start: number): ReturnType<typeof scanJson> {
  const scan = scanJson(work.bytes, start, work.bytes.length)
  const end = scan.state === 'complete' ? scan.end : scan.state === 'wrong' ? scan.at : work.bytes.length
  work.scansLeft -= end - start + 1
  return scan
}

function parseObject(bytes: Uint8Array, start: number, end: number): Body | null {
  const value: unknown = JSON.parse(decodeUtf8(bytes.subarray(start, end)))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
}

function damageCode(work: Work, start: number): ProblemCode {
  if (work.scansLeft <= 0) return 'salvage-limit'
  return work.bytes[start] === OPEN ? 'torn-record' : 'stray-bytes'
}

const NUL_RUN_MIN = 16

/** Damage ends where a run of NULs begins, so that the run gets its own name; a few NULs (UTF-16, say) are no run. */
function damageEnd(bytes: Uint8Array, start: number, limit: number): number {
  let nuls = 0
  for (let at = start; at < limit; at++) {
    nuls = bytes[at] === 0 ? nuls + 1 : 0
    if (nuls === NUL_RUN_MIN) return at + 1 - NUL_RUN_MIN
  }
  return limit
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at++
  return at
}

/** White space belongs to the piece before it. */
function extend(pieces: Piece[], end: number): void {
  const last = pieces.pop()
  if (last !== undefined) pieces.push({ ...last, end })
}
