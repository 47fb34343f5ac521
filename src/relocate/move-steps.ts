// The steps a move and its undo are made of. Each leaves every byte in at least one known place, wherever it is cut off.

import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, replaceInPieces, writeAll } from '../disk/durable.ts'
import { StoreError } from '../store/store-error.ts'
import type { Extent } from './file-pieces.ts'
import { alteredPieces, UNCHANGED } from './file-pieces.ts'

/**
 * The new place is synced before the old one: a crash in between may leave a file in both, never in none. `demandLast`
 * is asked right before it moves: to make folders last takes a while, in which somebody may have made the file.
 */
export async function moveFile(disk: Disk, from: string, to: string, demandLast?: () => void): Promise<void> {
  if (from === to) return
  await makeFolders(disk, dirname(to))
  demandLast?.()
  disk.rename(from, to)
  await disk.syncFolder(dirname(to))
  await disk.syncFolder(dirname(from))
}

export async function removeFile(disk: Disk, path: string): Promise<void> {
  if (disk.stat(path) === null) return
  disk.remove(path)
  await disk.syncFolder(dirname(path))
}

/** Folders are listed from the outside in. One that holds something stays. */
export async function removeEmptyFolders(disk: Disk, folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    if (disk.stat(folder)?.isFolder !== true || disk.names(folder).length > 0) continue
    disk.remove(folder)
    await disk.syncFolder(dirname(folder))
  }
}

export interface FileTimes {
  readonly modifiedMs: number
  readonly mode: number
}

/** Whole or not at all, and only when it comes out as it was planned. */
export async function writeFile(
  disk: Disk,
  path: string,
  pieces: Iterable<Uint8Array>,
  { modifiedMs, mode }: FileTimes,
  planned: Extent | null,
  demandLast?: () => void,
): Promise<void> {
  await makeFolders(disk, dirname(path))
  await replaceInPieces(disk, path, planned === null ? pieces : checked(pieces, planned, path), demandLast)
  disk.setMode(path, mode)
  disk.setModified(path, modifiedMs)
}

/** What is found out behind the last piece keeps the file from taking its place. */
function* checked(pieces: Iterable<Uint8Array>, planned: Extent, path: string): Generator<Uint8Array, void, void> {
  const hash = createHash('sha256')
  for (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== planned.sha256) throw changedMeanwhile(path)
}

export function changedMeanwhile(path: string): StoreError {
  return new StoreError('live-session', `${path} was written to meanwhile`)
}

/** What is written into a file between reading it and replacing it would be lost. Asked of it as it is now. */
export function demandUnchanged(disk: Disk, path: string): () => void {
  const before = disk.stat(path)
  return () => {
    const now = disk.stat(path)
    if (now?.sizeBytes !== before?.sizeBytes || now?.modifiedMs !== before?.modifiedMs) throw changedMeanwhile(path)
  }
}

export async function copyFile(disk: Disk, from: string, to: string, times: FileTimes, planned: Extent): Promise<void> {
  await writeFile(disk, to, alteredPieces(disk, from, UNCHANGED), times, planned)
}

export async function appendText(disk: Disk, path: string, text: string, { modifiedMs }: FileTimes): Promise<void> {
  const fd = disk.openToAppend(path, false)
  try {
    writeAll(disk, fd, Buffer.from(text))
    await disk.sync(fd)
  } finally {
    disk.close(fd)
  }
  disk.setModified(path, modifiedMs)
}
