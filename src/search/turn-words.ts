// Whether a Turn holds a word, wherever in it. For words so common that the list of all their docs is too long to have:
// the index is asked about the docs of one Turn, which lie close together.

import type { Candidate, Matches, Table } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { TurnHit } from './turn-hits.ts'
import { keyOf } from './turn-hits.ts'

/** How far from a doc the others of its Turn are looked for, in docs. */
const REACH = 256

type Statement = ReturnType<Database['prepare']>

export class TurnWords {
  readonly #conversations: Conversations
  readonly #around: Statement
  readonly #matching: Readonly<Record<Table, Statement>>
  readonly #docs = new Map<string, ReadonlySet<number>>()

  constructor(database: Database, conversations: Conversations) {
    this.#conversations = conversations
    this.#around = database.prepare('SELECT id, record FROM doc WHERE id BETWEEN ? AND ? AND file = ?')
    const matching = (table: Table): Statement =>
      database.prepare(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? AND rowid BETWEEN ? AND ?`)
    this.#matching = { said: matching('said'), done: matching('done') }
  }

  holds(turn: TurnHit, { said, done }: Matches): boolean {
    const ids = this.#idsOf(turn)
    const [from, to] = [Math.min(...ids), Math.max(...ids)]
    const isIn = (table: Table, match: string | null): boolean =>
      match !== null &&
      (this.#matching[table].all(match, from, to) as unknown as readonly { readonly id: number }[]).some(({ id }) =>
        ids.has(id),
      )
    return isIn('said', said) || isIn('done', done)
  }

  #idsOf(turn: TurnHit): ReadonlySet<number> {
    const key = keyOf(turn)
    const known = this.#docs.get(key)
    if (known !== undefined) return known
    const { id, file } = turn.docs[0] as Candidate
    const rows = this.#around.all(id - REACH, id + REACH, file) as unknown as readonly { id: number; record: number }[]
    const { branch, turn: number } = turn.place
    const isHere = (record: number): boolean => {
      const place = this.#conversations.place(file, record)
      return place.branch === branch && place.turn === number
    }
    const ids = new Set([id, ...rows.filter(({ record }) => isHere(record)).map((row) => row.id)])
    this.#docs.set(key, ids)
    return ids
  }
}
