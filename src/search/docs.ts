// Texts on their way to the word index, as bytes in one piece: they cross from the reading thread to the writing one
// without becoming strings again, and SQLite takes bytes faster than strings.

import type { Envelope } from '../record/model.ts'
import type { DocRoom } from './doc-room.ts'
import type { RecordTexts } from './texts.ts'
import type { Indexed, Words } from './words.ts'
import { indexedOutput, indexedSaid } from './words.ts'

export const SAID_FIELDS = ['prompt', 'reply', 'thinking'] as const satisfies readonly (keyof RecordTexts)[]
export const DONE_FIELDS = ['tools', 'files', 'commands', 'output'] as const satisfies readonly (keyof RecordTexts)[]

/** What a doc is, in the lowest bits of its kind; the flags are above them. */
export const DOC_KINDS = ['prompt', 'reply', 'call', 'result', 'harness', 'queued'] as const
export type DocKind = (typeof DOC_KINDS)[number]
export const KIND_MASK = 0x0f
/** Not all of its text is in the word index. */
export const IS_CUT = 0x10

export interface PackedDocs {
  readonly texts: Uint8Array
  /** Per doc: record, kind, and the byte lengths of its fields in the order of SAID_FIELDS and DONE_FIELDS. */
  readonly numbers: Int32Array
  /** Per doc: copy key, time (NaN for none), offset, length. */
  readonly places: Float64Array
  /** How much of the room where they stand is free again when they are written. */
  readonly taken: number
}

/** The texts of a record, those that are all ASCII as bytes or not. */
export type DocTexts = { readonly [Field in keyof RecordTexts]: Words }

export const NUMBERS_PER_DOC = 2 + SAID_FIELDS.length + DONE_FIELDS.length
export const PLACES_PER_DOC = 4

export class DocPacker {
  #texts = Buffer.allocUnsafe(1 << 16)
  #length = 0
  readonly #numbers: number[] = []
  readonly #places: number[] = []

  get sizeBytes(): number {
    return this.#length
  }

  add(record: number, envelope: Envelope, texts: DocTexts, copyKey: number): void {
    const start = this.#numbers.length
    this.#numbers.push(record, 0)
    let isCut = false
    for (const field of SAID_FIELDS) {
      isCut = this.#writeIndexed(indexedSaid(texts[field])) || isCut
    }
    for (const field of DONE_FIELDS) {
      // Of what was said before a compaction a Recap may be all that is left; and a path is asked for wherever it stands.
      const isWhole = envelope.kind === 'recap' || field === 'files'
      isCut = this.#writeIndexed((isWhole ? indexedSaid : indexedOutput)(texts[field])) || isCut
    }
    this.#numbers[start + 1] = kindOf(envelope) | (isCut ? IS_CUT : 0)
    this.#places.push(copyKey, envelope.timestampMs ?? Number.NaN, envelope.offset, envelope.length)
  }

  /** One behind the other, so that they are handed to another thread in one piece. */
  finish(room: DocRoom): PackedDocs {
    const placesBytes = this.#places.length * Float64Array.BYTES_PER_ELEMENT
    const numbersBytes = this.#numbers.length * Int32Array.BYTES_PER_ELEMENT
    const { buffer, offset, taken } = room.take(placesBytes + numbersBytes + this.#length)
    const places = new Float64Array(buffer, offset, this.#places.length)
    const numbers = new Int32Array(buffer, offset + placesBytes, this.#numbers.length)
    const texts = new Uint8Array(buffer, offset + placesBytes + numbersBytes, this.#length)
    places.set(this.#places)
    numbers.set(this.#numbers)
    texts.set(this.#texts.subarray(0, this.#length))
    return { texts, numbers, places, taken }
  }

  /** True when something was left out. */
  #writeIndexed({ head, end }: Indexed): boolean {
    const written = this.#write(head)
    this.#numbers.push(end === null ? written : written + this.#write('\n') + this.#write(end))
    return end !== null
  }

  #write(text: Words): number {
    if (text.length === 0) return 0
    const room = text.length * 3
    if (this.#length + room > this.#texts.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#texts.length * 2, this.#length + room))
      this.#texts.copy(larger, 0, 0, this.#length)
      this.#texts = larger
    }
    if (typeof text !== 'string') this.#texts.set(text, this.#length)
    const written = typeof text === 'string' ? this.#texts.write(text, this.#length, 'utf8') : text.length
    this.#length += written
    return written
  }
}

function kindOf({ kind, toolUses, type }: Envelope): number {
  return DOC_KINDS.indexOf(docKind())

  function docKind(): DocKind {
    switch (kind) {
      case 'prompt':
        return 'prompt'
      case 'reply':
        return toolUses.length > 0 ? 'call' : 'reply'
      case 'tool-result':
        return 'result'
      case 'metadata':
        return type === 'queue-operation' ? 'queued' : 'harness'
      default:
        return 'harness'
    }
  }
}
