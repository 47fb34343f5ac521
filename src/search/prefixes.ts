// A few letters that very many words begin with. FTS5 gathers every doc of every such word before it gives the first; the
// newest docs of the commonest of these words are found at once, and hardly anybody could tell them apart.

import { fold } from '../base/fold.ts'
import type { Database } from './database.ts'
import type { Query, Term } from './query.ts'
import { statement } from './statements.ts'

/** As many docs are gathered in no time. */
const DOCS_MAX = 6000
const WORDS_MAX = 24
/** Behind all letters. */
const LAST = '\u{10ffff}'

/** The same with common words in place of each such beginning; null for a query that has none. */
export function withFrequentWords(database: Database, query: Query): Query | null {
  let hasChanged = false
  const groups = query.groups.map((group) =>
    group.flatMap((term) => {
      const words = frequentWords(database, term)
      if (words === null) return [term]
      hasChanged = true
      return words.map((word) => ({ ...term, words: [...term.words.slice(0, -1), word], isPrefix: false }))
    }),
  )
  return hasChanged ? { ...query, groups } : null
}

/** The groups of which nothing was replaced: what has all of them may have the others too, and nothing else can. */
export function withoutBeginnings(query: Query, common: Query): Query {
  const isKept = (group: readonly Term[], at: number): boolean =>
    group.every((term) => common.groups[at]?.includes(term) === true)
  return { ...query, groups: query.groups.filter(isKept) }
}

/** Null where FTS5 has not much to gather. */
export function frequentWords(database: Database, { words, isPrefix }: Term): readonly string[] | null {
  const word = words.at(-1)
  if (!isPrefix || word === undefined) return null
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_words USING fts5vocab('main', 'said', 'row')`)
  const plain = fold(word)
  const { found, docs } = statement(
    database,
    `SELECT group_concat(term, ' ') AS found, max(docs) AS docs FROM
     (SELECT term, sum(doc) OVER () AS docs FROM said_words WHERE term >= ? AND term < ? ORDER BY doc DESC LIMIT ?)`,
  ).get(plain, plain + LAST, WORDS_MAX) as unknown as Found
  return found === null || docs < DOCS_MAX ? null : found.split(' ')
}

interface Found {
  readonly found: string | null
  readonly docs: number
}
