// The words of docs, handed to FTS5 row by row: the plain way, which every other way has to equal.

import type { Database } from './database.ts'
import type { PackedDocs } from './docs.ts'
import { NUMBERS_PER_DOC } from './docs.ts'

type Statement = ReturnType<Database['prepare']>

export interface WordWriter {
  /** How many rows of other tables one statement may add while words are gathered. */
  readonly rowsAtOnce: number
  /** Docs with ids from one on, all newer than those before. */
  add(docs: PackedDocs, firstId: number): void
  /** All that was gathered, into the tables, within the transaction that is open. */
  write(): void
  close(): void
}

export class WordRows implements WordWriter {
  /** Of several rows one could fail, so SQLite sets a savepoint, at which FTS5 writes out all that it has gathered. */
  readonly rowsAtOnce = 1
  readonly #addSaid: Statement
  readonly #addDone: Statement

  constructor(database: Database) {
    this.#addSaid = database.prepare('INSERT INTO said(rowid, prompt, reply, thinking) VALUES(?, ?, ?, ?)')
    this.#addDone = database.prepare('INSERT INTO done(rowid, tools, files, commands, output) VALUES(?, ?, ?, ?, ?)')
  }

  add({ texts, numbers }: PackedDocs, firstId: number): void {
    let at = 0
    const bytes = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
    const take = (length: number): Buffer | null => {
      at += length
      return length === 0 ? null : bytes.subarray(at - length, at)
    }
    for (let doc = 0; doc * NUMBERS_PER_DOC < numbers.length; doc++) {
      const lengthAt = (place: number): number => numbers[doc * NUMBERS_PER_DOC + place] as number
      const prompt = take(lengthAt(2))
      const reply = take(lengthAt(3))
      const thinking = take(lengthAt(4))
      if (prompt !== null || reply !== null || thinking !== null)
        this.#addSaid.run(firstId + doc, prompt, reply, thinking)
      const tools = take(lengthAt(5))
      const files = take(lengthAt(6))
      const commands = take(lengthAt(7))
      const output = take(lengthAt(8))
      if (tools !== null || files !== null || commands !== null || output !== null)
        this.#addDone.run(firstId + doc, tools, files, commands, output)
    }
  }

  write(): void {
    // FTS5 writes what it has gathered with every commit.
  }

  close(): void {
    // Nothing was opened.
  }
}
