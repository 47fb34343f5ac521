// A query that is an id finds what has it: a session, a subagent, a record, a tool call.

import { textKey } from '../base/text.ts'
import type { Envelope } from '../record/model.ts'
import type { Candidate, CandidateRange } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import { unpackEnvelopes, unpackRecordUuids } from './envelope-page.ts'
import type { Query } from './query.ts'
import { statement } from './statements.ts'
import type { TurnHit } from './turn-hits.ts'

const ID = /^[0-9a-z][0-9a-z_-]{5,99}$/i
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** As `referenceOf` writes it, with a uuid or the beginning of one. */
const REFERENCE = /^([0-9a-z-]{4,99})(?:\/([0-9a-z_-]{1,99}))?#([0-9a-f-]{4,36})$/i
const SESSIONS_MAX = 20
/** Above everything that only has words in common. */
export const ID_SCORE = 1000

/** Files of sessions and subagents whose id begins with what was typed. */
export function filesById(database: Database, { typed }: Query, { scope }: CandidateRange): readonly number[] {
  if (!ID.test(typed)) return []
  const inside = scope === null ? null : new Set(scope)
  return filesBeginning(database, typed, typed.replace(/^agent-/, '')).filter((id) => inside === null || inside.has(id))
}

function filesBeginning(database: Database, session: string, agent: string): readonly number[] {
  const rows = statement(
    database,
    `SELECT id FROM file WHERE (session_id COLLATE NOCASE BETWEEN ? AND ? AND role = 'main')
       OR agent_id COLLATE NOCASE BETWEEN ? AND ? ORDER BY id DESC LIMIT ${SESSIONS_MAX}`,
  ).all(session, `${session}${LAST}`, agent, `${agent}${LAST}`) as unknown as readonly { readonly id: number }[]
  return rows.map(({ id }) => id)
}

/** Behind all that ids are written with. */
const LAST = '\u{10ffff}'

/** The Turn of the record or of the tool call that was named. */
export function turnsById(
  database: Database,
  { typed }: Query,
  { scope, tool }: CandidateRange,
  conversations: Conversations,
): readonly TurnHit[] {
  if (tool !== null) return []
  const docs = UUID.test(typed)
    ? docsWith(database, 'copy_key = ?', textKey(typed.toLowerCase()))
    : typed.startsWith('toolu_')
      ? docsWith(database, '(file, record) IN (SELECT file, record FROM tool_call WHERE call_id = ?)', typed)
      : docsByReference(database, typed)
  const inside = docs.filter(({ file }) => scope === null || scope.includes(file))
  return inside.map((doc) => ({
    conversation: conversations.mainOf(doc.file) ?? doc.file,
    place: conversations.place(doc.file, doc.record),
    docs: [doc],
    score: ID_SCORE,
    ms: doc.ms ?? 0,
    isLoose: false,
  }))
}

/** The first one: copies come later. */
function docsWith(database: Database, where: string, value: string | number): readonly Candidate[] {
  const columns = `id, file, record, kind, copy_key AS copyKey, ms, offset, length, 1 AS fit, 'said' AS "table"`
  const sql = `SELECT ${columns} FROM doc WHERE ${where} ORDER BY id LIMIT 1`
  return statement(database, sql).all(value) as unknown as readonly Candidate[]
}

function docsByReference(database: Database, typed: string): readonly Candidate[] {
  const [, session, agent, record] = REFERENCE.exec(typed) ?? []
  if (session === undefined || record === undefined) return []
  const pages = statement(database, 'SELECT envelopes FROM page WHERE file = ?')
  for (const file of filesBeginning(database, agent === undefined ? session : '#', agent ?? '#')) {
    for (const { envelopes } of pages.all(file) as unknown as readonly { readonly envelopes: Uint8Array }[]) {
      const uuids = unpackRecordUuids(envelopes)
      const found = uuids.findIndex((uuid) => uuid?.startsWith(record.toLowerCase()))
      if (found < 0) continue
      const { uuid, links } = unpackEnvelopes(envelopes)[found] as Envelope
      return docsWith(database, 'copy_key = ?', textKey(links?.forkedFromUuid ?? (uuid as string)))
    }
  }
  return []
}
