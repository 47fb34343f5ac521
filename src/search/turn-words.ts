// Whether a Turn holds a word, wherever in it. For words so common that the list of all their docs is too long to have:
// the index is asked about the docs of one Turn. They lie close together where a file was read at once; a session that
// was read bit by bit while it grew has those of others in between.

import type { Candidate, Matches, Table } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
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
  readonly #runs = new Map<string, readonly Run[]>()

  constructor(database: Database, conversations: Conversations) {
    this.#conversations = conversations
    const matching = (table: Table): Statement =>
      database.prepare(
        `SELECT doc.record FROM ${table} CROSS JOIN doc ON doc.id = ${table}.rowid
         WHERE ${table} MATCH ? AND ${table}.rowid BETWEEN ? AND ? AND doc.file = ?`,
      )
    this.#matching = { said: matching('said'), done: matching('done') }
    this.#docs = database.prepare('SELECT id, record FROM doc WHERE file = ? AND record BETWEEN ? AND ?')
  }

  holds(turn: TurnHit, { said, done }: Matches): boolean {
    return this.#isIn(turn, 'said', said) || this.#isIn(turn, 'done', done)
  }

  #isIn(turn: TurnHit, table: Table, match: string | null): boolean {
    if (match === null) return false
    const { file } = turn.docs[0] as Candidate
    return this.#runsOf(turn).some(({ from, to }) => {
      const rows = this.#matching[table].all(match, from, to, file) as unknown as readonly { readonly record: number }[]
      return rows.some(({ record }) => this.#isHere(turn, record))
    })
  }

  #runsOf(turn: TurnHit): readonly Run[] {
    const key = keyOf(turn)
    const known = this.#runs.get(key)
    if (known !== undefined) return known
    const { file, record } = turn.docs[0] as Candidate
    const near = this.#docs.all(file, record - REACH, record + REACH) as unknown as readonly NearDoc[]
    const ids = near.filter((doc) => this.#isHere(turn, doc.record)).map(({ id }) => id)
    const runs = runsOf(ids.sort((one, other) => one - other))
    this.#runs.set(key, runs)
    return runs
  }

  #isHere({ docs, place }: TurnHit, record: number): boolean {
    const { branch, turn } = this.#conversations.place((docs[0] as Candidate).file, record)
    return branch === place.branch && turn === place.turn
  }
}

interface NearDoc {
  readonly id: number
  readonly record: number
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
