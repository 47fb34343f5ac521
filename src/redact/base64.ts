// Runs of base64 → the texts in them, as one text: pictures, hashes and names are given up after a few bytes. A run may have
// something else before it, so it is read from each of its first four characters on.

import { decodeUtf8 } from '../base/text.ts'
import type { Coded } from './coded.ts'
import type { Span } from './span.ts'
import { spanAt } from './span.ts'

export interface Encoded {
  readonly add: (start: number, end: number) => void
  /** Hands the texts over. The whole run goes when there is a Secret in it: a part of base64 tells its neighbours. */
  readonly addTo: (spans: Span[], scan: (text: string) => readonly Span[]) => void
}

export function encodedIn({ text, codes }: Coded): Encoded {
  let size = 0
  const pieces: Piece[] = []
  return {
    add: (start, end) => {
      for (let skip = 0; skip < 4; skip++) {
        makeRoom(size, size + (end - start) * 2)
        const behind = decode(codes, start + skip, end, room, size)
        const length = behind - size
        if (length < TEXT_MIN) continue
        pieces.push({ start, end, found: null })
        // Nothing reaches across a NUL, and no text has one.
        room[behind] = NEWLINE
        room[behind + 1] = 0
        room[behind + 2] = NEWLINE
        size = behind + 3
        // What reads as a text to its end does so by chance from no other character on.
        if (length >= TEXT_SURE && length * 4 > (end - start - skip) * 3 - 4) break
      }
    },
    addTo: (spans, scan) => {
      if (pieces.length === 0) return
      const inside = decodeUtf8(room.subarray(0, size))
      findIn(pieces, inside, scan(inside))
      let doneTo = 0
      for (const { start, end, found } of pieces) {
        if (found === null || start < doneTo) continue
        spans.push(spanAt(found, start, behindPadding(text, end)))
        doneTo = end
      }
    },
  }
}

/** A run, read from one of its characters on. */
interface Piece {
  readonly start: number
  readonly end: number
  /** The first of the lowest rank. */
  found: Span | null
}

const TEXT_MIN = 12
const TEXT_SURE = 32
const NEWLINE = 10

// One for all texts: it is read before the next is begun.
let room = new Uint8Array(1024)

function makeRoom(used: number, needed: number): void {
  if (needed <= room.length) return
  const larger = new Uint8Array(needed * 2)
  larger.set(room.subarray(0, used))
  room = larger
}

function findIn(pieces: readonly Piece[], inside: string, spans: readonly Span[]): void {
  if (spans.length === 0) return
  const ends: number[] = []
  for (let at = inside.indexOf('\0'); at !== -1; at = inside.indexOf('\0', at + 1)) ends.push(at)
  for (const span of spans) {
    const piece = pieces[firstBehind(ends, span.start)]
    if (piece !== undefined && (piece.found === null || span.rank < piece.found.rank)) piece.found = span
  }
}

function firstBehind(sorted: readonly number[], at: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) <= at) low = middle + 1
    else high = middle
  }
  return low
}

function behindPadding(text: string, end: number): number {
  let behind = end
  while (behind - end < 2 && text.charAt(behind) === '=') behind++
  return behind
}

/** The text in one run, or null when it is none. */
export function textInBase64({ codes }: Coded, start: number, end: number): string | null {
  const bytes = new Uint8Array(end - start)
  const size = decode(codes, start, end, bytes, 0)
  return size < TEXT_MIN ? null : decodeUtf8(bytes.subarray(0, size))
}

/** Puts the text into `bytes`, from `from` on, and gives where it ends. All of a character beyond ASCII is told as `…`. */
function decode(codes: Uint16Array, start: number, end: number, bytes: Uint8Array, from: number): number {
  let size = from
  let bits = 0
  let held = 0
  let following = 0
  let isWide = false
  let index = start
  // Nearly always four characters are three of ASCII.
  for (; index + 4 <= end; index += 4, size += 3) {
    const first = VALUES[codes[index] as number] as number
    const second = VALUES[codes[index + 1] as number] as number
    const third = VALUES[codes[index + 2] as number] as number
    const fourth = VALUES[codes[index + 3] as number] as number
    if ((first | second | third | fourth) === SKIPPED) break
    const one = (first << 2) | (second >> 4)
    const two = ((second << 4) | (third >> 2)) & 0xff
    const three = ((third << 6) | fourth) & 0xff
    if (TEXT_BYTES[one] === 0 || TEXT_BYTES[two] === 0 || TEXT_BYTES[three] === 0) break
    bytes[size] = one
    bytes[size + 1] = two
    bytes[size + 2] = three
  }
  let decoded = size - from
  for (; index < end; index++) {
    const value = VALUES[codes[index] as number] as number
    if (value === SKIPPED) continue
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    decoded++
    if (decoded === 2) isWide = byte === 0
    // Windows encodes commands as UTF-16: every other byte is zero.
    if (isWide && decoded % 2 === 0) {
      if (byte !== 0) break
      continue
    }
    if (following > 0) {
      if ((byte & 0xc0) !== 0x80) break
      following--
      if (following > 0) continue
      bytes[size] = 0xe2
      bytes[size + 1] = 0x80
      bytes[size + 2] = 0xa6
      size += 3
    } else if (byte < 0x80) {
      if (TEXT_BYTES[byte] === 0) break
      bytes[size++] = byte
    } else {
      following =
        byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
      if (following === 0) break
    }
  }
  return size
}

/** Those of ASCII that stand in a text. */
const TEXT_BYTES = new Uint8Array(256).fill(1, 0x20, 0x80)
for (const blank of [9, 10, 13]) TEXT_BYTES[blank] = 1

const SKIPPED = 255
const VALUES = valuesOf()

function valuesOf(): Uint8Array {
  const values = new Uint8Array(128).fill(SKIPPED)
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let value = 0; value < letters.length; value++) values[letters.charCodeAt(value)] = value
  values['-'.charCodeAt(0)] = 62
  values['_'.charCodeAt(0)] = 63
  return values
}
