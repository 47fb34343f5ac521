// Sessions that were deleted where they belong, as files again: read from the archive into a folder of the cache that is
// laid out like a Claude directory. So everything that reads transcripts reads them too. The folder may be deleted at any
// time; what is in it comes back. A session that is there again needs no copy, and loses it.

import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { writeAll } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { TranscriptFile } from '../source/model.ts'
import { realPlace } from '../source/real-place.ts'
import { claudeFolder } from '../source/roots.ts'
import { makeAll, removeAll } from './cache-folder.ts'
import type { HeldSession } from './held.ts'
import { filesOfHeld, readHeld } from './held.ts'
import type { ArchivedFile, Catalogue } from './model.ts'
import { transcriptId } from './owner.ts'
import { safePath } from './safe-name.ts'

/** What is asked of an archive here. */
export interface CopySource {
  /** Which snapshots there are: as long as they are the same, the archive holds the same. */
  readonly snapshotNames: () => readonly string[]
  readonly catalogue: () => Catalogue
  /** Every name of a Claude directory in them. */
  readonly roots: () => readonly string[]
  /** Throws after the last piece when they are not what was archived. */
  readonly read: (file: ArchivedFile) => Iterable<Uint8Array>
  readonly close: () => void
}

export interface CopyPlaces {
  /** Null when nothing was archived yet. */
  readonly source: CopySource | null
  /** Where copies may be put. */
  readonly folder: string
  /** A file that cannot be read from the archive; the others are. */
  readonly onFailure: (message: string) => void
}

/** What is read from copies. The rest of a session comes back when it is restored. */
const SHOWN = /^(?:projects|file-history)\//

/** The folder with the copies of what is missing among these files below a root; null when the archive has none. */
export function bringOut(
  { source, folder, onFailure }: CopyPlaces,
  root: string,
  files: readonly TranscriptFile[],
  disk: Disk = REAL_DISK,
): string | null {
  if (source === null) return null
  // What was deleted may be the folder “projects” itself: the archive still knows what lay below this root.
  const home = claudeFolder(root) ?? root
  const there = new Set(files.filter(({ role }) => role === 'main').map(({ sessionId }) => sessionId))
  const place = realPlace(home)
  const held = readHeld(source, folder, disk)
  const here = new Set([...new Set(held.map((session) => session.root))].filter((one) => realPlace(one) === place))
  const gone = held.filter((session) => here.has(session.root) && !there.has(session.sessionId))
  const copies = join(folder, createHash('sha256').update(place).digest('hex').slice(0, 16))
  dropReturned(disk, copies, new Set(gone.map(({ transcript }) => transcript)))
  const missing = gone.filter((session) => !isOut(disk, copies, session))
  if (missing.length > 0) writeCopies(disk, source, copies, missing, onFailure)
  return disk.stat(copies) === null ? null : copies
}

/** The transcript is written last, so with it all of its session is there. */
function isOut(disk: Disk, copies: string, { transcript, sizeBytes, modifiedMs }: HeldSession): boolean {
  const stat = disk.stat(join(copies, transcript))
  return stat !== null && stat.sizeBytes === sizeBytes && Math.abs(stat.modifiedMs - modifiedMs) < SAME_MS
}

/** Finer than that a file system may not keep it. */
const SAME_MS = 1

function writeCopies(
  disk: Disk,
  source: CopySource,
  copies: string,
  sessions: readonly HeldSession[],
  onFailure: CopyPlaces['onFailure'],
): void {
  const catalogue = source.catalogue()
  for (const damaged of catalogue.damaged) onFailure(`the snapshot ${damaged} is damaged`)
  for (const [{ sessionId }, files] of filesOfHeld(catalogue.files, sessions)) {
    for (const file of files.filter(({ name }) => SHOWN.test(name))) {
      try {
        writeCopy(disk, source, copies, file)
      } catch (error) {
        onFailure(`${sessionId}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
}

function writeCopy(disk: Disk, source: CopySource, copies: string, file: ArchivedFile): void {
  // An archive may come from somebody else.
  const path = safePath(disk, copies, file.name)
  makeAll(disk, dirname(path))
  const next = `${path}.${process.pid}.part`
  if (disk.stat(next) !== null) disk.remove(next)
  const fd = disk.openToAppend(next, true)
  try {
    for (const bytes of source.read(file)) writeAll(disk, fd, bytes)
  } catch (error) {
    disk.remove(next)
    throw error
  } finally {
    disk.close(fd)
  }
  disk.setModified(next, file.modifiedMs)
  disk.rename(next, path)
}

function dropReturned(disk: Disk, copies: string, gone: ReadonlySet<string>): void {
  for (const project of disk.names(join(copies, 'projects'))) {
    const folder = `projects/${project}`
    for (const below of [folder, `${folder}/sessions`]) {
      for (const name of disk.names(join(copies, below))) {
        const sessionId = transcriptId(`${below}/${name}`)
        if (sessionId === null || gone.has(`${below}/${name}`)) continue
        removeAll(disk, join(copies, below, sessionId))
        removeAll(disk, join(copies, 'file-history', sessionId))
        disk.remove(join(copies, below, name))
      }
    }
    // Flat files of Subagents went along with each of them.
    if (![...gone].some((name) => name.startsWith(`${folder}/`))) removeAll(disk, join(copies, folder))
  }
}
