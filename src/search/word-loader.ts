// The words of a first build, gathered in WebAssembly and written as segments that FTS5 would have written itself, to the
// byte (test/search/word-loader.test.ts). Everything else about the word tables stays with FTS5: queries, what is
// appended later, what is deleted, and merging.

import { wasmHere } from '../load/wasm-here.ts'
import type { Database } from './database.ts'
import type { PackedDocs } from './docs.ts'
import { DONE_FIELDS, NUMBERS_PER_DOC, SAID_FIELDS } from './docs.ts'
import type { Letter } from './letters.ts'
import { lettersOf } from './letters.ts'
import { ManyRows } from './many-rows.ts'
import type { SegmentList } from './segment-list.ts'
import {
  freeId,
  isSegmentList,
  nextOrigin,
  packSegmentList,
  readSegmentList,
  readVarint,
  varintOf,
  withSegment,
} from './segment-list.ts'
import type { WordWriter } from './word-rows.ts'
import { WordRows } from './word-rows.ts'

type Statement = ReturnType<Database['prepare']>

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly start: () => void
  readonly makeRoom: (docs: number, bytes: number) => number
  readonly textsAt: () => number
  readonly gathered: () => number
  readonly setLetter: (code: number, kind: number, fold: number) => void
  readonly unknownLetters: (length: number) => number
  readonly unknownAt: () => number
  readonly addDocs: (from: number, to: number, rowid: number, textOffset: number, most: number) => number
  readonly textOffset: () => number
  readonly writeSegment: (table: number) => number
  readonly rowsOf: (table: number) => number
  readonly sizesAt: (table: number) => number
  readonly sizeCount: (table: number) => number
  readonly wordsOf: (table: number, column: number) => number
  readonly forget: () => void
}

/** What is used of WebAssembly, whose types come only with those of a whole browser. */
interface WebAssemblyPart {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (compiled: object, imports: object) => { readonly exports: unknown }
}

declare const WebAssembly: WebAssemblyPart

const TABLES = [
  { name: 'said', columns: SAID_FIELDS.length },
  { name: 'done', columns: DONE_FIELDS.length },
] as const

/** What is gathered before it is written: the more, the fewer segments a query has to ask. */
const GATHERED_BYTES = 80 << 20
const ROOM_DOCS = 1 << 13
const ROOM_BYTES = 8 << 20

const ASCII = Array.from({ length: 0x80 }, (_, code) => code)
const KINDS: Readonly<Record<Letter['kind'], number>> = { separator: 1, letter: 2, mark: 3 }

/** Where the pages of a segment stand: id, whether it is a list of what is first on leaves, height of that, number. */
const SEGMENT_STEP = 2 ** 37
const SKIPS_STEP = 2 ** 36
const HEIGHT_STEP = 2 ** 31

/** Of a row: its number, the length of what follows, and how many words each of its columns has. */
const SIZE_BYTES = 32
const SIZE_HEAD_BYTES = 8

const TOTALS_ROW = 1
const SEGMENTS_ROW = 10

/** Of the tables behind a word table, as all of this knows them [FTS5_CURRENT_VERSION]. */
const FORM = 4

/** Where it cannot be had, FTS5 is given the texts, which gives the same and takes longer. */
export function openWordLoader(database: Database): WordWriter {
  const compiled = TABLES.every(({ name }) => isKnownForm(database, name))
    ? wasmHere('search/words.wasm', compile)
    : null
  return compiled === null ? new WordRows(database) : new WordLoader(database, compiled)
}

function isKnownForm(database: Database, name: string): boolean {
  const version = database.prepare(`SELECT v FROM ${name}_config WHERE k = 'version'`).get()
  return (
    (version as { readonly v: number } | undefined)?.v === FORM && isSegmentList(record(database, name, SEGMENTS_ROW))
  )
}

function record(database: Database, name: string, row: number): Uint8Array {
  const found = database.prepare(`SELECT block FROM ${name}_data WHERE id = ?`).get(row)
  return (found as { readonly block: Uint8Array } | undefined)?.block ?? new Uint8Array(0)
}

function compile(bytes: Uint8Array): object {
  return new WebAssembly.Module(bytes)
}

class WordLoader implements WordWriter {
  readonly rowsAtOnce = 32
  readonly #database: Database
  readonly #wasm: Exports
  readonly #sizes: readonly ManyRows[]
  #bytes: Uint8Array
  #numbersAt = 0
  #roomDocs = 0
  #roomBytes = 0
  #origins: readonly number[]
  #addLeaf: Statement | null = null
  #addTerm: Statement | null = null
  #segment = 0

