// How a session is related to others, from the rows of its project: the others are not read. Null where the index does not
// know all of it.

import type { Relation } from '../graph/relate.ts'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { SessionKin } from '../load/session.ts'
import { projectOf } from '../load/session.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import { atOneMoment } from './one-moment.ts'
import type { KnownFile } from './plan.ts'
import { storedChildren } from './stored-children.ts'

export interface Kept {
  readonly known: ReadonlyMap<string, KnownFile>
  /** Everything in the folder of a project is as it was when its conversations were woven. */
  readonly isWoven: (project: Project) => boolean
}

export function storedKin(
  database: Database,
  archive: FoundTranscripts,
  file: TranscriptFile,
  { known, isWoven }: Kept,
): SessionKin | null {
  const project = projectOf(archive, file)
  const id = known.get(file.path)?.id
  const { sessionId } = file
  if (id === undefined || sessionId === null || !isWoven(project)) return null
  return atOneMoment(database, () => {
    const own = storedRelation(database, project, id)
    if (own === null) return null
    const parts = new Set(own.files)
    const mains = project.files.filter(({ path, role }) => role === 'main' && parts.delete(known.get(path)?.id ?? 0))
    // One of its files is in another project by now.
    if (parts.size > 0) return null
    const children = storedChildren(database, { archive, project, known, file, sessionId })
    return children === null ? null : { relation: { continues: own.continues, forkOf: own.forkOf }, children, mains }
  })
}

interface StoredRelation extends Relation {
  /** Main transcripts that the conversation is made of, by their numbers. */
  readonly files: readonly number[]
}

export function storedRelation(database: Database, { root, key }: Project, file: number): StoredRelation | null {
  const found = database
    .prepare(
      `SELECT summary ->> '$.continues' AS continues, summary ->> '$.forkOf' AS forkOf, head -> '$.files' AS files
       FROM conversation JOIN layout USING (file) WHERE file = ?
       AND project = (SELECT id FROM project WHERE root = ? AND project_key = ?)`,
    )
    .get(file, root, key) as (Relation & { readonly files: string }) | undefined
  return found === undefined ? null : { ...found, files: JSON.parse(found.files) as readonly number[] }
}
