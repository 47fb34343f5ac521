// Searches over raw bytes, each a function from where to look to where something was found, or -1.

export type ByteSearch = (bytes: Buffer, from: number) => number

/**
 * Buffer.indexOf looks for the first byte of up to seven at the speed of memory and compares at each of its finds; for
 * longer keys it builds tables, which is slower. So we hand it seven bytes that begin with the rarest one of the run.
 */
export function exactSearch(run: Buffer): ByteSearch {
  const start = rarestStart(run)
  const key = run.subarray(start, start + KEY_BYTES_MAX)
  return (bytes, from) => {
    let at = bytes.indexOf(key, from + start)
    while (at !== -1) {
      if (standsAt(bytes, run, at - start)) return at - start
      at = bytes.indexOf(key, at + 1)
    }
    return -1
  }
}

const KEY_BYTES_MAX = 7
const KEY_BYTES_MIN = 3

/** The bytes of transcripts from the most frequent one on; what is not here is rarer. */
const FREQUENT = ' etona"risldcuphm/1:fb\\204-3g5v69,87wyTkEx_IA.SNOjRUzPBLDCFqZMH)(WGJVKY+XQ{}=;'

function rarestStart(run: Buffer): number {
  const last = Math.max(0, run.length - KEY_BYTES_MIN)
  let best = 0
  for (let at = 1; at <= last; at++) if (rarityOf(run[at]) > rarityOf(run[best])) best = at
  return best
}

function rarityOf(byte: number | undefined): number {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte ?? 0))
  return rank === -1 ? FREQUENT.length : rank
}

function standsAt(bytes: Buffer, run: Buffer, start: number): boolean {
  if (start + run.length > bytes.length) return false
  for (let at = 0; at < run.length; at++) if (bytes[start + at] !== run[at]) return false
  return true
}

/** Horspool's search, which skips by what the last byte of a place is; `run` is ASCII in lower case. */
export function foldedSearch(run: Buffer): ByteSearch {
  const last = run.length - 1
  const skips = new Uint8Array(256).fill(run.length)
  for (let at = 0; at < last; at++) for (const byte of bothCases(run[at] ?? 0)) skips[byte] = last - at
  const afterFind = skips[run[last] ?? 0] ?? 1
  // A skip of nothing marks the last byte of the run: only there the rest is compared.
  for (const byte of bothCases(run[last] ?? 0)) skips[byte] = 0
  return (bytes, from) => {
    let at = from + last
    while (at < bytes.length) {
      const skip = skips[bytes[at] as number] as number
      if (skip !== 0) at += skip
      else if (standsFoldedAt(bytes, run, at - last)) return at - last
      else at += afterFind
    }
    return -1
  }
}

function standsFoldedAt(bytes: Buffer, run: Buffer, start: number): boolean {
  for (let at = 0; at < run.length; at++) if (lowerCase(bytes[start + at] ?? 0) !== run[at]) return false
  return true
}

function bothCases(byte: number): readonly number[] {
  return byte >= 0x61 && byte <= 0x7a ? [byte, byte - 0x20] : [byte]
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

const ESCAPE = Buffer.from('\\u')
const ESCAPE_BYTES = 6
const ZERO = 0x30
const ONE = 0x31

/**
 * A \uXXXX that stands for one of these UTF-16 units. Most escapes in transcripts are control characters (colours of a
 * terminal), which no run has: they are told by their third digit. Whether the backslash is itself escaped is not
 * looked at; that would only save the parsing of a few lines.
 */
export function escapeSearch(units: ReadonlySet<number>): ByteSearch {
  return (bytes, from) => {
    let at = bytes.indexOf(ESCAPE, from)
    while (at !== -1) {
      const isControl =
        (bytes[at + 4] === ZERO || bytes[at + 4] === ONE) && bytes[at + 2] === ZERO && bytes[at + 3] === ZERO
      if (!isControl && units.has(escapedUnit(bytes, at))) return at
      at = bytes.indexOf(ESCAPE, at + 2)
    }
    return -1
  }
}

function escapedUnit(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at + 2, at + ESCAPE_BYTES)
  return /^[\da-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1
}
