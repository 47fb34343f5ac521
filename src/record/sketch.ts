// One sketch of the scanner while it is looked at, by the names of the layout.

import * as layout from './scan-layout.ts'
import type { Scanner } from './scanner.ts'

/** What it gives is valid until the scanner goes on. */
export class Sketch {
  readonly #scanner: Scanner
  readonly #sketches: Int32Array
  readonly #blocks: Int32Array
  readonly #names: readonly string[]
  #ids = ''
  #at = 0
  #firstBlock = 0

  constructor(scanner: Scanner) {
    this.#scanner = scanner
    this.#sketches = scanner.sketches
    this.#blocks = scanner.blocks
    this.#names = scanner.names
  }

  /** After each scan, before its sketches are looked at. */
  refresh(): void {
    this.#ids = this.#scanner.ids()
  }

  move(index: number): void {
    this.#at = index * layout.SKETCH_NUMBERS
    this.#firstBlock = this.number(layout.FIRST_BLOCK)
  }

  number(place: number): number {
    return this.#sketches[this.#at + place] as number
  }

  hasFlag(flag: number): boolean {
    return (this.number(layout.SKETCH_FLAGS) & flag) !== 0
  }

  id(place: number): string | null {
    const length = this.number(place + 1)
    if (length < 0) return null
    const start = this.number(place)
    return this.#ids.slice(start, start + length)
  }

  name(place: number): string | null {
    const name = this.number(place)
    return name < 0 ? null : (this.#names[name] ?? this.#scanner.name(name))
  }

  get timestampMs(): number | null {
    const day = this.number(layout.TIME_DAY)
    return day < 0 ? null : day * 86_400_000 + this.number(layout.TIME_MS)
  }

  /** As UTF-8; empty for a record that says nothing outside of a message. */
  get text(): Uint8Array {
    const start = this.number(layout.TEXT)
    return start < 0 ? NO_BYTES : this.#scanner.texts.subarray(start, start + this.number(layout.TEXT_LENGTH))
  }

  /** An attachment as it is written in the line. */
  get attached(): Uint8Array {
    const start = this.number(layout.ATTACHED)
    return this.#scanner.input.subarray(start, start + this.number(layout.ATTACHED_LENGTH))
  }

  get blockCount(): number {
    return this.number(layout.BLOCK_COUNT)
  }

  blockNumber(block: number, place: number): number {
    return this.#blocks[(this.#firstBlock + block) * layout.BLOCK_NUMBERS + place] as number
  }

  blockHas(block: number, flag: number): boolean {
    return (this.blockNumber(block, layout.BLOCK_FLAGS) & flag) !== 0
  }

  blockKind(block: number): string {
    const kind = this.blockNumber(block, layout.BLOCK_KIND)
    return this.#names[kind] ?? this.#scanner.name(kind)
  }

  blockName(block: number): string {
    return this.#scanner.name(this.blockNumber(block, layout.BLOCK_NAME))
  }

  blockId(block: number): string {
    const start = this.blockNumber(block, layout.BLOCK_ID)
    return this.#ids.slice(start, start + this.blockNumber(block, layout.BLOCK_ID + 1))
  }

  /** The input of a call as it is written in the line. */
  blockInput(block: number): Uint8Array {
    const start = this.blockNumber(block, layout.BLOCK_INPUT)
    return this.#scanner.input.subarray(start, start + this.blockNumber(block, layout.BLOCK_INPUT_LENGTH))
  }

  /** As UTF-8; empty for a Block without one. */
  blockText(block: number): Uint8Array {
    const start = this.blockNumber(block, layout.BLOCK_TEXT)
    return this.#scanner.texts.subarray(start, start + Math.max(0, this.blockNumber(block, layout.BLOCK_TEXT_LENGTH)))
  }
}

const NO_BYTES = new Uint8Array(0)
