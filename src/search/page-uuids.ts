// The uuids of a page: first those of its records, in their order, then the others that are named there. Who names one of its
// records says how many back it stands. All stand as sixteen bytes each, where textFinder looks for them.

import { isUuid, packUuids, UUID_LENGTH } from '../load/packed-uuids.ts'
import type { Envelope } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import { NAMED, NEXT, PARENT, UUID } from './page-marks.ts'
import type { TextReader, TextWriter } from './page-texts.ts'

const OWN = 0
const OTHER = 1
const TEXT = 2
const WAYS = 4

export class UuidWriter {
  readonly #texts: TextWriter
  readonly #isExact: boolean
  readonly #own: string[] = []
  readonly #others: string[] = []
  readonly #prints: number[] = []
  readonly named = new ColumnWriter()
  readonly linked = new ColumnWriter()

  /** Looking at every character is left to `packUuids`; only where that fails it is done here, for each. */
  constructor(texts: TextWriter, isExact: boolean) {
    this.#texts = texts
    this.#isExact = isExact
  }

  /** Uuids and parents of all records. */
  add(envelopes: readonly Envelope[], marks: Uint16Array): void {
    let last: string | null = null
    for (let index = 0; index < envelopes.length; index++) {
      const { uuid, parentUuid } = envelopes[index] as Envelope
      let ways = 0
      if (parentUuid !== null) {
        ways = (parentUuid === last ? NEXT : NAMED) << PARENT
        if (parentUuid !== last) this.named.whole(this.#codeOf(parentUuid, this.#own.length))
      }
      if (uuid !== null) {
        const isOne = this.#isOne(uuid)
        ways |= (isOne ? NEXT : NAMED) << UUID
        if (!isOne) this.named.whole(this.#codeOf(uuid, this.#own.length))
        else this.#prints[this.#own.push(uuid) - 1] = printOf(uuid)
        last = uuid
      }
      marks[index] = (marks[index] as number) | ways
    }
  }

  /** The uuid of a link, in front of which so many records have one of their own. */
  link(uuid: string, before: number): void {
    this.linked.whole(this.#codeOf(uuid, before))
  }

  get ownCount(): number {
    return this.#own.length
  }

  /** Null when one of them only looked like a uuid. */
  written(): Buffer | null {
    return packUuids([...this.#own, ...this.#others])
  }

  #codeOf(uuid: string, before: number): number {
    const own = this.#ownPlace(uuid, before)
    if (own >= 0) return (before - 1 - own) * WAYS + OWN
    let other = this.#others.lastIndexOf(uuid)
    if (other < 0 && this.#isOne(uuid)) other = this.#others.push(uuid) - 1
    return other >= 0 ? other * WAYS + OTHER : this.#texts.written(uuid) * WAYS + TEXT
  }

  /** Backwards, because it is nearly always one of the last few. Comparing two texts costs more than many numbers. */
  #ownPlace(uuid: string, before: number): number {
    const print = printOf(uuid)
    for (let place = before - 1; place >= 0; place--)
      if (this.#prints[place] === print && this.#own[place] === uuid) return place
    return -1
  }

  #isOne(uuid: string): boolean {
    return this.#isExact ? isUuid(uuid) : uuid.length === UUID_LENGTH
  }
}

/** Four digits, by which two uuids mostly differ. */
function printOf(uuid: string): number {
  if (uuid.length !== UUID_LENGTH) return 0
  return (uuid.charCodeAt(0) << 21) ^ (uuid.charCodeAt(1) << 14) ^ (uuid.charCodeAt(2) << 7) ^ uuid.charCodeAt(3)
}

export class UuidReader {
  readonly #uuids: readonly string[]
  readonly #ownCount: number
  readonly #texts: TextReader
  #before = 0

  constructor(uuids: readonly string[], ownCount: number, texts: TextReader) {
    this.#uuids = uuids
    this.#ownCount = ownCount
    this.#texts = texts
  }

  next(): string {
    return this.#uuids[this.#before++] as string
  }

  /** One of the records before this one, or any other. */
  name(from: ColumnReader): string {
    const code = from.whole()
    const place = code >> 2
    const way = code & 3
    if (way === OWN) return this.#uuids[this.#before - 1 - place] as string
    return (way === OTHER ? this.#uuids[this.#ownCount + place] : this.#texts.text(place)) as string
  }
}
