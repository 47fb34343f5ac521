// Whether a Turn holds a word, wherever in it. For words so common that the list of all their docs is too long to have:
// the index is asked about the docs of one Turn. They lie close together where a file was read at once; a session that
// was read bit by bit while it grew has those of others in between.

import type { Candidate, Matches } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { Table } from './ids-matching.ts'
import { statement } from './statements.ts'
import type { TurnHit } from './turn-hits.ts'
import { keyOf } from './turn-hits.ts'

/** How far from a record the others of its Turn are looked for. */
const REACH = 256

type Statement = ReturnType<Database['prepare']>

/** Docs whose ids follow each other, or nearly so. */
interface Run {
  readonly from: number
  readonly to: number
}

const GAP = 64

export class TurnWords {
  readonly #conversations: Conversations
  readonly #matching: Readonly<Record<Table, Statement>>
  readonly #docs: Statement
  readonly #records: Statement
  readonly #runs = new Map<string, readonly Run[]>()

  constructor(database: Database, conversations: Conversations) {
    this.#conversations = conversations
    // As one text each: a row apiece would take longer to hand over than to find.
    const matching = (table: Table): Statement =>
      statement(
        database,
        `SELECT group_concat(doc.record) AS numbers FROM ${table} CROSS JOIN doc ON doc.id = ${table}.rowid
         WHERE ${table} MATCH ? AND ${table}.rowid BETWEEN ? AND ? AND doc.file = ?`,
      )
    this.#matching = { said: matching('said'), done: matching('done') }
    this.#docs = statement(
      database,
      'SELECT group_concat(id) AS numbers FROM doc WHERE file = ? AND record BETWEEN ? AND ?',
    )
    this.#records = statement(
      database,
      'SELECT group_concat(record) AS numbers FROM doc WHERE file = ? AND id IN (SELECT value FROM json_each(?))',
    )
  }

  holds(turn: TurnHit, { said, done }: Matches): boolean {
    return this.#isIn(turn, 'said', said) || this.#isIn(turn, 'done', done)
  }

  /** For what would take long to look up Turn by Turn: `docs` are all that have it. */
  holdsAny(turn: TurnHit, docs: ReadonlySet<number>): boolean {
    const ids: number[] = []
    for (const { from, to } of this.#runsOf(turn)) for (let id = from; id <= to; id++) if (docs.has(id)) ids.push(id)
    const { file } = turn.docs[0] as Candidate
    return numbersOf(this.#records.get(file, JSON.stringify(ids))).some((record) => this.#isHere(turn, record))
  }

  #isIn(turn: TurnHit, table: Table, match: string | null): boolean {
    if (match === null) return false
    const { file } = turn.docs[0] as Candidate
    return this.#runsOf(turn).some(({ from, to }) => {
      const records = numbersOf(this.#matching[table].get(match, from, to, file))
      return records.some((record) => this.#isHere(turn, record))
    })
  }

  #runsOf(turn: TurnHit): readonly Run[] {
    const key = keyOf(turn)
    const known = this.#runs.get(key)
    if (known !== undefined) return known
    const { file, record } = turn.docs[0] as Candidate
    // From the first to the last record of the Turn; what is not of it in between is found out when it matches.
    let [first, last] = [record, record]
    for (let at = record - 1; at >= Math.max(0, record - REACH); at--) if (this.#isHere(turn, at)) first = at
    for (let at = record + 1; at <= record + REACH; at++) if (this.#isHere(turn, at)) last = at
    const ids = [...numbersOf(this.#docs.get(file, first, last))]
    const runs = runsOf(ids.sort((one, other) => one - other))
    this.#runs.set(key, runs)
    return runs
  }

  #isHere({ docs, place }: TurnHit, record: number): boolean {
    const { branch, turn } = this.#conversations.place((docs[0] as Candidate).file, record)
    return branch === place.branch && turn === place.turn
  }
}

function numbersOf(row: unknown): readonly number[] {
  const { numbers } = row as { readonly numbers: string | null }
  return numbers === null ? [] : numbers.split(',').map(Number)
}

function runsOf(ids: readonly number[]): readonly Run[] {
  const runs: Run[] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last !== undefined && id - last.to <= GAP) runs[runs.length - 1] = { from: last.from, to: id }
    else runs.push({ from: id, to: id })
  }
  return runs
}
