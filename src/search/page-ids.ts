// Ids of messages, requests and tool calls (`msg_01…`, `req_01…`, `toolu_01…`): a few beginnings, each with some length, and
// behind them letters and digits, six bits each. An id that is none of these is a text.

import type { Envelope, ToolUseRef } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import { CALLS_ARE_NAMED, MESSAGE, NAMED, NEXT, REQUEST, SAME } from './page-marks.ts'
import type { TextReader, TextWriter } from './page-texts.ts'
import { packSixBits } from './six-bits.ts'

interface IdShape {
  readonly start: string
  readonly length: number
}

const NEW = 0
const KNOWN = 1
const WAYS = 2
const PLAIN = /^[!-~]*$/
const LETTERS = /^[0-9A-Za-z]*$/

export class IdWriter {
  readonly #texts: TextWriter
  readonly #isExact: boolean
  readonly #ids: string[] = []
  readonly #ends: string[] = []
  readonly #shapes: IdShape[] = []
  readonly #shapeNumbers: number[] = []
  readonly named = new ColumnWriter()
  readonly linked = new ColumnWriter()

  constructor(texts: TextWriter, isExact: boolean) {
    this.#texts = texts
    this.#isExact = isExact
  }

  /** All but those of links. */
  add(envelopes: readonly Envelope[], marks: Uint16Array): void {
    let lastMessage: string | null = null
    let lastRequest: string | null = null
    for (let index = 0; index < envelopes.length; index++) {
      const { messageId, requestId, toolUses, toolResults } = envelopes[index] as Envelope
      let ways = 0
      if (messageId !== null) ways = (messageId === lastMessage ? SAME : this.#add(messageId)) << MESSAGE
      if (requestId !== null) ways |= (requestId === lastRequest ? SAME : this.#add(requestId)) << REQUEST
      lastMessage = messageId ?? lastMessage
      lastRequest = requestId ?? lastRequest
      if (toolUses.length > 0) ways |= this.#addCalls(toolUses)
      for (const { id } of toolResults) this.#name(id)
      marks[index] = (marks[index] as number) | ways
    }
  }

  /** The id of a link: its place among those of records, or else a text. */
  link(id: string): void {
    const known = this.#ids.lastIndexOf(id)
    this.linked.whole(known >= 0 ? known * WAYS + KNOWN : this.#texts.text(id) * WAYS)
  }

  shapes(): ColumnWriter {
    const to = new ColumnWriter()
    to.whole(this.#shapes.length)
    for (const { start, length } of this.#shapes) {
      to.whole(this.#texts.text(start))
      to.whole(length)
    }
    to.whole(this.#ids.length)
    for (const shape of this.#shapeNumbers) to.whole(shape)
    return to
  }

  /** Null when one of them only looked like an id. */
  written(): Buffer | null {
    return packSixBits(this.#ends.join(''))
  }

  #add(id: string): typeof NEXT | typeof NAMED {
    const shape = this.#shapeOf(id)
    if (shape >= 0) this.#addAs(id, shape)
    else this.#name(id)
    return shape >= 0 ? NEXT : NAMED
  }

  /** Where one of them is no plain id, all are named. */
  #addCalls(calls: readonly ToolUseRef[]): number {
    if (calls.length === 1) return this.#add((calls[0] as ToolUseRef).id) === NEXT ? 0 : CALLS_ARE_NAMED
    const arePlain = calls.every(({ id }) => this.#shapeOf(id) >= 0)
    for (const { id } of calls) {
      if (arePlain) this.#addAs(id, this.#shapeOf(id))
      else this.#name(id)
    }
    return arePlain ? 0 : CALLS_ARE_NAMED
  }

  /** An id that was there before, mostly one of the last, or else is now. */
  #name(id: string): void {
    const known = this.#ids.lastIndexOf(id)
    if (known >= 0) {
      this.named.whole((this.#ids.length - 1 - known) * WAYS + KNOWN)
      return
    }
    const shape = this.#shapeOf(id)
    if (shape >= 0) this.#addAs(id, shape)
    this.named.whole(shape >= 0 ? NEW : this.#texts.text(id) * WAYS)
  }

  #addAs(id: string, shape: number): void {
    this.#shapeNumbers.push(shape)
    this.#ids.push(id)
    this.#ends.push(id.slice((this.#shapes[shape] as IdShape).start.length))
  }

  /** Negative for what is none. */
  #shapeOf(id: string): number {
    let startLength = id.lastIndexOf('_') + 1
    if (id.startsWith('01', startLength)) startLength += 2
    if (this.#isExact && !LETTERS.test(id.slice(startLength))) return -1
    for (let number = 0; number < this.#shapes.length; number++) {
      const { start, length } = this.#shapes[number] as IdShape
      if (length === id.length && start.length === startLength && id.startsWith(start)) return number
    }
    const start = id.slice(0, startLength)
    return PLAIN.test(start) ? this.#shapes.push({ start, length: id.length }) - 1 : -1
  }
}

export class IdReader {
  readonly #ids: readonly string[]
  readonly #texts: TextReader
  #next = 0

  constructor(ids: readonly string[], texts: TextReader) {
    this.#ids = ids
    this.#texts = texts
  }

  next(): string {
    return this.#ids[this.#next++] as string
  }

  name(from: ColumnReader): string {
    const code = from.whole()
    if (code === NEW) return this.next()
    const half = code >> 1
    return ((code & 1) === KNOWN ? this.#ids[this.#next - 1 - half] : this.#texts.text(half)) as string
  }

  link(from: ColumnReader): string {
    const code = from.whole()
    const half = code >> 1
    return ((code & 1) === KNOWN ? this.#ids[half] : this.#texts.text(half)) as string
  }
}
