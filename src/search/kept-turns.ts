// Where the records of all conversations belong, in one text: a search for common words asks for hundreds of them, and
// each stands on pages of its own. Written while the index is settled, and forgotten with that.

import type { Database } from './database.ts'
import { MIGRATIONS } from './schema.ts'
import { statement } from './statements.ts'
import { readable } from './unreadable.ts'

/** More than that takes longer to read than what is asked for one by one. */
const BYTES_MAX = 1 << 18

/** Null where nobody has written it. What it holds for a file is as `conversation.turns` has it. */
export function keptTurns(database: Database): ((file: number) => Uint8Array | null) | null {
  const row = statement(database, 'SELECT value FROM setting WHERE name = ?').get(NAME)
  if (row === undefined) return null
  const read = (): unknown => JSON.parse((row as { readonly value: string }).value)
  const all = readable(read) as Readonly<Record<string, string>>
  return (file) => {
    const text = all[file]
    return text === undefined ? null : Buffer.from(text, 'hex')
  }
}

/** In the transaction of whoever has found the index settled. */
export function keepTurns(database: Database): void {
  database.exec(
    `INSERT OR REPLACE INTO setting(name, value) SELECT '${NAME}', json_group_object(file, hex(turns)) FROM
     (SELECT file, turns, min(project) FROM conversation GROUP BY file) HAVING sum(length(turns)) < ${BYTES_MAX}`,
  )
}

/** Begins as all that is forgotten does; packed as this version of the index packs it. */
const NAME = `settled turns ${MIGRATIONS.length}`
