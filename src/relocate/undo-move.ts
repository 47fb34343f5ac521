// The way back from a move, from wherever it was cut off. Each file says by its bytes how far it has come: what it was is
// known by its hash, and so is what it became. What was written since stays at its end.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { demandFree, makeFolders, readWhole } from '../disk/durable.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { sha256Of } from '../store/receipt.ts'
import type { StoreError } from '../store/store-error.ts'
import { writeError } from '../store/store-error.ts'
import type { MovedFile, MoveReceipt } from './move-receipt.ts'
import { discardMoveReceipt, keptPath, movesFolder } from './move-receipt.ts'
import { demandUnchanged, moveFile, removeEmptyFolders, removeFile, writeFile } from './move-steps.ts'
import { restoreProjectNames } from './project-settings.ts'

export interface UndoneMove {
  readonly receiptId: string
  readonly restored: number
  /** As they were: never changed, or changed back before. */
  readonly alreadyThere: number
  /** Files that nobody can put back without losing something; the receipt stays while there are any. */
  readonly conflicts: readonly MoveConflict[]
  readonly failure: StoreError | null
}

export interface MoveConflict {
  readonly path: string
  /** `different`: it is neither what it was nor what it became; `lost`: it is nowhere. */
  readonly why: 'different' | 'lost'
}

export async function undoMove(disk: Disk, root: string, receipt: MoveReceipt): Promise<UndoneMove> {
  const counts = { restored: 0, 'already-there': 0 }
  const conflicts: MoveConflict[] = []
  let failure: StoreError | null = null
  try {
    for (const folder of receipt.folders) await makeFolders(disk, join(root, folder))
    for (const file of [...receipt.files].reverse()) {
      const outcome = await restore(disk, placesOf(root, receipt.id, file), file)
      if (outcome === 'restored' || outcome === 'already-there') counts[outcome]++
      else conflicts.push({ path: join(root, file.from), why: outcome })
    }
    const made = receipt.made.map((folder) => join(root, folder))
    await removeEmptyFolders(disk, made)
    if (conflicts.length === 0) await discardAll(disk, root, receipt.id)
  } catch (error) {
    failure = writeError(root, error)
  }
  const { restored, 'already-there': alreadyThere } = counts
  return { receiptId: receipt.id, restored, alreadyThere, conflicts, failure }
}

interface Places {
  readonly from: string
  readonly to: string
  readonly kept: string
}

function placesOf(root: string, id: string, { from, to }: MovedFile): Places {
  const kept = keptPath(root, id, from)
  return { from: join(root, from), to: to === null ? kept : join(root, to), kept }
}

type Outcome = 'restored' | 'already-there' | MoveConflict['why']

async function restore(disk: Disk, places: Places, file: MovedFile): Promise<Outcome> {
  for (const path of Object.values(places)) await removeFile(disk, `${path}.clew-next`)
  if (file.sha256 === null) return restoreLink(disk, places)
  return file.kind === 'changed' ? restoreChanged(disk, places, file) : restoreMoved(disk, places, file)
}

async function restoreLink(disk: Disk, { from, to }: Places): Promise<Outcome> {
  if (disk.stat(from) !== null) return 'already-there'
  if (disk.stat(to) === null) return 'lost'
  await moveFile(disk, to, from, () => demandFree(disk, from))
  return 'restored'
}

/** Same bytes, in one place or the other or after a crash in both; at the end what was added, or a part of it. */
async function restoreMoved(disk: Disk, { from, to }: Places, file: MovedFile): Promise<Outcome> {
  const [demandOld, demandNew] = [demandUnchanged(disk, from), demandUnchanged(disk, to)]
  const isBack = begins(disk, from, file.sizeBytes, file.sha256)
  const isThere = to !== from && begins(disk, to, file.sizeBytes, file.sha256)
  if (!isBack && !isThere) return disk.stat(from) === null && disk.stat(to) === null ? 'lost' : 'different'
  if (disk.stat(from) !== null && !isBack) return 'different'
  const sinceAt = (path: string): Buffer => sinceAdded(restOf(disk, path, file.sizeBytes), Buffer.from(file.added))
  const [atOld, atNew] = [isBack ? sinceAt(from) : null, isThere ? sinceAt(to) : null]
  if (atOld !== null && atNew !== null && !isPartOf(atOld, atNew) && !isPartOf(atNew, atOld)) return 'different'
  const isNewer = atOld === null || (atNew !== null && atNew.length > atOld.length)
  const [source, since] = isNewer ? [to, atNew ?? Buffer.alloc(0)] : [from, atOld]
  const sizeBytes = file.sizeBytes + since.length
  if (!isBack && disk.stat(to)?.sizeBytes === sizeBytes) {
    await moveFile(disk, to, from, () => demandFree(disk, from))
    return 'restored'
  }
  const isWhole = isBack && disk.stat(from)?.sizeBytes === sizeBytes
  const demandLast = (): void => {
    demandOld()
    demandNew()
  }
  if (!isWhole) await writeBack(disk, from, source, file, since, source, demandLast)
  if (isThere) await removeUnchanged(disk, to, demandNew)
  return isWhole && !isThere ? 'already-there' : 'restored'
}

