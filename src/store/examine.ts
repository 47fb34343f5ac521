// A Claude directory as the client's clean-up sees it: how long it keeps transcripts, and which conversations go soon.

import { join, sep } from 'node:path'
import { filesBelow } from '../disk/folder-files.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { ExpiringSession, ProjectUse, Retention } from './doctor.ts'
import { diskUse, expiringSessions, lastCleanupMs, readRetention } from './doctor.ts'
import { trashFolder } from './receipt.ts'
import { sessionFolder } from './retire-rows.ts'

export interface ExaminedFolder {
  readonly root: string
  readonly retention: Retention
  readonly lastCleanupMs: number | null
  readonly trashBytes: number
}

export interface Examined {
  readonly withinDays: number
  readonly folders: readonly ExaminedFolder[]
  /** The most urgent first. */
  readonly expiring: readonly (ExpiringSession & { readonly root: string })[]
  /** The largest first. */
  readonly projects: readonly (ProjectUse & { readonly root: string })[]
}

/** How far anybody looks ahead. */
export const WITHIN_DAYS = 7

/** `roots` are Claude directories, those that have a folder `projects`. */
export function examineFolders(
  roots: readonly string[],
  archive: FoundTranscripts,
  listed: readonly ListedConversation[],
  nowMs: number,
): Examined {
  const folders = roots.map(examine)
  return {
    withinDays: WITHIN_DAYS,
    folders,
    expiring: folders
      .flatMap((folder) => expiringIn(folder, archive, listed, nowMs))
      .sort((one, other) => one.deletableMs - other.deletableMs),
    projects: roots
      .flatMap((root) => diskUse(REAL_DISK, root).map((use) => ({ root, ...use })))
      .sort((one, other) => other.totalBytes - one.totalBytes),
  }
}

function examine(root: string): ExaminedFolder {
  return {
    root,
    retention: readRetention(REAL_DISK, root),
    lastCleanupMs: lastCleanupMs(REAL_DISK, root),
    trashBytes: bytesBelow(trashFolder(root)),
  }
}

function expiringIn(
  { root, retention }: ExaminedFolder,
  archive: FoundTranscripts,
  listed: readonly ListedConversation[],
  nowMs: number,
): Examined['expiring'] {
  const files = archive.projects.flatMap((project) => project.files)
  const times = new Map(files.map(({ path, modifiedMs }) => [path, modifiedMs]))
  const rows = listed
    .filter(({ path }) => path.startsWith(join(root, 'projects') + sep))
    .map(({ sessionId, title, project, path, sizeBytes, modifiedMs }) => ({
      root,
      sessionId,
      title,
      project,
      path,
      sizeBytes,
      fileModifiedMs: times.get(path) ?? modifiedMs,
    }))
  // Only what is listed needs the size of its folder.
  return expiringSessions(rows, retention.days, WITHIN_DAYS, nowMs).map((row) => ({
    ...row,
    sizeBytes: row.sizeBytes + bytesBelow(sessionFolder(row.path)),
  }))
}

function bytesBelow(folder: string): number {
  return filesBelow(REAL_DISK, folder).files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
