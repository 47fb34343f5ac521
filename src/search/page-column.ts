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

export class ColumnReader {
  readonly #values: Float64Array
  #at: number

  /** What comes behind the end of a column is the next one: whoever reads knows how much is there. */
  constructor(values: Float64Array, at: number) {
    this.#values = values
    this.#at = at
  }

  whole(): number {
    const value = this.#values[this.#at++]
    if (value === undefined) throw new RangeError('the columns of a page end too soon')
    return value
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

export function unpackWholes(bytes: Uint8Array): Float64Array {
  const values = new Float64Array(bytes.length)
  let count = 0
  let value = 0
  let scale = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte < 0x80) {
      values[count++] = value + byte * scale
      value = 0
      scale = 1
    } else {
      value += (byte & 0x7f) * scale
      scale *= 0x80
    }
  }
  return values.subarray(0, count)
}
