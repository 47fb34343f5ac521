// Columns of a page: lists of whole numbers, all of which go into bytes and back in one small loop each. Loops of that kind are
// compiled at once, and a session is opened once in the life of a process.

export class ColumnWriter {
  readonly values: number[] = []

  /** From 0 up to what a number can hold exactly. */
  whole(value: number): void {
    this.values.push(value)
  }

  /** Any number, or none. */
  number(value: number | null): void {
    if (value === null) this.values.push(0)
    else if (Number.isSafeInteger(value) && value >= 0 && value < LARGE && !Object.is(value, -0))
      this.values.push(value + 2)
    else {
      FLOAT[0] = value
      this.values.push(1, HALVES[0] as number, HALVES[1] as number)
    }
  }
}

const LARGE = 2 ** 52
const FLOAT = new Float64Array(1)
/** Of FLOAT, in the order of this machine: an index stays where it was made. */
const HALVES = new Uint32Array(FLOAT.buffer)

/** All columns of a page. Small numbers stay small in memory; in place of a large one stands which of the large ones it is. */
export interface Wholes {
  readonly small: Int32Array
  readonly large: readonly number[]
}

export class ColumnReader {
  readonly #small: Int32Array
  readonly #large: readonly number[]
  #at: number

  /** What comes behind the end of a column is the next one: whoever reads knows how much is there. */
  constructor({ small, large }: Wholes, at: number) {
    this.#small = small
    this.#large = large
    this.#at = at
  }

  whole(): number {
    const value = this.#small[this.#at++]
    if (value === undefined) throw new RangeError('the columns of a page end too soon')
    return value >= 0 ? value : (this.#large[-1 - value] as number)
  }

  number(): number | null {
    const value = this.whole()
    if (value > 1) return value - 2
    return value === 0 ? null : this.#float()
  }

  #float(): number {
    HALVES[0] = this.whole()
    HALVES[1] = this.whole()
    return FLOAT[0] as number
  }
}

/** Seven bits to the byte, the highest bit set but for the last. */
export function packWholes(columns: readonly (readonly number[])[]): Buffer {
  let count = 0
  for (const column of columns) count += column.length
  const bytes = Buffer.allocUnsafe(count * BYTES_MAX)
  let at = 0
  for (const column of columns) at = writeWholes(column, bytes, at)
  return bytes.subarray(0, at)
}

const BYTES_MAX = 8

function writeWholes(column: readonly number[], bytes: Buffer, start: number): number {
  let at = start
  for (let index = 0; index < column.length; index++) {
    let rest = column[index] as number
    while (rest >= 0x80) {
      bytes[at++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    bytes[at++] = rest
  }
  return at
}

export function unpackWholes(bytes: Uint8Array): Wholes {
  const small = new Int32Array(bytes.length)
  const large: number[] = []
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    let value = bytes[at++] as number
    if (value >= 0x80) {
      const end = endOf(bytes, at)
      value = end - at < SMALL_BYTES ? smallAt(bytes, at - 1, end) : -large.push(largeAt(bytes, at - 1, end))
      at = end + 1
    }
    small[count++] = value
  }
  return { small: small.subarray(0, count), large }
}

/** Of so many bytes behind the first any number is a small one. */
const SMALL_BYTES = 3

/** Where the last byte of a number stands. */
function endOf(bytes: Uint8Array, start: number): number {
  let at = start
  while ((bytes[at] as number) >= 0x80) at++
  if (at >= bytes.length) throw new RangeError('the columns of a page end too soon')
  return at
}

function smallAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = end; at >= start; at--) value = (value << 7) | ((bytes[at] as number) & 0x7f)
  return value
}

function largeAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = end; at >= start; at--) value = value * 0x80 + ((bytes[at] as number) & 0x7f)
  return value
}
