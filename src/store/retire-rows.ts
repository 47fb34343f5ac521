// What a plan needs to know of each session, from a list of conversations and a look at the disk.

import { basename, dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import type { FolderFile } from '../disk/folder-files.ts'
import { filesBelow } from '../disk/folder-files.ts'
import type { ListedConversation } from '../load/list.ts'
import { liveSessions } from './live.ts'
import type { RetireRow } from './retire-plan.ts'

export interface RowOptions {
  readonly nowMs: number
  /** Whether a second copy of it, of all these files as they are now, is kept somewhere else. */
  readonly isArchived: (sessionId: string, files: readonly FolderFile[]) => boolean
  readonly isRunning?: (pid: number) => boolean
}

type Listed = Pick<ListedConversation, 'sessionId' | 'title' | 'tag' | 'path' | 'modifiedMs'>

/** A client that has a session open need not say so; what was written just now is taken for live. */
const QUIET_MS = 10 * 60_000

const PINNED = 'pinned'

/** Rows of the sessions below one Claude directory. */
export function retireRows(
  disk: Disk,
  root: string,
  listed: readonly Listed[],
  options: RowOptions,
): readonly RetireRow[] {
  const live = liveSessions(disk, root, options.isRunning)
  return listed.flatMap(({ sessionId, title, tag, path, modifiedMs }) => {
    const transcript = disk.stat(path)
    // Deleted since the list was made.
    if (transcript === null) return []
    const folder = sessionFolder(path)
    const { files, folders } = filesBelow(disk, folder)
    const all = [{ path, sizeBytes: transcript.sizeBytes, modifiedMs: transcript.modifiedMs }, ...files]
    const writtenMs = all.reduce((newest, file) => Math.max(newest, file.modifiedMs), 0)
    return {
      sessionId,
      projectKey: projectFolder(path),
      title,
      modifiedMs,
      sizeBytes: all.reduce((sum, file) => sum + file.sizeBytes, 0),
      path,
      folder: folders.length === 0 ? null : folder,
      isLive: live.has(sessionId) || options.nowMs - writtenMs < QUIET_MS,
      isPinned: tag === PINNED,
      isArchived: options.isArchived(sessionId, all),
    }
  })
}

/** Where subagents and spilled outputs of a session lie, if it has any. */
export function sessionFolder(path: string): string {
  return join(dirname(path), basename(path, '.jsonl'))
}

/** Some tools keep a project's transcripts one folder deeper. */
function projectFolder(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'sessions' ? basename(dirname(folder)) : basename(folder)
}
