// Which files of the index a search looks in: those of the archive that was asked for, narrowed by what is known about
// their conversations.

import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { Database } from './database.ts'
import { kept, statement } from './statements.ts'
import { readable } from './unreadable.ts'

export interface ConversationFilter {
  /** By what a list shows; null for all. */
  readonly isWanted: ((row: ListedConversation) => boolean) | null
  /** Part of the name of a git branch it was on. */
  readonly gitBranch: string | null
  /** Part of the name of a model that answered. */
  readonly model: string | null
}

interface FileRow {
  readonly id: number
  readonly path: string
  readonly role: string
  readonly sessionId: string | null
}

interface ConversationRow {
  readonly file: number
  readonly row: ListedConversation
  readonly models: readonly string[]
  readonly gitBranches: readonly string[]
}

/** Null when the index holds nothing else. */
export function filesInScope(
  database: Database,
  archive: FoundTranscripts,
  filter: ConversationFilter,
): readonly number[] | null {
  const isOpen = filter.isWanted === null && filter.gitBranch === null && filter.model === null
  if (isOpen && isAllBelow(database, archive.roots)) return null
  const rows = kept(database, fileRows, () => fileRows(database))
  const inRoots = rows.filter(({ path }) => archive.roots.some((root) => isBelow(path, root)))
  if (isOpen) return inRoots.map(({ id }) => id)
  const wanted = wantedConversations(database, filter)
  const sessions = new Set(inRoots.filter(({ id }) => wanted.has(id)).map(({ sessionId }) => sessionId))
  return inRoots
    .filter(({ id, role, sessionId }) => (role === 'main' ? wanted.has(id) : sessions.has(sessionId)))
    .map(({ id }) => id)
}

function fileRows(database: Database): readonly FileRow[] {
  const sql = `SELECT json_group_array(json_array(id, path, role, session_id)) AS files FROM file`
  const { files } = statement(database, sql).get() as { readonly files: string }
  const rows = JSON.parse(files) as readonly [number, string, string, string | null][]
  return rows.map(([id, path, role, sessionId]) => ({ id, path, role, sessionId }))
}

function wantedConversations(database: Database, filter: ConversationFilter): ReadonlySet<number> {
  const holds = (list: readonly string[], part: string | null): boolean =>
    part === null || list.some((one) => one.toLowerCase().includes(part.toLowerCase()))
  const wanted = new Set<number>()
  for (const { file, row, models, gitBranches } of kept(database, conversationRows, () => conversationRows(database))) {
    if (!holds(models, filter.model) || !holds(gitBranches, filter.gitBranch)) continue
    if (filter.isWanted === null || filter.isWanted(row)) wanted.add(file)
  }
  return wanted
}

function conversationRows(database: Database): readonly ConversationRow[] {
  const sql = 'SELECT file, summary, models, git_branches AS gitBranches FROM conversation'
  return statement(database, sql)
    .all()
    .map((found) => {
      const { file, summary, models, gitBranches } = found as unknown as StoredConversation
      const read = (text: string) => readable(() => JSON.parse(text))
      return { file, row: read(summary), models: read(models), gitBranches: read(gitBranches) }
    })
}

interface StoredConversation {
  readonly file: number
  readonly summary: string
  readonly models: string
  readonly gitBranches: string
}

/** In SQL, because the usual answer is yes and needs no row. */
function isAllBelow(database: Database, roots: readonly string[]): boolean {
  const below = roots.map(() => '(path = ? OR substr(path, 1, length(?)) = ?)')
  const values = roots.flatMap((root) => [root, folderOf(root), folderOf(root)])
  const sql = `SELECT 1 FROM file WHERE NOT (${below.length === 0 ? 'FALSE' : below.join(' OR ')}) LIMIT 1`
  return statement(database, sql).get(...values) === undefined
}

function folderOf(root: string): string {
  return root.endsWith('/') ? root : `${root}/`
}

function isBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(folderOf(root))
}
