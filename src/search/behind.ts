// How many files of an archive a search cannot look into yet, while another process brings the index up to date. Words
// come first and conversations behind them, and whoever searches in some conversations only needs both.

import type { FoundTranscripts } from '../load/found.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import { knownFiles } from './plan.ts'
import { staleProjects } from './stale.ts'

export function filesBehind(database: Database, archive: FoundTranscripts): number {
  const woven = wovenSessions(database)
  const known = knownFiles(database)
  const isUnread = ({ path, sizeBytes }: TranscriptFile): boolean => known.get(path)?.size !== sizeBytes
  // What is no conversation has no row either: only where a project is still to be woven does that tell something.
  const isUnwoven = ({ path }: TranscriptFile): boolean => !woven.has(known.get(path)?.sessionId ?? '')
  const stale = new Set(staleProjects(database, archive, known).map(({ project }) => project))
  return archive.projects.reduce((sum, project) => {
    const isBehind = stale.has(project) ? (file: TranscriptFile) => isUnread(file) || isUnwoven(file) : isUnread
    return sum + project.files.filter(isBehind).length
  }, 0)
}

function wovenSessions(database: Database): ReadonlySet<string> {
  const rows = database
    .prepare('SELECT DISTINCT session_id AS id FROM file WHERE id IN (SELECT file FROM conversation)')
    .all() as unknown as readonly { readonly id: string | null }[]
  return new Set(rows.flatMap(({ id }) => id ?? []))
}
