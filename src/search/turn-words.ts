// Whether a Turn holds a word, wherever in it. For words so common that the list of all their docs is too long to have:
// the index is asked about the docs of one Turn, which lie close together.

import type { Candidate, Matches, Table } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { TurnHit } from './turn-hits.ts'
import { keyOf } from './turn-hits.ts'

/** How far from a record the others of its Turn are looked for. */
const REACH = 256

type Statement = ReturnType<Database['prepare']>

interface Bounds {
  readonly from: number
  readonly to: number
}

export class TurnWords {
  readonly #conversations: Conversations
  readonly #matching: Readonly<Record<Table, Statement>>
  readonly #bounds = new Map<string, Bounds>()

  constructor(database: Database, conversations: Conversations) {
    this.#conversations = conversations
    const matching = (table: Table): Statement =>
      database.prepare(
        `SELECT doc.record FROM ${table} CROSS JOIN doc ON doc.id = ${table}.rowid
         WHERE ${table} MATCH ? AND ${table}.rowid BETWEEN ? AND ? AND doc.file = ?`,
      )
    this.#matching = { said: matching('said'), done: matching('done') }
  }

  holds(turn: TurnHit, { said, done }: Matches): boolean {
    return this.#isIn(turn, 'said', said) || this.#isIn(turn, 'done', done)
  }

  #isIn(turn: TurnHit, table: Table, match: string | null): boolean {
    if (match === null) return false
    const { from, to } = this.#boundsOf(turn)
    const { file } = turn.docs[0] as Candidate
    const rows = this.#matching[table].all(match, from, to, file) as unknown as readonly { readonly record: number }[]
    return rows.some(({ record }) => this.#isHere(turn, record))
  }

  /** A record has at most one doc, so no doc of the Turn is farther away than its record is. */
  #boundsOf(turn: TurnHit): Bounds {
    const key = keyOf(turn)
    const known = this.#bounds.get(key)
    if (known !== undefined) return known
    const { id, record } = turn.docs[0] as Candidate
    let [first, last] = [record, record]
    for (let at = Math.max(0, record - REACH); at < record + REACH; at++) {
      if (!this.#isHere(turn, at)) continue
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
    const bounds = { from: id - (record - first), to: id + (last - record) }
    this.#bounds.set(key, bounds)
    return bounds
  }

  #isHere({ docs, place }: TurnHit, record: number): boolean {
    const { branch, turn } = this.#conversations.place((docs[0] as Candidate).file, record)
    return branch === place.branch && turn === place.turn
  }
}
