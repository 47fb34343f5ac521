/** Shannon's, in bits for each character. */
export function entropyOf(text: string): number {
  const { length } = text
  if (length === 0) return 0
  // Where a Secret may stand, characters beyond ASCII are rare enough to be taken for each other.
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 0xff
    COUNTS[code] = (COUNTS[code] as number) + 1
  }
  let sum = 0
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index) & 0xff
    const count = COUNTS[code] as number
    if (count > 1) sum += count * (count < LOGARITHMS.length ? (LOGARITHMS[count] as number) : Math.log2(count))
    // Counted once, and ready for the next text.
    COUNTS[code] = 0
  }
  return (length < LOGARITHMS.length ? (LOGARITHMS[length] as number) : Math.log2(length)) - sum / length
}

const LOGARITHMS = new Float64Array(128).map((_, number) => Math.log2(number))

const COUNTS = new Uint32Array(256)
