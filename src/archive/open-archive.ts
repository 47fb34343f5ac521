// Where an archive lies and what says that it is one. Packs and snapshots are written once, under a name that is the hash
// of what is in them, and never changed.

import { randomUUID } from 'node:crypto'
import { isAbsolute, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, writeAll } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import { ArchiveError } from './archive-error.ts'

export interface Archive {
  readonly folder: string
  readonly disk: Disk
}

export interface ArchivePlace {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const VERSION = 1
const FORMAT_SIZE_MAX = 4096

/** What Clew keeps for good, and nobody else has: data, not cache. */
export function keptFolder({ environment, home }: ArchivePlace): string {
  const named = environment['XDG_DATA_HOME']
  return join(named !== undefined && isAbsolute(named) ? named : join(home, '.local', 'share'), 'clew')
}

export function archiveFolder({ environment, home }: ArchivePlace): string {
  return join(keptFolder({ environment, home }), 'archive')
}

/** Makes the folders of an archive where there is none. */
export async function openArchive(folder: string, disk: Disk = REAL_DISK): Promise<Archive> {
  const found = existingArchive(folder, disk)
  if (found !== null) return found
  for (const path of [folder, packFolder({ folder, disk }), snapshotFolder({ folder, disk })])
    await makeFolders(disk, path)
  await publish({ folder, disk }, { to: formatPath(folder), bytes: formatBytes(VERSION) })
  return { folder, disk }
}

/** Null where nothing was archived yet. Nothing is written. */
export function existingArchive(folder: string, disk: Disk = REAL_DISK): Archive | null {
  const stat = disk.stat(formatPath(folder))
  if (stat === null) return null
  const problem = formatProblem({ folder, disk })
  if (problem?.code === 'newer-format') throw problem
  return { folder, disk }
}

/** What is wrong with the file that says what this is; null when it is as it was written. */
export function formatProblem({ folder, disk }: Archive): ArchiveError | null {
  const path = formatPath(folder)
  const stat = disk.stat(path)
  if (stat === null) return new ArchiveError('missing', `${path} is missing`)
  const bytes = stat.sizeBytes > FORMAT_SIZE_MAX ? Buffer.alloc(0) : readWhole(disk, path)
  if (bytes.equals(formatBytes(VERSION))) return null
  const version = Number(/^clew archive, format (\d{1,6})\n/.exec(bytes.toString('latin1'))?.[1] ?? 0)
  if (version > VERSION) {
    const needed = `${folder} was written by a newer clew (format ${version}, this one knows ${VERSION})`
    return new ArchiveError('newer-format', `${needed}: update clew to use it`)
  }
  return new ArchiveError('damaged', `${path} is damaged`)
}

export function packFolder({ folder }: Archive): string {
  return join(folder, 'packs')
}

export function snapshotFolder({ folder }: Archive): string {
  return join(folder, 'snapshots')
}

export function formatPath(folder: string): string {
  return join(folder, 'format')
}

/** What a process that was killed leaves behind ends like this. No two processes write under one such name. */
export const UNFINISHED = '.part'

export function unfinishedPath(folder: string): string {
  return join(folder, `${randomUUID()}${UNFINISHED}`)
}

export interface Published {
  readonly to: string
  readonly bytes: Uint8Array
}

/** There whole or not at all, and lasting when this has returned. */
export async function publish({ folder, disk }: Archive, { to, bytes }: Published): Promise<void> {
  const parent = join(to, '..')
  const next = unfinishedPath(parent === folder ? folder : parent)
  const fd = disk.openToAppend(next, true)
  try {
    writeAll(disk, fd, bytes)
    await disk.sync(fd)
  } catch (error) {
    discard(disk, next)
    throw error
  } finally {
    disk.close(fd)
  }
  disk.rename(next, to)
  await disk.syncFolder(parent)
}

/** A full disk gets its room back. What cannot be removed is left to `pruneArchive`. */
export function discard(disk: Disk, path: string): void {
  try {
    disk.remove(path)
  } catch (error) {
    // The first error is the one to hear about.
    if (!(error instanceof Error)) throw error
  }
}

function formatBytes(version: number): Buffer {
  return Buffer.from(
    `clew archive, format ${version}\nPacks hold bytes of files, snapshots say which. See docs/archive.md of clew.\n`,
    'utf8',
  )
}
