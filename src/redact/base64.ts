// A run of base64 → the text in it, or null when it is none: pictures, hashes and names are given up after a few bytes.

import { stringOf } from './view.ts'

/** Begins `skip` characters into the run, for runs that have something else before them. */
export function textInBase64(text: string, start: number, end: number, skip: number): string | null {
  if (room.length < end - start) room = new Uint16Array(end - start)
  const codes = room
  let length = 0
  let bits = 0
  let held = 0
  let following = 0
  let wide: boolean | null = null
  let decoded = 0
  for (let index = start + skip; index < end; index++) {
    const code = text.charCodeAt(index)
    const value = code < 128 ? (VALUES[code] as number) : SKIPPED
    if (value === SKIPPED) continue
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    decoded++
    if (decoded === 2) wide = byte === 0
    // Windows encodes commands as UTF-16: every other byte is zero.
    if (wide === true && decoded % 2 === 0) {
      if (byte !== 0) break
      continue
    }
    if (following > 0) {
      if ((byte & 0xc0) !== 0x80) break
      following--
      if (following === 0) codes[length++] = 0x2026
    } else if (byte < 0x80) {
      if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13) break
      codes[length++] = byte
    } else {
      following =
        byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
      if (following === 0) break
    }
  }
  return length < TEXT_MIN ? null : stringOf(codes.subarray(0, length))
}

// One for all runs, of which most are given up at once.
let room = new Uint16Array(1024)

const TEXT_MIN = 12
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
