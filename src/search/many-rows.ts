// Rows that are added to one table, many by one statement: to hand a statement over takes longer than to store a row.

import type { Database } from './database.ts'

type Statement = ReturnType<Database['prepare']>
type Value = number | string | Uint8Array | null

/** Each is used for as long as there are so many. */
const STEPS = [32, 8, 1] as const

export class ManyRows {
  readonly #statements: readonly (readonly [rows: number, statement: Statement])[]
  readonly #columns: number
  readonly #most: number
  #values: Value[] = []

  /** `most` is how many rows one statement may add. */
  constructor(database: Database, table: string, columns: readonly string[], most: number) {
    const row = `(${columns.map(() => '?').join(', ')})`
    const insert = `INSERT INTO ${table}(${columns.join(', ')}) VALUES`
    const steps = STEPS.filter((rows) => rows <= most)
    this.#statements = steps.map((rows) => [rows, database.prepare(insert + Array(rows).fill(row).join(', '))])
    this.#columns = columns.length
    this.#most = Math.max(...steps)
  }

  /** Bytes must stay what they are until `end`. */
  add(...row: Value[]): void {
    this.#values.push(...row)
    if (this.#values.length === this.#most * this.#columns) this.end()
  }

  end(): void {
    const values = this.#values
    this.#values = []
    let at = 0
    for (const [rows, statement] of this.#statements) {
      const count = rows * this.#columns
      for (; at + count <= values.length; at += count) statement.run(...values.slice(at, at + count))
    }
  }
}
