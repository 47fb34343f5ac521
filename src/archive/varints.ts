// Numbers in as few bytes as they need, seven bits a byte.

export class VarintWriter {
  #bytes = Buffer.allocUnsafe(1 << 12)
  #length = 0

  push(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    let rest = value
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  /** For numbers of both signs. */
  pushSigned(value: number): void {
    this.push(value < 0 ? -value * 2 - 1 : value * 2)
  }

  pushUint32(value: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2)
    this.#length = this.#bytes.writeUInt32LE(value, this.#length)
  }

  get length(): number {
    return this.#length
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Past the end there are zeros: whoever reads damaged bytes gets wrong numbers, and notices. */
export class VarintReader {
  readonly #bytes: Uint8Array
  #at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  next(): number {
    let [value, scale] = [0, 1]
    for (let count = 0; count < 8; count++) {
      const byte = this.#bytes[this.#at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) break
      scale *= 128
    }
    return value
  }

  nextSigned(): number {
    const value = this.next()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  nextUint32(): number {
    let value = 0
    for (let byte = 0; byte < 4; byte++) value += (this.#bytes[this.#at++] ?? 0) * 2 ** (byte * 8)
    return value
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }
}
