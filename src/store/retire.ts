// Sessions into the trash and back. Nothing is deleted: each file is renamed, to the same path below the receipt's folder.
// A file is on its way in one of three states (here, there, or after a crash in both), and each of them leads back.

import { dirname, join, relative, sep } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, syncFile } from '../disk/durable.ts'
import type { FolderFile, FolderFiles } from '../disk/folder-files.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { liveSessions } from './live.ts'
import type { Receipt, RetiredFile, RetiredSession } from './receipt.ts'
import { manifestPath, newReceipt, sha256Of, trashedName, trashFolder, writeReceipt } from './receipt.ts'
import type { RetireChoice, RetireRow, RetireRule } from './retire-plan.ts'
import type { StoreError } from './store-error.ts'
import { reading, writeError } from './store-error.ts'

export interface SkippedSession {
  readonly sessionId: string
  readonly path: string
  readonly why: 'live' | 'changed' | 'unreadable'
}

export interface Retired {
  /** Null when nothing was moved. */
  readonly receiptId: string | null
  readonly sessions: readonly RetiredSession[]
  /** Not moved after all: something happened to them since the plan was made. */
  readonly skipped: readonly SkippedSession[]
  /** What stopped it half-way. What was moved before is in the receipt. */
  readonly failure: StoreError | null
}

export interface RetireOptions {
  readonly id: string
  readonly nowMs: number
  readonly rule: RetireRule
  readonly isRunning?: (pid: number) => boolean
}

/** Moves what a plan lets go. All of it must lie below `root`. */
export async function retireSessions(
  disk: Disk,
  root: string,
  choices: readonly RetireChoice[],
  options: RetireOptions,
): Promise<Retired> {
  const skipped: SkippedSession[] = []
  const surveyed: RetiredSession[] = []
  for (const choice of choices) {
    if (choice.heldBy !== null) continue
    try {
      // What is hashed must be what is there after a crash; a client never syncs what it writes.
      await syncFile(disk, choice.row.path)
    } catch (error) {
      return { receiptId: null, sessions: [], skipped, failure: writeError(choice.row.path, error) }
    }
    const found = survey(disk, root, choice, options.id)
    if (typeof found === 'string') skipped.push(skippedAs(choice.row, found))
    else surveyed.push(found)
  }
  const moved: RetiredSession[] = []
  let failure: StoreError | null = null
  if (surveyed.length > 0) {
    const receipt = newReceipt(options.id, options.nowMs, options.rule, surveyed)
    try {
      await writeReceipt(disk, root, receipt)
      for (const session of surveyed) {
        const why = whyNotNow(disk, root, session, options.isRunning)
        if (why === null) {
          moved.push(session)
          await moveSession(disk, root, session)
        } else skipped.push({ sessionId: session.sessionId, path: join(root, session.files[0]?.from ?? ''), why })
      }
      const finishedAt = new Date(options.nowMs).toISOString()
      if (moved.length > 0) await writeReceipt(disk, root, { ...receipt, finishedAt, sessions: moved })
    } catch (error) {
      failure = writeError(trashFolder(root, options.id), error)
    }
    if (!surveyed.some((session) => isInTrash(disk, root, session))) {
      const notDiscarded = await discarded(disk, root, options.id)
      return { receiptId: null, sessions: [], skipped, failure: failure ?? notDiscarded }
    }
  }
  const sessions = moved.filter((session) => isInTrash(disk, root, session))
  return { receiptId: surveyed.length === 0 ? null : options.id, sessions, skipped, failure }
}

/** An empty receipt that cannot be removed does no harm, but the disk it lies on may be in trouble. */
async function discarded(disk: Disk, root: string, id: string): Promise<StoreError | null> {
  try {
    await discard(disk, root, id)
    return null
  } catch (error) {
    return writeError(trashFolder(root, id), error)
  }
}

function isInTrash(disk: Disk, root: string, { files }: RetiredSession): boolean {
  return files.some(({ to }) => reading(join(root, to), () => disk.stat(join(root, to))) !== null)
}

function skippedAs({ sessionId, path }: RetireRow, why: SkippedSession['why']): SkippedSession {
  return { sessionId, path, why }
}

/** What is to be moved, with what it holds; or why it cannot be told. */
function survey(
  disk: Disk,
  root: string,
  { row, reason }: RetireChoice,
  id: string,
): RetiredSession | SkippedSession['why'] {
  const stat = reading(row.path, () => disk.stat(row.path))
  if (stat === null) return 'changed'
  const below = row.folder === null ? NOTHING : filesBelow(disk, row.folder)
  if (!below.isWhole) return 'unreadable'
  const files: RetiredFile[] = []
  for (const file of [{ ...stat, path: row.path }, ...below.files]) {
    try {
      const sha256 = sha256Of(disk, file.path, file.sizeBytes)
      if (sha256 === null || !isAsBefore(disk, file.path, file)) return 'changed'
      const from = nameBelow(root, file.path)
      const { sizeBytes, modifiedMs } = file
      files.push({ from, to: trashedName(id, from), sizeBytes, modifiedMs, sha256 })
    } catch {
      // A link, or a file of somebody else: then all of the session stays as it is.
      return 'unreadable'
    }
  }
  const folders = below.folders.map((folder) => nameBelow(root, folder))
  const { sessionId, projectKey, title } = row
  return { sessionId, projectKey, title, why: reason, folders, files }
}

const NOTHING: FolderFiles = { files: [], folders: [], isWhole: true }

function nameBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}

function isAsBefore(disk: Disk, path: string, before: Pick<FolderFile, 'sizeBytes' | 'modifiedMs'>): boolean {
  const stat = disk.stat(path)
  return stat !== null && stat.sizeBytes === before.sizeBytes && stat.modifiedMs === before.modifiedMs
}

