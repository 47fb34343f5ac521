/** Shannon's, in bits for each character. */
export function entropyOf(text: string): number {
  COUNTS.fill(0)
  // Where a Secret may stand, characters beyond ASCII are rare enough to be taken for each other.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) & 0xff
    COUNTS[code] = (COUNTS[code] as number) + 1
  }
  let sum = 0
  for (let code = 0; code < 256; code++) {
    const count = COUNTS[code] as number
    if (count > 1) sum += count * Math.log2(count)
  }
  return text.length === 0 ? 0 : Math.log2(text.length) - sum / text.length
}

const COUNTS = new Uint32Array(256)
