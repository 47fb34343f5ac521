// Letters and digits, four of them in three bytes.

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const NO_LETTER = 0x80

/** Null when there is anything else in the text. What is missing to four is filled up. */
export function packSixBits(text: string): Buffer | null {
  const count = text.length
  const written = Buffer.alloc(Math.ceil(count / 4) * 4, LETTERS[0])
  // A character beyond Latin-1 would lose its upper half on the way to bytes, and look like a letter.
  if (Buffer.byteLength(text, 'utf8') !== count) return null
  written.write(text, 0, 'latin1')
  const bytes = Buffer.allocUnsafe((written.length / 4) * 3)
  let wrong = 0
  let to = 0
  for (let at = 0; at < written.length; at += 4) {
    const first = VALUES[written[at] as number] as number
    const second = VALUES[written[at + 1] as number] as number
    const third = VALUES[written[at + 2] as number] as number
    const fourth = VALUES[written[at + 3] as number] as number
    wrong |= first | second | third | fourth
    bytes[to] = (first << 2) | (second >> 4)
    bytes[to + 1] = (second << 4) | (third >> 2)
    bytes[to + 2] = (third << 6) | fourth
    to += 3
  }
  return wrong < NO_LETTER ? bytes : null
}

/** As bytes of Latin-1, with what was filled up. */
export function unpackSixBits(bytes: Uint8Array): Buffer {
  const written = Buffer.allocUnsafe((bytes.length / 3) * 4)
  let to = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const first = bytes[at] as number
    const second = bytes[at + 1] as number
    const third = bytes[at + 2] as number
    written[to] = CODES[first >> 2] as number
    written[to + 1] = CODES[((first & 3) << 4) | (second >> 4)] as number
    written[to + 2] = CODES[((second & 15) << 2) | (third >> 6)] as number
    written[to + 3] = CODES[third & 63] as number
    to += 4
  }
  return written
}

const CODES = Buffer.from(LETTERS, 'latin1')
const VALUES = new Uint8Array(256).fill(NO_LETTER)
for (const [value, code] of CODES.entries()) VALUES[code] = value