/** What a client wrote behind our record stays, and our record goes. After a power cut zeros may stand for parts of it. */
function sinceAdded(rest: Buffer, added: Buffer): Buffer {
  const own = rest.subarray(0, added.length)
  return own.every((byte, place) => byte === added[place] || byte === 0) ? rest.subarray(own.length) : rest
}

/** Somebody may have gone on at the old place, or at both: one gives way only where the other has all of it. */
function isPartOf(there: Buffer, coming: Buffer): boolean {
  return there.equals(coming.subarray(0, there.length))
}

/** Another file is, or was to be, in its place; it is kept as it was, or was not touched yet. */
async function restoreChanged(disk: Disk, places: Places, file: MovedFile): Promise<Outcome> {
  const { from, to, kept } = places
  const demandLast = demandUnchanged(disk, from)
  const demandNew = demandUnchanged(disk, to)
  const isKept = begins(disk, kept, file.sizeBytes, file.sha256) && disk.stat(kept)?.sizeBytes === file.sizeBytes
  const isChanged = begins(disk, to, file.afterBytes, file.afterSha256)
  const isBack = begins(disk, from, file.sizeBytes, file.sha256)
  if (!isBack && !isKept) return disk.stat(from) === null && disk.stat(to) === null ? 'lost' : 'different'
  if (!isBack && from === to && !isChanged) return restoreNames(disk, places, file)
  // What is at the new place is somebody else's then. Where the old one is still what it was, there is nothing to undo.
  if (from !== to && !isChanged && disk.stat(to) !== null) return isBack && !isKept ? 'already-there' : 'different'
  if (!isBack && from !== to && disk.stat(from) !== null) return 'different'
  const since = isChanged && !(from === to && isBack) ? restOf(disk, to, file.afterBytes) : Buffer.alloc(0)
  const atOld = isBack && from !== to ? restOf(disk, from, file.sizeBytes) : Buffer.alloc(0)
  if (isChanged && !isPartOf(atOld, since) && !isPartOf(since, atOld)) return 'different'
  // Where nothing came in its place, what was written behind it is its own.
  const isWhole = isBack && (from === to || !isChanged || isPartOf(since, atOld))
  if (!isWhole && since.length === 0 && from !== to) await moveFile(disk, kept, from, () => demandFree(disk, from))
  else if (!isWhole) await writeBack(disk, from, isKept ? kept : from, file, since, to, demandLast)
  if (from !== to && isChanged) await removeUnchanged(disk, to, demandNew)
  await removeFile(disk, kept)
  return isWhole && !isChanged ? 'already-there' : 'restored'
}

/** What was written to it since it was read stands nowhere else. The next undo goes on with it. */
async function removeUnchanged(disk: Disk, path: string, demandLast: () => void): Promise<void> {
  demandLast()
  await removeFile(disk, path)
}

/** A client has written .claude.json anew since: then only the names of the projects go back. */
async function restoreNames(disk: Disk, { from, kept }: Places, { keys, mode }: MovedFile): Promise<Outcome> {
  const demandLast = demandUnchanged(disk, from)
  const stat = disk.stat(from)
  const text = stat === null || keys.length === 0 ? null : readWhole(disk, from).toString('utf8')
  const restored = text === null ? null : restoreProjectNames(text, keys)
  if (restored === null) return 'different'
  if (restored !== text) {
    await writeFile(disk, from, [Buffer.from(restored)], { modifiedMs: stat?.modifiedMs ?? 0, mode }, null, demandLast)
  }
  await removeFile(disk, kept)
  return 'restored'
}

async function writeBack(
  disk: Disk,
  from: string,
  source: string,
  { sizeBytes, modifiedMs, mode }: MovedFile,
  since: Buffer,
  written: string,
  demandLast: () => void,
): Promise<void> {
  const newestMs = since.length === 0 ? modifiedMs : (disk.stat(written)?.modifiedMs ?? modifiedMs)
  const pieces = [readPart(disk, source, 0, sizeBytes), since]
  await writeFile(disk, from, pieces, { modifiedMs: newestMs, mode }, null, demandLast)
}

function restOf(disk: Disk, path: string, from: number): Buffer {
  const size = disk.stat(path)?.sizeBytes ?? 0
  return size <= from ? Buffer.alloc(0) : readPart(disk, path, from, size - from)
}

function readPart(disk: Disk, path: string, offset: number, length: number): Buffer {
  const fd = disk.openToRead(path)
  try {
    const parts: Uint8Array[] = []
    for (let at = 0; at < length; ) {
      const part = disk.read(fd, offset + at, Math.min(length - at, 1 << 20))
      if (part.length === 0) break
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts)
  } finally {
    disk.close(fd)
  }
}

function begins(disk: Disk, path: string, sizeBytes: number, sha256: string | null): boolean {
  const stat = disk.stat(path)
  if (stat === null || stat.isFolder || stat.sizeBytes < sizeBytes) return false
  return sha256Of(disk, path, sizeBytes) === sha256
}

async function discardAll(disk: Disk, root: string, id: string): Promise<void> {
  const { files, folders } = filesBelow(disk, movesFolder(root, id))
  for (const { path } of files) if (path.endsWith('.clew-next')) await removeFile(disk, path)
  await removeEmptyFolders(disk, folders.slice(1))
  await discardMoveReceipt(disk, root, id)
}
