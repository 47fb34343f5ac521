// Numbers and texts in few bytes: what the index stores and what workers hand over. Texts that repeat are written once,
// ids that are UUIDs as their sixteen bytes. Any number comes back as it went in; small whole ones take one byte or two.

import { isUuid, packUuids, unpackUuids } from './packed-uuids.ts'

export class ByteWriter {
  // Out of Node's pool, because most of them stay small: each with room of its own for more made V8 collect all the time.
  #bytes = Buffer.allocUnsafe(1 << 11)
  #length = 0
  readonly #known = new Map<string, number>()
  readonly #texts: string[] = []
  readonly #uuids: string[] = []

  /** A whole number from 0 up to what a number can hold exactly. */
  whole(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  number(value: number | null): void {
    if (value === null) this.whole(0)
    else if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0) && value < Number.MAX_SAFE_INTEGER - 2)
      this.whole(value + 2)
    else {
      this.whole(1)
      this.#reserve(8)
      this.#length = this.#bytes.writeDoubleLE(value, this.#length)
    }
  }

  text(value: string | null): void {
    if (value === null) {
      this.whole(0)
      return
    }
    let place = this.#known.get(value)
    if (place === undefined) {
      const list = isUuid(value) ? this.#uuids : this.#texts
      place = list.length * 2 + (list === this.#uuids ? 2 : 1)
      list.push(value)
      this.#known.set(value, place)
    }
    this.whole(place)
  }

  finish(): Buffer {
    const texts = Buffer.from(JSON.stringify(this.#texts), 'utf8')
    const uuids = packUuids(this.#uuids) as Buffer
    const head = Buffer.allocUnsafe(8)
    head.writeUInt32LE(texts.length, 0)
    head.writeUInt32LE(uuids.length, 4)
    return Buffer.concat([head, texts, uuids, this.#bytes.subarray(0, this.#length)])
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

export class ByteReader {
  readonly #bytes: Buffer
  readonly #texts: readonly string[]
  readonly #uuids: readonly string[]
  #at: number

  constructor(packed: Uint8Array) {
    const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
    const textsEnd = 8 + bytes.readUInt32LE(0)
    this.#at = textsEnd + bytes.readUInt32LE(4)
    this.#bytes = bytes
    this.#texts = textsIn(bytes, 8, textsEnd)
    this.#uuids = unpackUuids(bytes.subarray(textsEnd, this.#at))
  }

  whole(): number {
    let value = this.#bytes[this.#at++] as number
    if (value < 0x80) return value
    value &= 0x7f
    let scale = 0x80
    for (;;) {
      const byte = this.#bytes[this.#at++] as number
      if (byte < 0x80) return value + byte * scale
      if (this.#at > this.#bytes.length) throw new RangeError('packed bytes end too soon')
      value += (byte & 0x7f) * scale
      scale *= 0x80
    }
  }

  number(): number | null {
    const value = this.whole()
    if (value === 0) return null
    if (value > 1) return value - 2
    this.#at += 8
    return this.#bytes.readDoubleLE(this.#at - 8)
  }

  text(): string | null {
    const place = this.whole()
    if (place === 0) return null
    const half = Math.floor(place / 2)
    return (place % 2 === 0 ? this.#uuids[half - 1] : this.#texts[half]) as string
  }
}

/** The first number of bytes that are columns (search/page-bytes.ts) and go on as others begin: no texts are that short. */
export const COLUMNS = 1

/** Says whether any of some texts is among those of packed bytes, without unpacking them. */
export function textFinder(wanted: Iterable<string>): (packed: Uint8Array) => boolean {
  const all = new Set<string>()
  const texts: Buffer[] = []
  const uuids = new Map<number, Buffer[]>()
  for (const value of wanted) {
    all.add(value)
    if (!isUuid(value)) {
      texts.push(Buffer.from(JSON.stringify(value), 'utf8'))
      continue
    }
    const uuid = Buffer.from(value.replaceAll('-', ''), 'hex')
    const start = uuid.readInt32LE(0)
    uuids.set(start, [...(uuids.get(start) ?? []), uuid])
  }
  return (packed) => {
    const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
    const isColumns = bytes.readUInt32LE(0) === COLUMNS
    const start = isColumns ? 16 : 8
    const textsEnd = start + bytes.readUInt32LE(isColumns ? 4 : 0)
    const end = textsEnd + bytes.readUInt32LE(isColumns ? 8 : 4)
    for (let at = textsEnd; at < end; at += 16) {
      const same = uuids.get(bytes.readInt32LE(at))
      if (same?.some((uuid) => uuid.equals(bytes.subarray(at, at + 16)))) return true
    }
    // The uuids of columns are those of records; those of sessions stand among the texts, of which there are few.
    if (isColumns) return textsIn(bytes, start, textsEnd).some((text) => all.has(text))
    return texts.length > 0 && texts.some((text) => bytes.subarray(start, textsEnd).includes(text))
  }
}

function textsIn(bytes: Buffer, start: number, end: number): readonly string[] {
  return JSON.parse(bytes.toString('utf8', start, end)) as readonly string[]
}