/** Asked right before a session moves: to hash all of them may have taken minutes. */
function whyNotNow(
  disk: Disk,
  root: string,
  { sessionId, files, folders }: RetiredSession,
  isRunning: RetireOptions['isRunning'],
): SkippedSession['why'] | null {
  const transcript = join(root, files[0]?.from ?? '')
  if (liveSessions(disk, root, isRunning).has(sessionId)) return 'live'
  // Another process of Clew is writing to it.
  if (disk.stat(`${transcript}.lock`) !== null) return 'live'
  const folder = folders[0]
  const inFolder = folder === undefined ? 0 : filesBelow(disk, join(root, folder)).files.length
  const isSame = inFolder === files.length - 1 && files.every((file) => isAsBefore(disk, join(root, file.from), file))
  return isSame ? null : 'changed'
}

async function moveSession(disk: Disk, root: string, { files, folders }: RetiredSession): Promise<void> {
  // The transcript first: a session without its folder would look whole and not be.
  for (const { from, to } of files) {
    if (disk.stat(join(root, from)) !== null) await moveFile(disk, join(root, from), join(root, to))
  }
  await removeEmpty(
    disk,
    folders.map((folder) => join(root, folder)),
  )
}

/**
 * The new place is synced before the old one: a crash in between may leave a file in both, never in none. `mayMove` is
 * asked right before it: to make folders last takes a while. False when it said no.
 */
async function moveFile(disk: Disk, from: string, to: string, mayMove?: () => boolean): Promise<boolean> {
  await makeFolders(disk, dirname(to))
  if (mayMove?.() === false) return false
  disk.rename(from, to)
  await disk.syncFolder(dirname(to))
  await disk.syncFolder(dirname(from))
  return true
}

/** Folders are listed from the outside in. One that holds something meanwhile stays. */
async function removeEmpty(disk: Disk, folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    if (disk.stat(folder)?.isFolder !== true || disk.names(folder).length > 0) continue
    disk.remove(folder)
    await disk.syncFolder(dirname(folder))
  }
}

export interface UndoConflict {
  /** Where it belongs. */
  readonly path: string
  readonly trashPath: string
  /** `different`: another file has its place; `damaged`: it is not what was retired; `lost`: it is in neither place. */
  readonly why: 'different' | 'damaged' | 'lost'
}

export interface Undone {
  readonly receiptId: string
  readonly sessions: readonly string[]
  readonly restored: number
  /** Never moved, or moved back before. */
  readonly alreadyThere: number
  readonly conflicts: readonly UndoConflict[]
  readonly failure: StoreError | null
}

/** Moves back what a receipt lists. It may be half-done either way; what is in its place already stays there. */
export async function undoRetirement(disk: Disk, root: string, receipt: Receipt): Promise<Undone> {
  const counts = { restored: 0, 'already-there': 0 }
  const conflicts: UndoConflict[] = []
  let failure: StoreError | null = null
  try {
    for (const session of receipt.sessions) {
      for (const folder of session.folders) await makeFolders(disk, join(root, folder))
      // The transcript last: the session is there again when all of it is.
      for (const file of [...session.files].reverse()) {
        const outcome = await restoreFile(disk, root, file)
        if (outcome === 'restored' || outcome === 'already-there') counts[outcome]++
        else conflicts.push({ path: join(root, file.from), trashPath: join(root, file.to), why: outcome })
      }
    }
    if (conflicts.length === 0) await discard(disk, root, receipt.id)
  } catch (error) {
    failure = writeError(root, error)
  }
  const sessions = receipt.sessions.map(({ sessionId }) => sessionId)
  const { restored, 'already-there': alreadyThere } = counts
  return { receiptId: receipt.id, sessions, restored, alreadyThere, conflicts, failure }
}

async function restoreFile(
  disk: Disk,
  root: string,
  { from, to, sizeBytes, sha256 }: RetiredFile,
): Promise<'restored' | 'already-there' | UndoConflict['why']> {
  const [place, trashed] = [join(root, from), join(root, to)]
  const there = disk.stat(place)
  if (disk.stat(trashed) === null) {
    // Whoever put it back may have been killed before that was sure to last.
    if (there !== null) await disk.syncFolder(dirname(place))
    return there === null ? 'lost' : 'already-there'
  }
  // It may have grown: a client that had it open goes on writing into it wherever it lies. That belongs to it.
  if (!isHashed(disk, trashed, sizeBytes, sha256)) return 'damaged'
  const isFree = (): boolean => {
    const now = disk.stat(place)
    return now === null || (now.sizeBytes === sizeBytes && isHashed(disk, place, sizeBytes, sha256))
  }
  return isFree() && (await moveFile(disk, trashed, place, isFree)) ? 'restored' : 'different'
}

function isHashed(disk: Disk, path: string, sizeBytes: number, sha256: string): boolean {
  try {
    return sha256Of(disk, path, sizeBytes) === sha256
  } catch {
    return false
  }
}

/** The receipt when nothing of it is in the trash any more: its manifest last, then the folders that are left empty. */
async function discard(disk: Disk, root: string, id: string): Promise<void> {
  const folder = trashFolder(root, id)
  await removeEmpty(
    disk,
    filesBelow(disk, folder).folders.filter((one) => one !== folder),
  )
  for (const file of [`${manifestPath(root, id)}.next`, manifestPath(root, id)]) {
    if (disk.stat(file) !== null) disk.remove(file)
  }
  await removeEmpty(disk, [trashFolder(root), folder])
}
