// Line → hits: usually one Record, sometimes several glued together or what damage has left of them.

import { decodeUtf8 } from '../base/text.ts'
import { timeMs } from '../base/time.ts'
import { object, text } from '../record/fields.ts'
import { salvage } from '../record/salvage.ts'
import type { Line } from '../source/model.ts'
import { excerptAround } from './scan-excerpt.ts'
import type { ScanHit } from './scan-model.ts'
import type { FindNext, Matcher } from './scan-pattern.ts'
import { textPieces } from './scan-pieces.ts'
import type { TextMatch } from './scan-record.ts'
import { countMatches, matchRecord } from './scan-record.ts'
import { shownMatch } from './scan-shown.ts'

export function matchLine(path: string, line: Line, bytes: Uint8Array, matcher: Matcher): readonly ScanHit[] {
  const markLength = line.offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const content = bytes.subarray(markLength)
  const place = { path, line: line.number, offset: line.offset + markLength, length: line.length - markLength }
  const value = parse(decodeUtf8(content))
  if (typeof value === 'object' && value !== null) return recordHits(place, value, matcher)
  if (value !== undefined) return hitsOf(place, null, matchBytes(decodeUtf8(content), matcher))
  const pieces = salvage(content, line.ended)
  return pieces.flatMap((piece, index) => {
    const end = index === pieces.length - 1 ? place.length : piece.end
    const own = { ...place, offset: place.offset + piece.start, length: end - piece.start }
    return piece.kind === 'record'
      ? recordHits(own, piece.body, matcher)
      : hitsOf(own, null, matchBytes(decodeUtf8(content.subarray(piece.start, piece.end)), matcher))
  })
}

/** A line that no string can hold: the bytes are searched, and the escapes in them are undone. */
export function matchLongLine(path: string, fd: number, line: Line, matcher: Matcher): readonly ScanHit[] {
  let best: TextMatch | null = null
  let count = 0
  for (const { text: piece, length } of textPieces(fd, line.offset, line.length)) {
    const match = matchBytes(piece, matcher, length)
    if (match === null) continue
    best ??= match
    count += match.count
  }
  const place = { path, line: line.number, offset: line.offset, length: line.length }
  return best === null ? [] : hitsOf(place, null, { ...best, count })
}

interface Place {
  readonly path: string
  readonly line: number
  readonly offset: number
  readonly length: number
}

function recordHits(place: Place, body: unknown, matcher: Matcher): readonly ScanHit[] {
  const match = matchRecord(body, matcher)
  return hitsOf(place, body, match === null ? null : { ...match, ...shownMatch(body, match, matcher) })
}

function hitsOf(place: Place, body: unknown, match: TextMatch | null): readonly ScanHit[] {
  if (match === null) return []
  const fields = object(body)
  return [
    {
      ...place,
      isSpill: false,
      uuid: text(fields?.['uuid']),
      timestampMs: timeMs(fields?.['timestamp']),
      field: match.field,
      excerpt: excerptAround(match.text, match.first),
      count: match.count,
    },
  ]
}

/** What is no JSON is searched as it is written and as it was meant. */
function matchBytes(written: string, matcher: Matcher, length = written.length): TextMatch | null {
  const asWritten = matchText(written, matcher, length)
  if (asWritten !== null || !written.includes('\\')) return asWritten
  // The cut may be inside of an escape, so a match just behind it counts here too.
  return matchText(withoutEscapes(written), matcher, withoutEscapes(written.slice(0, length)).length + ESCAPE_LENGTH)
}

const ESCAPE_LENGTH = 6

/** Matches that begin behind `length` are not its own. */
function matchText(whole: string, matcher: Matcher, length: number): TextMatch | null {
  const find = matcher(whole)
  const ownFind: FindNext = (from) => {
    const span = find(from)
    return span !== null && (span.start < length || length >= whole.length) ? span : null
  }
  const first = ownFind(0)
  return first === null ? null : { field: '', text: whole, first, count: countMatches(ownFind, first) }
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function withoutEscapes(written: string): string {
  return written.replace(/\\(?:u([\da-fA-F]{4})|([^u]))/g, (_, digits: string | undefined, short: string) =>
    digits === undefined ? (SHORT_ESCAPES[short] ?? short) : String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

function parse(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}
