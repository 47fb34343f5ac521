// The official SDK's SessionStore over plain files, laid out as the client lays out its own: what is stored here can be
// resumed by a client and read by Clew. One call of the SDK is written whole or refused; a uuid is written once.

import { dirname, join, resolve } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { Body } from '../record/model.ts'
import type { SyncRule } from './appender.ts'
import type { WrittenRecord } from './key-writer.ts'
import { isUuid, KeyWriter } from './key-writer.ts'
import type { SessionKey, SessionPlace } from './session-key.ts'
import { checkFolders, nameOfTranscript, placeOf, projectFolder } from './session-key.ts'
import type { SessionSummary } from './session-summary.ts'
import { summarize } from './session-summary.ts'
import { StoreError } from './store-error.ts'
import { linesOf } from './stored-lines.ts'

/** One line of a transcript. The SDK promises a `type`; the rest is nobody's business here. */
export interface StoredRecord {
  type: string
  uuid?: string
  timestamp?: string
  [key: string]: unknown
}

/** The contract of the SDK. Arrays are not readonly because its own types are not. */
export interface SessionStore {
  append(key: SessionKey, records: StoredRecord[]): Promise<void>
  load(key: SessionKey): Promise<StoredRecord[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  listSessionSummaries(
    projectKey: string,
  ): Promise<{ sessionId: string; mtime: number; data: Record<string, unknown> }[]>
  delete(key: SessionKey): Promise<void>
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>
  /** Not the SDK's: closes what is open. The store can be used again. */
  close(): Promise<void>
}

export interface SessionStoreOptions {
  /** Sessions lie in `<root>/projects/<projectKey>`. */
  readonly root: string
  readonly disk?: Disk
  readonly fsync?: SyncRule
}

/** So many transcripts are kept open for the next append. */
const OPEN_MAX = 64

export function sessionStore({ root: given, disk = REAL_DISK, fsync = 'group' }: SessionStoreOptions): SessionStore {
  const root = resolve(given)
  const writers = new Map<string, KeyWriter>()

  const find = (key: SessionKey): SessionPlace => {
    const place = placeOf(root, key)
    checkFolders(disk, root, dirname(place.file))
    return place
  }

  const writerOf = (path: string): KeyWriter => {
    const writer = writers.get(path) ?? new KeyWriter(disk, path, fsync)
    // The one that was used last stands last, so that the first is the one to close.
    writers.delete(path)
    writers.set(path, writer)
    for (const [oldPath, old] of writers) {
      if (writers.size <= OPEN_MAX) break
      if (old === writer || !old.isIdle) continue
      writers.delete(oldPath)
      // A descriptor that cannot be closed has nothing that is still to be written.
      old.close().catch(() => undefined)
    }
    return writer
  }

  return {
    append: async (key, records) => {
      const place = find(key)
      const written = writtenForms(records)
      if (written.length === 0) return
      if (isBeingDeleted(disk, place)) await writerOf(place.main).alone(() => finishDeletion(disk, place))
      await writerOf(place.file).append(written)
    },

    load: async (key) => {
      const place = find(key)
      return isBeingDeleted(disk, place) ? null : readRecords(disk, place.file)
    },

    listSessions: async (projectKey) => sessionsIn(disk, root, projectKey),

    listSessionSummaries: async (projectKey) => {
      const project = projectFolder(root, projectKey)
      const summaries: SessionSummary[] = []
      for (const { sessionId, mtime } of sessionsIn(disk, root, projectKey)) {
        // The time is older than what is read here, never newer: the SDK reads again what it takes for stale.
        const records = readRecords(disk, join(project, `${sessionId}.jsonl`))
        if (records !== null) summaries.push(summarize(sessionId, mtime, records))
      }
      return summaries
    },

    delete: async (key) => {
      const place = find(key)
      if (key.subpath === undefined) {
        const isThere = [place.main, place.folder, place.removedMain, place.removedFolder].some(
          (path) => disk.stat(path) !== null,
        )
        if (isThere) await writerOf(place.main).alone(() => deleteSession(disk, place))
      } else if (disk.stat(place.file) !== null) {
        await writerOf(place.file).alone(async () => {
          if (disk.stat(place.file) !== null) disk.remove(place.file)
          await disk.syncFolder(dirname(place.file))
        })
      }
    },

    listSubkeys: async ({ projectKey, sessionId }) => {
      const place = find({ projectKey, sessionId })
      return isBeingDeleted(disk, place) ? [] : subkeysIn(disk, place.folder, '')
    },

    close: async () => {
      const open = [...writers.values()]
      writers.clear()
      await Promise.all(open.map((writer) => writer.close()))
    },
  }
}

/** All of them are made before one is written, and at once: the caller may change its objects afterwards. */
function writtenForms(records: readonly unknown[]): readonly WrittenRecord[] {
  if (!Array.isArray(records)) throw new StoreError('not-a-record', 'what is to be appended is no list of records')
  return records.map((record: unknown, index) => {
    const line = writtenForm(record, index)
    const uuid = (record as Body)['uuid']
    return { line: `${line}\n`, uuid: isUuid(uuid) ? uuid : null }
  })
}

function writtenForm(record: unknown, index: number): string {
  let line: string | undefined
  let cause: unknown
  try {
    line = JSON.stringify(record)
  } catch (error) {
    cause = error
  }
  if (line?.startsWith('{') === true) return line
  throw new StoreError('not-a-record', `record ${index} of the call cannot be written as a JSON object`, cause)
}

/** A record that the disk did not confirm was written again, byte for byte; it is one record all the same. */
function readRecords(disk: Disk, path: string): StoredRecord[] | null {
  const bytes = bytesOf(disk, path)
  if (bytes === null) return null
  const seen = new Map<string, Uint8Array>()
  const records: StoredRecord[] = []
  for (const { bytes: line, record } of linesOf(bytes)) {
    const uuid = record['uuid']
    if (isUuid(uuid)) {
      const before = seen.get(uuid)
      if (before !== undefined && Buffer.compare(line, before) === 0) continue
      seen.set(uuid, line)
    }
    records.push(record as StoredRecord)
  }
  return records
}

/** Null when there is none, also when it was deleted this moment. */
function bytesOf(disk: Disk, path: string): Buffer | null {
  if (disk.stat(path)?.isFolder !== false) return null
  try {
    return readWhole(disk, path)
  } catch (error) {
    if (disk.stat(path) === null) return null
    throw error
  }
}

function sessionsIn(disk: Disk, root: string, projectKey: string): { sessionId: string; mtime: number }[] {
  const project = projectFolder(root, projectKey)
  checkFolders(disk, root, project)
  return disk.names(project).flatMap((name) => {
    const sessionId = nameOfTranscript(name)
    const stat = sessionId === null ? null : disk.stat(join(project, name))
    if (sessionId === null || stat === null || stat.isFolder) return []
    if (isBeingDeleted(disk, placeOf(root, { projectKey, sessionId }))) return []
    return { sessionId, mtime: Math.floor(stat.modifiedMs) }
  })
}

function subkeysIn(disk: Disk, folder: string, above: string): string[] {
  return disk.names(folder).flatMap((name) => {
    const path = join(folder, name)
    if (disk.stat(path)?.isFolder === true) return subkeysIn(disk, path, `${above}${name}/`)
    const own = nameOfTranscript(name)
    return own === null ? [] : `${above}${own}`
  })
}

/** From its first rename on the session is gone, whatever happens then; whoever comes next clears away the rest. */
async function deleteSession(disk: Disk, place: SessionPlace): Promise<void> {
  const { main, folder, removedMain, removedFolder } = place
  await makeFolders(disk, dirname(removedMain))
  await finishDeletion(disk, place)
  if (disk.stat(main) !== null) await moveAway(disk, main, removedMain)
  else if (disk.stat(folder) !== null) await moveAway(disk, folder, removedFolder)
  await finishDeletion(disk, place)
}

/** The transcript that was moved away stands for the deletion, so it goes last. */
async function finishDeletion(disk: Disk, place: SessionPlace): Promise<void> {
  const { main, folder, removedFolder, removedMain } = place
  removeTree(disk, removedFolder)
  if (disk.stat(removedMain) === null) return
  const again = bytesOf(disk, main)
  // After a power cut a file may stand in both places. Any other file was begun anew by a client, and is its own.
  if (again?.equals(readWhole(disk, removedMain)) === true) {
    disk.remove(main)
    await disk.syncFolder(dirname(main))
  }
  if (disk.stat(main) === null && disk.stat(folder) !== null) await moveAway(disk, folder, removedFolder)
  removeTree(disk, removedFolder)
  disk.remove(removedMain)
  await disk.syncFolder(dirname(removedMain))
}

function isBeingDeleted(disk: Disk, { removedMain }: SessionPlace): boolean {
  return disk.stat(removedMain) !== null
}

async function moveAway(disk: Disk, from: string, to: string): Promise<void> {
  disk.rename(from, to)
  await disk.syncFolder(dirname(from))
  await disk.syncFolder(dirname(to))
}

function removeTree(disk: Disk, path: string): void {
  const stat = disk.stat(path)
  if (stat === null) return
  if (stat.isFolder) for (const name of disk.names(path)) removeTree(disk, join(path, name))
  disk.remove(path)
}
