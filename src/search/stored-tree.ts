// The shape of a conversation from what the index has counted of it: its row, its Layout and its children, without
// unpacking its Envelopes. The same as is woven of the files, or null where the index does not know all of it.

import type { BranchShape } from '../conversation/branch-shape.ts'
import type { Subagent } from '../conversation/model.ts'
import { linkSubagents } from '../conversation/subagents.ts'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import { agentOf } from '../load/read.ts'
import type { SessionChild } from '../load/session.ts'
import { agentFiles, projectOf } from '../load/session.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import { atOneMoment } from './one-moment.ts'
import type { KnownFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import { isWovenAs } from './stale.ts'
import { storedReader } from './stored.ts'
import type { BranchRow } from './stored-branches.ts'
import { storedBranches } from './stored-branches.ts'
import { storedChildren } from './stored-children.ts'

export interface StoredTree {
  readonly sessionId: string
  readonly title: string
  readonly path: string
  readonly continues: string | null
  readonly forkOf: string | null
  readonly branches: readonly BranchShape[]
  readonly subagents: readonly Subagent[]
  readonly children: readonly SessionChild[]
}

/** Without `hasIds` the ids of Prompts and Boundaries are left out: only they are read from the transcript. */
export function storedTree(
  database: Database,
  archive: FoundTranscripts,
  file: TranscriptFile,
  hasIds: boolean,
): StoredTree | null {
  return atOneMoment(database, () => readTree(database, archive, file, hasIds))
}

function readTree(
  database: Database,
  archive: FoundTranscripts,
  file: TranscriptFile,
  hasIds: boolean,
): StoredTree | null {
  const project = projectOf(archive, file)
  const known = knownFiles(database, project.files)
  const own = known.get(file.path)
  const row = own === undefined ? null : storedRow(database, project, own)
  if (own === undefined || row === null || !isWovenAs(database, archive, project, known)) return null
  const children = storedChildren(database, { archive, project, known, file, sessionId: row.sessionId })
  const branches = children === null ? null : storedBranches(database, own, row, hasIds)
  const subagents = branches === null ? null : storedSubagents(database, archive, project, file, row)
  if (children === null || branches === null || subagents === null) return null
  const { sessionId, title, path, continues, forkOf } = row
  return { sessionId, title, path, continues, forkOf, branches, subagents, children }
}

type StoredRow = ListedConversation & BranchRow

function storedRow(database: Database, { root, key }: Project, { id }: KnownFile): StoredRow | null {
  const found = database
    .prepare(
      `SELECT summary, turns FROM conversation WHERE file = ?
       AND project = (SELECT id FROM project WHERE root = ? AND project_key = ?)`,
    )
    .get(id, root, key) as { readonly summary: string; readonly turns: Uint8Array } | undefined
  return found === undefined ? null : { ...(JSON.parse(found.summary) as ListedConversation), places: found.turns }
}

/** Who started them stands in the Envelopes of the conversation, which are unpacked if there are any. */
function storedSubagents(
  database: Database,
  archive: FoundTranscripts,
  project: Project,
  file: TranscriptFile,
  { sessionId, subagents }: ListedConversation,
): readonly Subagent[] | null {
  const { own, left } = agentFiles(archive, project, file)
  const read = storedReader(database, knownFiles(database, [file, ...own, ...left]))
  const mine = own.map(read).filter(({ transcript }) => transcript.sessionId === sessionId)
  // The others stand in the transcript itself, and where one begins only a Thread tells.
  if (mine.length !== subagents) return null
  const agents = [...mine, ...left.map(read)].flatMap((one) => agentOf(one).value ?? [])
  return agents.length === 0 ? [] : linkSubagents(read(file).transcript.envelopes, agents).subagents
}
