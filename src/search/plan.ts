// What has changed since the last ingest, from file sizes and times alone: an archive that has not changed costs its
// stats. Only files that differ are opened, and then the bytes decide whether one has grown, was replaced or was moved.

import { closeSync } from 'node:fs'
import { basename } from 'node:path'
import type { FoundTranscripts } from '../load/found.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Database } from './database.ts'
import { isBelow, isDeleted } from './deleted.ts'
import type { FileState } from './file-state.ts'
import { beginsWith, NOTHING_READ } from './file-state.ts'
import { readable } from './unreadable.ts'

export interface KnownFile {
  readonly id: number
  readonly path: string
  readonly role: string
  readonly projectKey: string
  readonly sessionId: string | null
  readonly identity: string
  readonly size: number
  readonly modifiedMs: number
  readonly changedMs: number
  readonly goneMs: number | null
  readonly hasTail: 0 | 1
}

export interface WorkFile {
  readonly file: TranscriptFile
  /** Null for a file that is not in the index yet. */
  readonly id: number | null
  /** NOTHING_READ when what the index has of it is void. */
  readonly from: FileState
  /** Something of an unended last line is stored, which will be read again. */
  readonly hasTail: boolean
}

export interface Plan {
  readonly work: readonly WorkFile[]
  /** Rows that go on under another path. */
  readonly moved: readonly { readonly id: number; readonly file: TranscriptFile }[]
  readonly gone: readonly number[]
  /** Files that only were touched, that are there again, or of which the folders around them say something else. */
  readonly seen: readonly { readonly id: number; readonly file: TranscriptFile }[]
}

export function isCurrent(known: KnownFile | undefined, file: TranscriptFile): boolean {
  return (
    known !== undefined &&
    known.goneMs === null &&
    known.size === file.sizeBytes &&
    known.modifiedMs === file.modifiedMs &&
    known.changedMs === file.changedMs &&
    known.identity === file.identity
  )
}

/** A folder is that of a session while a transcript of its name lies beside it. */
function isPlaced(known: KnownFile, { projectKey, sessionId }: TranscriptFile): boolean {
  return known.projectKey === projectKey && (sessionId === null || known.sessionId === sessionId)
}

type KnownRow = readonly [
  ...[id: number, path: string, role: string, projectKey: string, sessionId: string | null],
  ...[identity: string, size: number, modified: string, changed: string, goneMs: number | null, hasTail: 0 | 1],
]

/**
 * As one text: a row apiece takes several times as long to hand over. Its JSON has too few digits for a time. With
 * `files`, only what is known of these.
 */
export function knownFiles(database: Database, files?: readonly TranscriptFile[]): ReadonlyMap<string, KnownFile> {
  const where = files === undefined ? '' : 'WHERE path IN (SELECT value FROM json_each(?))'
  const paths = files === undefined ? [] : [JSON.stringify(files.map(({ path }) => path))]
  const { rows } = database
    .prepare(
      `SELECT json_group_array(json_array(id, path, role, project_key, session_id, identity, size,
       format('%!.17g', modified_ms), format('%!.17g', changed_ms), gone_ms, tail IS NOT NULL)) AS rows FROM file ${where}`,
    )
    .get(...paths) as { readonly rows: string }
  const known = new Map<string, KnownFile>()
  for (const row of JSON.parse(rows) as readonly KnownRow[]) {
    const [id, path, role, projectKey, sessionId, identity, size, modified, changed, goneMs, hasTail] = row
    const times = { modifiedMs: Number(modified), changedMs: Number(changed), goneMs }
    known.set(path, { id, path, role, projectKey, sessionId, identity, size, ...times, hasTail })
  }
  return known
}

/** Up to here all that was read of a file is compared when it has grown: a few milliseconds. */
const GROWN_BYTES_MAX = 16 << 20

export function planIngest(database: Database, archive: FoundTranscripts, known = knownFiles(database)): Plan {
  const files = archive.projects.flatMap((project) => project.files)
  const changed = files.filter((file) => {
    const own = known.get(file.path)
    return own === undefined || !isCurrent(own, file) || !isPlaced(own, file)
  })
  const missing = missingFiles(archive, files, known)
  const plan = { work: [] as WorkFile[], moved: [] as Plan['moved'][number][], seen: [] as Plan['seen'][number][] }
  const stateOf = database.prepare('SELECT state FROM file WHERE id = ?')
  const read = (id: number): FileState =>
    readable(() => JSON.parse((stateOf.get(id) as { readonly state: string }).state) as FileState)
  for (const file of changed) {
    const own = known.get(file.path)
    if (own === undefined) {
      const from = findMoved(file, missing, read)
      if (from === null) plan.work.push({ file, id: null, from: NOTHING_READ, hasTail: false })
      else {
        missing.delete(from.id)
        plan.moved.push({ id: from.id, file })
        plan.work.push({ file, id: from.id, from: from.state, hasTail: from.hasTail })
      }
      continue
    }
    if (isCurrent(own, file)) {
      plan.seen.push({ id: own.id, file })
      continue
    }
    const state = read(own.id)
    // Who only appends to a very long file should not wait; what else changed a time of it may have changed any byte.
    const hasGrown = own.identity === file.identity && own.size >= 0 && file.sizeBytes > own.size
    const isThorough = !hasGrown || state.offset <= GROWN_BYTES_MAX
    const isSame = own.role === file.role && stillBegins(file, state, isThorough)
    // What stands behind the last line end is in no fingerprint.
    if (isSame && file.sizeBytes === own.size && own.hasTail === 0) plan.seen.push({ id: own.id, file })
    else plan.work.push({ file, id: own.id, from: isSame ? state : NOTHING_READ, hasTail: own.hasTail === 1 })
  }
  const gone = [...missing.values()].filter(({ goneMs }) => goneMs === null).map(({ id }) => id)
  return { ...plan, gone }
}

/** Rows below these roots whose file is not there any more. */
function missingFiles(
  archive: FoundTranscripts,
  files: readonly TranscriptFile[],
  known: ReadonlyMap<string, KnownFile>,
): Map<number, KnownFile> {
  const there = new Set(files.map((file) => file.path))
  const missing = new Map<number, KnownFile>()
  for (const row of known.values()) {
    if (there.has(row.path) || !isBelow(row.path, archive.roots)) continue
    if (isDeleted(row.path, archive.roots)) missing.set(row.id, row)
  }
  return missing
}

/** A file of the same name or the same inode that begins with what was read of a missing one. */
function findMoved(
  file: TranscriptFile,
  missing: ReadonlyMap<number, KnownFile>,
  read: (id: number) => FileState,
): { readonly id: number; readonly state: FileState; readonly hasTail: boolean } | null {
  const name = basename(file.path)
  for (const { id, path, identity, role, hasTail } of missing.values()) {
    if (role !== file.role || (identity !== file.identity && basename(path) !== name)) continue
    const state = read(id)
    if (state.offset > 0 && stillBegins(file, state, true)) return { id, state, hasTail: hasTail === 1 }
  }
  return null
}

function stillBegins(file: TranscriptFile, state: FileState, isThorough: boolean): boolean {
  const opened = openTranscript(file.path)
  if (isProblem(opened)) return false
  try {
    return beginsWith(opened, state, isThorough)
  } catch {
    return false
  } finally {
    closeSync(opened.fd)
  }
}
