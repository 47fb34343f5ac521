// Lists, transcripts and checks from the index where it is current, and from the disk where it is not.

import type { Access } from '../load/access.ts'
import { FROM_DISK } from '../load/access.ts'
import type { CheckedFile, CheckedRead } from '../load/check.ts'
import { checkProject, readForCheck } from '../load/check.ts'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import { newestFirst } from '../load/list-all.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import { isBelow, isDeleted } from './deleted.ts'
import type { KnownFile } from './plan.ts'
import { isCurrent, knownFiles } from './plan.ts'
import { isSettled } from './settled.ts'
import { isWovenAs, staleProjects } from './stale.ts'
import { storedCheck, storedReader } from './stored.ts'
import { storedKin } from './stored-kin.ts'
import { readable } from './unreadable.ts'

/** `fresh` is an archive that the index was just brought up to: nothing of it needs to be compared again. */
export function indexAccess(database: Database, fresh: FoundTranscripts | null): Access {
  let loaded: ReadonlyMap<string, KnownFile> | null = null
  const known = (): ReadonlyMap<string, KnownFile> => {
    loaded ??= knownFiles(database)
    return loaded
  }
  // Whoever wants few files should not wait for what is known of all.
  let asked = 0
  const knownOf = (file: TranscriptFile): ReadonlyMap<string, KnownFile> =>
    loaded === null && ++asked <= FEW ? knownFiles(database, [file]) : known()
  const woven = new Map<Project, boolean>()
  const isWoven = (archive: FoundTranscripts, project: Project): boolean => {
    const isKnown = woven.get(project) ?? isWovenAs(database, archive, project, known())
    woven.set(project, isKnown)
    return isKnown
  }
  return {
    read: (file) => storedReader(database, knownOf(file))(file),
    kin: (archive, file) =>
      storedKin(database, archive, file, { known: known(), isWoven: (project) => isWoven(archive, project) }),
    lastTimes: (archive) => {
      const isWhole = archive === fresh || isSettled(database, archive)
      return { isWhole, byPath: lastTimes(database, isWhole ? null : currentPaths(archive, known())) }
    },
    list: async (archive, onProgress) => {
      const stale = new Set(archive === fresh ? [] : staleProjects(database, archive).map(({ project }) => project))
      const current = archive.projects.filter((project) => !stale.has(project))
      const rest = { ...archive, projects: [...stale] }
      const fromDisk = stale.size === 0 ? [] : await FROM_DISK.list(rest, onProgress)
      return newestFirst([...storedRows(database, current), ...fromDisk], archive)
    },
    check: async (archive, onProgress) => {
      const isKnown = (project: Project): boolean =>
        project.files.every((file) => isCurrent(known().get(file.path), file))
      const current = archive.projects.filter(isKnown)
      const rest: FoundTranscripts = { ...archive, projects: archive.projects.filter((one) => !isKnown(one)) }
      const fromDisk = rest.projects.length === 0 ? [] : await FROM_DISK.check(rest, onProgress)
      return [...current.flatMap((project) => checkStored(database, project, known())), ...fromDisk]
    },
  }
}

const FEW = 16

function currentPaths(archive: FoundTranscripts, known: ReadonlyMap<string, KnownFile>): ReadonlySet<string> {
  const files = archive.projects.flatMap((project) => project.files)
  return new Set(files.filter((file) => isCurrent(known.get(file.path), file)).map(({ path }) => path))
}

/** Of the files with these paths, or of all that are there. */
function lastTimes(database: Database, paths: ReadonlySet<string> | null): ReadonlyMap<string, number> {
  const { times } = database
    .prepare(
      `SELECT json_group_object(path, summary -> '$.modifiedMs') AS times FROM conversation
       JOIN file ON file.id = conversation.file WHERE file.gone_ms IS NULL AND summary ->> '$.messages' > 0`,
    )
    .get() as { readonly times: string }
  const all = Object.entries(JSON.parse(times) as Readonly<Record<string, number>>)
  return new Map(paths === null ? all : all.filter(([path]) => paths.has(path)))
}

/** As one text a project: a row apiece takes longer to hand over. */
function storedRows(database: Database, projects: readonly Project[]): readonly ListedConversation[] {
  const rows = database.prepare(
    `SELECT group_concat(summary) AS summaries FROM conversation JOIN project ON project.id = conversation.project
     JOIN file ON file.id = conversation.file
     WHERE project.root = ? AND project.project_key = ? AND file.gone_ms IS NULL`,
  )
  return projects.flatMap(({ root, key }) => {
    const { summaries } = rows.get(root, key) as { readonly summaries: string | null }
    return readable(() => JSON.parse(`[${summaries ?? ''}]`)) as readonly ListedConversation[]
  })
}

export interface GoneConversation {
  readonly row: ListedConversation
  /** When it was missed first. */
  readonly goneMs: number
}

/** Conversations below these roots whose files were deleted: the index remembers what a list showed of them. */
export function goneConversations(database: Database, roots: readonly string[]): readonly GoneConversation[] {
  const rows = database
    .prepare(
      `SELECT summary, gone_ms AS goneMs, file.path FROM conversation JOIN file ON file.id = conversation.file
       WHERE file.gone_ms IS NOT NULL GROUP BY file.id`,
    )
    .all() as unknown as readonly { readonly summary: string; readonly goneMs: number; readonly path: string }[]
  return rows
    .filter(({ path }) => isBelow(path, roots) && isDeleted(path, roots))
    .map(({ summary, goneMs }) => ({
      row: { ...(readable(() => JSON.parse(summary)) as ListedConversation), isCopy: false },
      goneMs,
    }))
    .sort((one, other) => other.row.modifiedMs - one.row.modifiedMs)
}

function checkStored(
  database: Database,
  project: Project,
  known: ReadonlyMap<string, KnownFile>,
): readonly CheckedFile[] {
  const read = (file: TranscriptFile): CheckedRead => storedCheck(database, known, file) ?? readForCheck(file)
  return checkProject(project, read)
}
