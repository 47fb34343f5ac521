// Chosen versions in one file, for another machine: a small archive of them, its parts one after another behind a line that
// names them. `importArchive` leads back.

import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { demandFree, writeAll } from '../disk/durable.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { snapshotIds, snapshotPath } from './catalogue.ts'
import { type CopyOptions, copyVersions } from './copy-versions.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { discard, openArchive, unfinishedPath } from './open-archive.ts'
import { packIds } from './pack-list.ts'
import { packPath } from './pack-writer.ts'
import { closeReader, openReader } from './read-version.ts'

export const EXPORT_HEAD = 'clew archive export 1 '
const READ_BYTES = 1 << 20

export interface ExportPart {
  /** The hash of its bytes; for a snapshot its id. */
  readonly id: string
  readonly sizeBytes: number
}

/** The first line, as JSON behind its hash. */
export interface ExportLine {
  readonly packs: readonly ExportPart[]
  readonly snapshot: ExportPart
}

/** The size of the file that was written. It is there whole or not at all; one that is there is not written over. */
export async function exportArchive(
  archive: Archive,
  files: readonly ArchivedFile[],
  to: string,
  options: CopyOptions,
): Promise<number> {
  const { disk } = archive
  demandFree(disk, to)
  const folder = unfinishedPath(dirname(to))
  const reader = openReader(archive)
  try {
    const small = await openArchive(folder, disk)
    await copyVersions(reader, files, small, options)
    return await joinParts(small, to)
  } finally {
    closeReader(reader)
    removeAll(disk, folder)
  }
}

async function joinParts(small: Archive, to: string): Promise<number> {
  const { disk } = small
  const part = (id: string, path: string): ExportPart => ({ id, sizeBytes: disk.stat(path)?.sizeBytes ?? 0 })
  const packs = packIds(small).map((id) => part(id, packPath(small, id)))
  const [snapshotId = ''] = snapshotIds(small)
  const line: ExportLine = { packs, snapshot: part(snapshotId, snapshotPath(small, snapshotId)) }
  const json = JSON.stringify(line)
  const next = unfinishedPath(dirname(to))
  const fd = disk.openToAppend(next, true)
  try {
    const hash = createHash('sha256').update(json).digest('hex')
    writeAll(disk, fd, Buffer.from(`${EXPORT_HEAD}${hash} ${json}\n`, 'utf8'))
    for (const { id } of packs) copyBytes(disk, packPath(small, id), fd)
    copyBytes(disk, snapshotPath(small, snapshotId), fd)
    await disk.sync(fd)
    const sizeBytes = disk.sizeOf(fd)
    // To pack it may have taken minutes.
    demandFree(disk, to)
    disk.rename(next, to)
    await disk.syncFolder(dirname(to))
    return sizeBytes
  } catch (error) {
    discard(disk, next)
    throw error
  } finally {
    disk.close(fd)
  }
}

function copyBytes(disk: Disk, path: string, to: number): void {
  const from = disk.openToRead(path)
  try {
    for (let at = 0; ; ) {
      const bytes = disk.read(from, at, READ_BYTES)
      if (bytes.length === 0) return
      writeAll(disk, to, bytes)
      at += bytes.length
    }
  } finally {
    disk.close(from)
  }
}

/** A file or a folder of our own, with all that is in it. */
export function removeAll(disk: Disk, folder: string): void {
  const { files, folders } = filesBelow(disk, folder)
  if (folders.length === 0) discard(disk, folder)
  for (const { path } of files) discard(disk, path)
  for (const path of folders.toReversed()) discard(disk, path)
}
