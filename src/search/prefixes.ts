// A few letters that very many words begin with. FTS5 gathers every doc of every such word before it gives the first; the
// newest docs of the commonest of these words are found at once, and hardly anybody could tell them apart.

import { fold } from '../base/fold.ts'
import type { Database } from './database.ts'
import type { Query } from './query.ts'
import { statement } from './statements.ts'

/** As many docs are gathered in no time. */
const DOCS_MAX = 6000
const WORDS_MAX = 24
/** Behind all letters. */
const LAST = '\u{10ffff}'

/** The same with common words in place of their beginning; null for a query that needs none of this. */
export function withFrequentWords(database: Database, query: Query): Query | null {
  const [term, ...others] = query.groups.flat()
  const [word, ...words] = term?.words ?? []
  if (term?.isPrefix !== true || word === undefined || others.length + words.length > 0) return null
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_words USING fts5vocab('main', 'said', 'row')`)
  const plain = fold(word)
  const { found, docs } = statement(
    database,
    `SELECT group_concat(term, ' ') AS found, max(docs) AS docs FROM
     (SELECT term, sum(doc) OVER () AS docs FROM said_words WHERE term >= ? AND term < ? ORDER BY doc DESC LIMIT ?)`,
  ).get(plain, plain + LAST, WORDS_MAX) as unknown as Found
  if (found === null || docs < DOCS_MAX) return null
  return { ...query, groups: [found.split(' ').map((one) => ({ ...term, words: [one], isPrefix: false }))] }
}

interface Found {
  readonly found: string | null
  readonly docs: number
}
