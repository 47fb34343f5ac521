// Which conversations go on from one or were forked from it, from the rows of its project. Rows know nothing of other
// projects, and files that are no conversations have none: null where one of these may have a part in it.

import type { FoundTranscripts, Project } from '../load/found.ts'
import { mainFiles } from '../load/found.ts'
import { textFinder } from '../load/packed-bytes.ts'
import type { LoadedFile } from '../load/read.ts'
import type { SessionChild } from '../load/session.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import type { KnownFile } from './plan.ts'
import { storedReader } from './stored.ts'

export interface Parent {
  readonly archive: FoundTranscripts
  readonly project: Project
  readonly known: ReadonlyMap<string, KnownFile>
  readonly file: TranscriptFile
  readonly sessionId: string
}

export function storedChildren(database: Database, parent: Parent): readonly SessionChild[] | null {
  const { project, known, file } = parent
  const mains = project.files.filter(({ role }) => role === 'main')
  if (holdsAny(database, known, mains, namesElsewhere(parent, mains))) return null
  const rows = relations(database, project)
  const rowOf = ({ path }: TranscriptFile): RelationRow | undefined => rows.get(known.get(path)?.id ?? 0)
  const read = storedReader(database, known)
  const others = mains.filter((one) => rowOf(one) === undefined && one.sizeBytes > 0).map(read)
  if (holdsAny(database, known, [file], namesIn(others))) return null
  return mains.flatMap((one): readonly SessionChild[] => {
    const { sessionId, continues, forkOf } = rowOf(one) ?? UNRELATED
    if (continues === parent.sessionId) return [{ sessionId, relation: 'continues' }]
    return forkOf === parent.sessionId ? [{ sessionId, relation: 'forkOf' }] : []
  })
}

interface RelationRow {
  readonly sessionId: string
  readonly continues: string | null
  readonly forkOf: string | null
}

const UNRELATED: RelationRow = { sessionId: '', continues: null, forkOf: null }

function relations(database: Database, { root, key }: Project): ReadonlyMap<number, RelationRow> {
  const rows = database
    .prepare(
      `SELECT file, summary ->> '$.sessionId' AS sessionId, summary ->> '$.continues' AS continues,
       summary ->> '$.forkOf' AS forkOf FROM conversation
       WHERE project = (SELECT id FROM project WHERE root = ? AND project_key = ?)`,
    )
    .all(root, key) as unknown as readonly (RelationRow & { readonly file: number })[]
  return new Map(rows.map((row) => [row.file, row]))
}

/** Sessions of other projects: if one of these is named here, it is read along with those of this project. */
function namesElsewhere({ archive }: Parent, mains: readonly TranscriptFile[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { sessionId } of mainFiles(archive)) if (sessionId !== null) names.add(sessionId)
  for (const { sessionId } of mains) names.delete(sessionId ?? '')
  return names
}

/** Everything by which a transcript can be related to another one. */
function namesIn(files: readonly LoadedFile[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { transcript } of files) {
    for (const { uuid, parentUuid, sessionId, links } of transcript.envelopes) {
      const said = [uuid, parentUuid, sessionId, links?.logicalParentUuid]
      for (const name of [...said, links?.forkedFromSessionId, links?.parentSessionId]) if (name) names.add(name)
    }
  }
  return names
}

/** Whether one of these is among the texts of the Envelopes of these files. */
function holdsAny(
  database: Database,
  known: ReadonlyMap<string, KnownFile>,
  files: readonly TranscriptFile[],
  names: ReadonlySet<string>,
): boolean {
  if (names.size === 0) return false
  const isIn = textFinder(names)
  const ids = JSON.stringify(files.flatMap(({ path }) => known.get(path)?.id ?? []))
  const pages = database.prepare('SELECT envelopes FROM page WHERE file IN (SELECT value FROM json_each(?))')
  for (const { envelopes } of pages.iterate(ids) as Iterable<{ readonly envelopes: Uint8Array }>) {
    if (isIn(envelopes)) return true
  }
  const tails = database.prepare(
    `SELECT tail ->> '$.envelopes' AS packed FROM file WHERE tail IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
  )
  const rows = tails.all(ids) as unknown as readonly { readonly packed: string }[]
  return rows.some(({ packed }) => isIn(Buffer.from(packed, 'base64')))
}
