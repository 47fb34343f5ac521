// A query that is an id finds what has it: a session, a subagent, a record, a tool call.

import { textKey } from '../base/text.ts'
import type { Candidate, CandidateRange } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { Query } from './query.ts'
import type { TurnHit } from './turn-hits.ts'

const ID = /^[0-9a-z][0-9a-z_-]{5,}$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SESSIONS_MAX = 20
/** Above everything that only has words in common. */
export const ID_SCORE = 1000

/** Files of sessions and subagents whose id begins with what was typed. */
export function filesById(database: Database, { typed }: Query, { scope }: CandidateRange): readonly number[] {
  if (!ID.test(typed)) return []
  const rows = database
    .prepare(
      `SELECT id FROM file WHERE (session_id LIKE ? AND role = 'main') OR agent_id LIKE ?
       ORDER BY id DESC LIMIT ${SESSIONS_MAX}`,
    )
    .all(`${escaped(typed)}%`, `${escaped(typed)}%`) as unknown as readonly { readonly id: number }[]
  const inside = scope === null ? null : new Set(scope)
  return rows.map(({ id }) => id).filter((id) => inside === null || inside.has(id))
}

/** The Turn of the record or of the tool call that was named. */
export function turnsById(database: Database, { typed }: Query, conversations: Conversations): readonly TurnHit[] {
  const columns = 'id, file, record, kind, copy_key AS copyKey, ms, offset, length'
  const sql = UUID.test(typed)
    ? `SELECT ${columns} FROM doc WHERE copy_key = ? ORDER BY id LIMIT 1`
    : `SELECT ${columns} FROM doc WHERE (file, record) IN (SELECT file, record FROM tool_call WHERE call_id = ?) LIMIT 1`
  if (!UUID.test(typed) && !typed.startsWith('toolu_')) return []
  const key = UUID.test(typed) ? textKey(typed.toLowerCase()) : typed
  const rows = database.prepare(sql).all(key) as unknown as readonly Omit<Candidate, 'fit' | 'table'>[]
  return rows.map((row) => ({
    conversation: conversations.mainOf(row.file) ?? row.file,
    place: conversations.place(row.file, row.record),
    docs: [{ ...row, fit: 1, table: 'said' }],
    score: ID_SCORE,
    ms: row.ms ?? 0,
    isLoose: false,
  }))
}

/** `_` and `%` are letters here. SQLite's LIKE has no escape of its own, so such ids are matched by their beginning. */
function escaped(typed: string): string {
  return typed.split(/[%_]/, 1)[0] ?? ''
}
