import type { FoundTranscripts } from '../load/found.ts'
import type { Database } from './database.ts'
import { DOC_KINDS, KIND_MASK } from './docs.ts'

export interface PromptTime {
  /** Of the transcript it stands in first. */
  readonly path: string
  readonly ms: number
}

interface PromptRow {
  readonly path: string
  readonly ms: number
  readonly copyKey: number
}

export function promptTimes(database: Database, archive: FoundTranscripts): readonly PromptTime[] {
  const paths = new Set(archive.projects.flatMap((project) => project.files).map(({ path }) => path))
  const rows = database
    .prepare(
      `SELECT file.path, doc.ms, doc.copy_key AS copyKey FROM doc JOIN file ON file.id = doc.file
       WHERE (doc.kind & ${KIND_MASK}) = ${DOC_KINDS.indexOf('prompt')} AND doc.ms IS NOT NULL
       AND file.role = 'main' AND file.gone_ms IS NULL ORDER BY file.id, doc.record`,
    )
    .all() as unknown as readonly PromptRow[]
  const seen = new Set<number>()
  return rows.filter(({ path, copyKey }) => {
    if (!paths.has(path) || seen.has(copyKey)) return false
    seen.add(copyKey)
    return true
  })
}
