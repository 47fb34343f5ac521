// What a hit needs to know about the conversation it is in: found by file, kept for the length of one search.

import type { ListedConversation } from '../load/list.ts'
import type { Database } from './database.ts'
import { PAGE_RECORDS, unpackRecordUuids } from './envelope-page.ts'
import { keptTurns } from './kept-turns.ts'
import type { Place, Runs } from './packed-places.ts'
import { placeIn, runsOf } from './packed-places.ts'
import { statement } from './statements.ts'
import { readable } from './unreadable.ts'

export interface HitFile {
  readonly id: number
  readonly path: string
  readonly role: 'main' | 'subagent'
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly projectKey: string
  readonly goneMs: number | null
}

const FEW = 16

const FILES = `SELECT json_group_array(json_object('id', id, 'path', path, 'role', role, 'sessionId', session_id,
  'agentId', agent_id, 'projectKey', project_key, 'goneMs', gone_ms)) AS rows
  FROM file WHERE id IN (SELECT value FROM json_each(?))`

const NOWHERE: Place = { branch: -1, turn: 0 }

type Statement = ReturnType<Database['prepare']>

export class Conversations {
  readonly #readFile: Statement
  readonly #readRow: Statement
  readonly #readMain: Statement
  readonly #readPage: Statement
  readonly #readTurns: Statement
  readonly #files = new Map<number, HitFile | null>()
  readonly #rows = new Map<number, ListedConversation | null>()
  readonly #runs = new Map<number, Runs | null>()
  readonly #mains = new Map<string, number | null>()
  readonly #pages = new Map<string, readonly (string | null)[]>()
  readonly #database: Database
  #allTurns: ReturnType<typeof keptTurns> = null

  constructor(database: Database) {
    this.#database = database
    this.#readFile = database.prepare(
      `SELECT id, path, role, session_id AS sessionId, agent_id AS agentId, project_key AS projectKey,
       gone_ms AS goneMs FROM file WHERE id = ?`,
    )
    this.#readRow = database.prepare('SELECT summary FROM conversation WHERE file = ?')
    this.#readMain = database.prepare(
      `SELECT id FROM file WHERE session_id = ? AND role = 'main'
       ORDER BY gone_ms IS NOT NULL, modified_ms DESC, path`,
    )
    this.#readPage = database.prepare('SELECT envelopes FROM page WHERE file = ? AND number = ?')
    this.#readTurns = database.prepare('SELECT turns FROM conversation WHERE file = ?')
  }

  /** Looks up many files at once: one by one they take several times as long. */
  lookUp(ids: Iterable<number>): void {
    const asked = [...new Set(ids)].filter((id) => !this.#files.has(id))
    if (asked.length <= FEW) return
    const { rows } = statement(this.#database, FILES).get(JSON.stringify(asked)) as { readonly rows: string }
    for (const file of JSON.parse(rows) as readonly HitFile[]) this.#files.set(file.id, file)
  }

  file(id: number): HitFile | null {
    return remember(this.#files, id, () => (this.#readFile.get(id) as HitFile | undefined) ?? null)
  }

  /** The row of the conversation a file belongs to: its own, or for a subagent that of the session it worked for. */
  row(id: number): ListedConversation | null {
    const owner = this.mainOf(id)
    if (owner === null) return null
    return remember(this.#rows, owner, () => {
      const found = this.#readRow.get(owner)
      return found === undefined
        ? null
        : (readable(() => JSON.parse((found as { summary: string }).summary)) as ListedConversation)
    })
  }

  mainOf(id: number): number | null {
    const file = this.file(id)
    if (file === null || file.role === 'main') return file?.id ?? null
    const sessionId = file.sessionId
    if (sessionId === null) return null
    const read = (): number | null => (this.#readMain.get(sessionId) as { readonly id: number } | undefined)?.id ?? null
    return remember(this.#mains, sessionId, read)
  }

  uuid(id: number, record: number): string | null {
    const number = Math.floor(record / PAGE_RECORDS)
    const page = remember(this.#pages, `${id}/${number}`, () => {
      const row = this.#readPage.get(id, number)
      return row === undefined ? [] : unpacked((row as { readonly envelopes: Uint8Array }).envelopes)
    })
    return page[record % PAGE_RECORDS] ?? null
  }

  /** A subagent's file counts as one Turn: it was given one task. */
  place(id: number, record: number): Place {
    if (this.file(id)?.role !== 'main') return { branch: 0, turn: 1 }
    const runs = remember(this.#runs, id, () => {
      const turns = this.#turnsOf(id)
      return turns === null ? null : runsIn(turns)
    })
    return (runs === null ? null : placeIn(runs, record)) ?? NOWHERE
  }

  /** Who asks for many is handed all of them. */
  #turnsOf(id: number): Uint8Array | null {
    if (this.#runs.size === FEW) this.#allTurns = keptTurns(this.#database)
    if (this.#allTurns !== null) return this.#allTurns(id)
    const found = this.#readTurns.get(id)
    return found === undefined ? null : (found as { readonly turns: Uint8Array }).turns
  }
}

/** A page that was damaged without SQLite noticing hides the ids of its records, and no hit. */
function unpacked(page: Uint8Array): readonly (string | null)[] {
  try {
    return unpackRecordUuids(page)
  } catch {
    return []
  }
}

/** The same for where its records belong. */
function runsIn(turns: Uint8Array): Runs | null {
  try {
    return runsOf(turns)
  } catch {
    return null
  }
}

function remember<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}
