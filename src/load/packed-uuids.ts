// UUIDs as sixteen bytes each, and back. All of them go through one text: a program of string operations for each would cost
// more than everything else that is packed.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const UUID_BYTES = 16
export const UUID_LENGTH = 36
const DASH = 0x2d
const NO_DIGIT = 0x80

/** As clients write them: in lower case. */
export function isUuid(value: string): boolean {
  return value.length === UUID_LENGTH && UUID.test(value)
}

/** Texts of 36 characters; null when one of them is no UUID. */
export function packUuids(uuids: readonly string[]): Buffer | null {
  const text = uuids.join('')
  const written = Buffer.from(text, 'latin1')
  const bytes = Buffer.allocUnsafe(uuids.length * UUID_BYTES)
  let wrong = 0
  let to = 0
  for (let at = 0; at < written.length; at += UUID_LENGTH) {
    wrong |= (written[at + 8] as number) ^ DASH
    wrong |= (written[at + 13] as number) ^ DASH
    wrong |= (written[at + 18] as number) ^ DASH
    wrong |= (written[at + 23] as number) ^ DASH
    for (let pair = 0; pair < UUID_BYTES; pair++) {
      const place = at + (PAIR_PLACES[pair] as number)
      const high = VALUES[written[place] as number] as number
      const low = VALUES[written[place + 1] as number] as number
      wrong |= (high | low) & NO_DIGIT
      bytes[to++] = (high << 4) | low
    }
  }
  return wrong === 0 && isLatin1(text, written) ? bytes : null
}

/** A character beyond Latin-1 loses its upper half on the way to bytes, and may look like a digit. */
function isLatin1(text: string, written: Buffer): boolean {
  return Buffer.byteLength(text, 'utf8') === written.length
}

export function unpackUuids(bytes: Uint8Array): readonly string[] {
  const written = Buffer.allocUnsafe((bytes.length / UUID_BYTES) * UUID_LENGTH)
  writeUuids(bytes, written)
  const text = written.toString('latin1')
  const uuids: string[] = []
  for (let at = 0; at < text.length; at += UUID_LENGTH) uuids.push(text.slice(at, at + UUID_LENGTH))
  return uuids
}

function writeUuids(bytes: Uint8Array, written: Buffer): void {
  const view = new DataView(written.buffer, written.byteOffset, written.byteLength)
  let from = 0
  for (let at = 0; at < written.length; at += UUID_LENGTH) {
    for (let pair = 0; pair < UUID_BYTES; pair++)
      view.setUint16(at + (PAIR_PLACES[pair] as number), DIGIT_PAIRS[bytes[from++] as number] as number)
    written[at + 8] = DASH
    written[at + 13] = DASH
    written[at + 18] = DASH
    written[at + 23] = DASH
  }
}

/** Where the two digits of each byte stand. */
const PAIR_PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
const DIGITS = '0123456789abcdef'
const VALUES = new Uint8Array(256).fill(NO_DIGIT)
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value
const DIGIT_PAIRS = Uint16Array.from(
  { length: 256 },
  (_, byte) => (DIGITS.charCodeAt(byte >> 4) << 8) | DIGITS.charCodeAt(byte & 15),
)
