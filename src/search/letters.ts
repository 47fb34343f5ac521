// Which characters belong to words, and what they are folded to: the tokenizer of FTS5 is asked, so that there is one
// answer. It is asked in a database of its own.

import type { Database } from './database.ts'
import { openScratch } from './database.ts'

/** As the word tables of the schema have it. */
const TOKENIZER = 'unicode61 remove_diacritics 2'

export interface Letter {
  readonly code: number
  /** A mark goes on with a word and begins none. */
  readonly kind: 'separator' | 'letter' | 'mark'
  /** The character that stands for it in the index; null for none. */
  readonly fold: number | null
}

let asked: Database | null = null

export function lettersOf(codes: readonly number[]): readonly Letter[] {
  asked ??= open()
  const database = asked
  database.exec('BEGIN')
  const add = database.prepare('INSERT INTO letter(rowid, text) VALUES(?, ?)')
  for (const code of codes) {
    const character = String.fromCodePoint(code)
    // Inside of a word, and alone.
    add.run(code, Buffer.from(`a${character}b ${character}`))
  }
  const words = new Map<number, string[]>()
  const rows = database.prepare('SELECT doc, term FROM instance ORDER BY doc, offset').all()
  for (const { doc, term } of rows as unknown as readonly { readonly doc: number; readonly term: string }[])
    words.set(doc, [...(words.get(doc) ?? []), term])
  database.exec('ROLLBACK')
  return codes.map((one) => letterOf(one, words.get(one) ?? []))
}

function open(): Database {
  const database = openScratch()
  database.exec(`CREATE VIRTUAL TABLE letter USING fts5(text, content='', tokenize="${TOKENIZER}")`)
  database.exec("CREATE VIRTUAL TABLE instance USING fts5vocab('letter', 'instance')")
  return database
}

function letterOf(code: number, [inside = '', ...others]: readonly string[]): Letter {
  if (inside === 'a') return { code, kind: 'separator', fold: null }
  const fold = inside.slice(1, -1).codePointAt(0) ?? null
  return { code, kind: others.length > 0 ? 'letter' : 'mark', fold }
}