  constructor(database: Database, compiled: object) {
    this.#database = database
    // Else SQLite lets nobody but FTS5 write its tables.
    database.enableDefensive(false)
    this.#sizes = TABLES.map(
      ({ name }) => new ManyRows(database, `${name}_docsize`, ['id', 'sz', 'origin'], this.rowsAtOnce),
    )
    this.#origins = TABLES.map(({ name }) => nextOrigin(this.#segments(name)))
    const pages = {
      leaf: (page: number, at: number, length: number): void =>
        this.#putPage(this.#segment * SEGMENT_STEP + page, at, length),
      skips: (height: number, page: number, at: number, length: number): void =>
        this.#putPage(this.#segment * SEGMENT_STEP + SKIPS_STEP + height * HEIGHT_STEP + page, at, length),
      term: (at: number, length: number, page: number): void => {
        this.#addTerm?.run(BigInt(this.#segment), this.#view(at, length), BigInt(page))
      },
    }
    this.#wasm = new WebAssembly.Instance(compiled, { pages }).exports as Exports
    this.#wasm.start()
    this.#bytes = new Uint8Array(this.#wasm.memory.buffer)
    for (const letter of lettersOf(ASCII)) this.#learn(letter)
    this.#makeRoom(ROOM_DOCS, ROOM_BYTES)
  }

  add({ texts, numbers }: PackedDocs, firstId: number): void {
    const count = numbers.length / NUMBERS_PER_DOC
    if (count > this.#roomDocs || texts.length > this.#roomBytes) {
      this.write()
      this.#makeRoom(Math.max(count, this.#roomDocs), Math.max(texts.length, this.#roomBytes))
    }
    this.#view(this.#numbersAt, numbers.byteLength).set(
      new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
    )
    this.#view(this.#wasm.textsAt(), texts.length).set(texts)
    this.#learnLetters(texts.length)
    let offset = 0
    for (let doc = 0; doc < count; ) {
      doc = this.#wasm.addDocs(doc, count, firstId + doc, offset, GATHERED_BYTES)
      offset = this.#wasm.textOffset()
      this.#writeSizes()
      if (doc < count) this.write()
    }
  }

  write(): void {
    // What FTS5 holds back goes into its tables first.
    for (const { name } of TABLES) this.#database.exec(`INSERT INTO ${name}(${name}) VALUES('flush')`)
    for (const [table, { name, columns }] of TABLES.entries()) {
      const docs = this.#wasm.rowsOf(table)
      if (docs === 0) continue
      const list = this.#segments(name)
      const id = freeId(list)
      this.#segment = id
      this.#addLeaf = this.#database.prepare(`INSERT INTO ${name}_data(id, block) VALUES(?, ?)`)
      this.#addTerm = this.#database.prepare(`INSERT INTO ${name}_idx(segid, term, pgno) VALUES(?, ?, ?)`)
      const leaves = this.#wasm.writeSegment(table)
      const origin = this.#origins[table] as number
      if (leaves > 0)
        this.#putRecord(name, SEGMENTS_ROW, packSegmentList(withSegment(list, { id, leaves, origin, docs })))
      this.#addTotals(name, [
        docs,
        ...Array.from({ length: columns }, (_, column) => this.#wasm.wordsOf(table, column)),
      ])
    }
    this.#wasm.forget()
    this.#origins = TABLES.map(({ name }) => nextOrigin(this.#segments(name)))
    this.#tellFts5()
  }

  close(): void {
    this.#database.enableDefensive(true)
  }

  /** FTS5 keeps its list of segments in memory and does not notice; to go back behind a change of its own makes it forget. */
  #tellFts5(): void {
    this.#database.exec('SAVEPOINT segments')
    for (const { name } of TABLES)
      this.#database.exec(`INSERT INTO ${name}(${name}, rank) VALUES('hashsize', ${1 << 20})`)
    this.#database.exec('ROLLBACK TO segments; RELEASE segments')
  }

  #writeSizes(): void {
    for (const [table, rows] of this.#sizes.entries()) {
      const count = this.#wasm.sizeCount(table)
      const from = this.#wasm.sizesAt(table)
      const bytes = this.#view(from, count * SIZE_BYTES)
      const numbers = new Int32Array(bytes.buffer, bytes.byteOffset, (count * SIZE_BYTES) / 4)
      for (let row = 0; row < count; row++) {
        const at = row * SIZE_BYTES + SIZE_HEAD_BYTES
        const id = numbers[(row * SIZE_BYTES) / 4] as number
        const length = numbers[(row * SIZE_BYTES) / 4 + 1] as number
        rows.add(id, bytes.subarray(at, at + length), this.#origins[table] as number)
      }
      rows.end()
    }
  }

  #makeRoom(docs: number, bytes: number): void {
    this.#numbersAt = this.#wasm.makeRoom(docs, bytes)
    this.#roomDocs = docs
    this.#roomBytes = bytes
  }

  #learnLetters(length: number): void {
    for (let count = this.#wasm.unknownLetters(length); count > 0; count = this.#wasm.unknownLetters(length)) {
      const codes = [...new Int32Array(this.#wasm.memory.buffer, this.#wasm.unknownAt(), count)]
      for (const letter of lettersOf(codes)) this.#learn(letter)
    }
  }

  #learn({ code, kind, fold }: Letter): void {
    this.#wasm.setLetter(code, KINDS[kind], fold ?? 0)
  }

  #view(at: number, length: number): Uint8Array {
    // Whenever the memory has grown, it is another one.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#wasm.memory.buffer)
    return this.#bytes.subarray(at, at + length)
  }

  #putPage(row: number, at: number, length: number): void {
    this.#addLeaf?.run(row, this.#view(at, length))
  }

  #segments(name: string): SegmentList {
    return readSegmentList(record(this.#database, name, SEGMENTS_ROW))
  }

  #addTotals(name: string, more: readonly number[]): void {
    const before = record(this.#database, name, TOTALS_ROW)
    let at = 0
    const sums = more.map((count) => {
      const [sum, end] = at < before.length ? readVarint(before, at) : [0, at]
      at = end
      return sum + count
    })
    this.#putRecord(name, TOTALS_ROW, Uint8Array.from(sums.flatMap(varintOf)))
  }

  #putRecord(name: string, row: number, block: Uint8Array): void {
    this.#database.prepare(`REPLACE INTO ${name}_data(id, block) VALUES(?, ?)`).run(row, block)
  }
}
