// Archived files back to where they were, or below another folder: the same bytes, times and modes. Nothing that is there
// is written over.

import { dirname, join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import { demandFree, makeFolders, writeAll } from '../disk/durable.ts'
import { fileSha256 } from '../disk/file-pieces.ts'
import { ArchiveError } from './archive-error.ts'
import { stretchesOf } from './catalogue.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { discard, unfinishedPath } from './open-archive.ts'
import { type ArchiveReader, closeReader, openReader, versionPieces } from './read-version.ts'
import { safePath } from './safe-name.ts'

export type RestoreOutcome = 'restored' | 'already-there' | 'conflict' | 'damaged' | 'refused'

export interface RestoredFile {
  readonly file: ArchivedFile
  readonly path: string
  readonly outcome: RestoreOutcome
  /** What was in the way; null when nothing was. */
  readonly reason: string | null
}

export interface RestoreOptions {
  /** The Claude directory to restore to; null for the one each file came from. */
  readonly to: string | null
  /** Only says what would come of it. */
  readonly isDryRun?: boolean
  readonly onProgress?: (progress: { readonly filesDone: number; readonly fileCount: number }) => void
}

/** One outcome for each file, in the order in which they were given. */
export async function restoreFiles(
  archive: Archive,
  files: readonly ArchivedFile[],
  options: RestoreOptions,
): Promise<readonly RestoredFile[]> {
  const reader = openReader(archive)
  const outcomes = new Map<ArchivedFile, RestoredFile>()
  const folders = new Set<string>()
  try {
    for (const file of inPackOrder(reader, files)) {
      const restored = await restoreFile(reader, file, options)
      outcomes.set(file, restored)
      if (restored.outcome === 'restored') folders.add(dirname(restored.path))
      options.onProgress?.({ filesDone: outcomes.size, fileCount: files.length })
    }
    if (options.isDryRun !== true) for (const folder of folders) await archive.disk.syncFolder(folder)
  } finally {
    closeReader(reader)
  }
  return files.flatMap((file) => outcomes.get(file) ?? [])
}

/** So that a block is unpacked once for all that is in it. */
function inPackOrder(reader: ArchiveReader, files: readonly ArchivedFile[]): readonly ArchivedFile[] {
  const places = files.map((file) => {
    const first = startOf(reader, file)
    return { file, pack: first?.packId ?? '', offset: first?.offset ?? 0 }
  })
  places.sort((one, other) => (one.pack === other.pack ? one.offset - other.offset : one.pack < other.pack ? -1 : 1))
  return places.map(({ file }) => file)
}

function startOf({ snapshots }: ArchiveReader, file: ArchivedFile): { packId: string; offset: number } | undefined {
  try {
    // The longest one says where most of a fork is.
    let longest = stretchesOf(snapshots, file)[0]
    for (const stretch of stretchesOf(snapshots, file)) {
      if (longest === undefined || stretch.length > longest.length) longest = stretch
    }
    return longest
  } catch (error) {
    if (error instanceof ArchiveError) return undefined
    throw error
  }
}

async function restoreFile(
  reader: ArchiveReader,
  file: ArchivedFile,
  { to, isDryRun = false }: RestoreOptions,
): Promise<RestoredFile> {
  const { disk } = reader.archive
  const folder = to ?? file.root
  let path = join(folder, file.name)
  const result = (outcome: RestoreOutcome, reason: string | null): RestoredFile => ({ file, path, outcome, reason })
  try {
    path = safePath(disk, folder, file.name)
    const stat = disk.stat(path)
    if (stat !== null) {
      const isSame = !stat.isFolder && stat.sizeBytes === file.sizeBytes && fileSha256(disk, path) === file.sha256
      return isSame ? result('already-there', null) : result('conflict', 'another file is there')
    }
    if (isDryRun) return result('restored', null)
    await makeFolders(disk, dirname(path))
    await writeVersion(reader, file, path)
    return result('restored', null)
  } catch (error) {
    if (error instanceof ArchiveError)
      return result(error.code === 'unsafe-name' ? 'refused' : 'damaged', error.message)
    const code = systemCode(error)
    if (code === null || FATAL.has(code)) throw error
    return result('refused', code)
  }
}

/** What the next file would meet too. */
const FATAL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])

/** Under another name until all of it is there and right. */
async function writeVersion(reader: ArchiveReader, file: ArchivedFile, path: string): Promise<void> {
  const { disk } = reader.archive
  const next = unfinishedPath(dirname(path))
  const fd = disk.openToAppend(next, true)
  try {
    try {
      for (const piece of versionPieces(reader, file)) writeAll(disk, fd, piece)
      await disk.sync(fd)
    } finally {
      disk.close(fd)
    }
    disk.setMode(next, file.mode & 0o777)
    disk.setModified(next, file.modifiedMs)
    // Somebody may have made it meanwhile: what is there stays there.
    demandFree(disk, path)
    disk.rename(next, path)
  } catch (error) {
    discard(disk, next)
    throw error
  }
}
