// Folders and files that last: each is synced, and so is the folder it was made in.

import { dirname } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from './disk.ts'

/** Folders that this process has seen synced into the folder above them. */
const CONFIRMED = new WeakMap<Disk, Set<string>>()
/** A store makes no more levels than this below its root. What lies further up is not ours. */
const LEVELS = 5

/** All levels that are not there. One that is may have been made by somebody who was killed before it was synced. */
export async function makeFolders(disk: Disk, path: string): Promise<void> {
  const known = CONFIRMED.get(disk) ?? new Set<string>()
  CONFIRMED.set(disk, known)
  const levels: { readonly folder: string; readonly isThere: boolean }[] = []
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const isThere = disk.stat(at) !== null
    if (isThere && (levels.length >= LEVELS || known.has(at))) break
    levels.push({ folder: at, isThere })
  }
  for (const { folder, isThere } of levels.reverse()) {
    if (!isThere) disk.makeFolder(folder)
    try {
      await disk.syncFolder(dirname(folder))
    } catch (error) {
      // Above the store there may be folders that its user may pass through and not open.
      if (!isThere || !FORBIDDEN.has(systemCode(error) ?? '')) throw error
    }
    known.add(folder)
  }
}

const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM'])

/** For what may take no other's place. Asked right before a file gets its own: there may have been none a while ago. */
export function demandFree(disk: Disk, path: string): void {
  if (disk.stat(path) !== null) throw Object.assign(new Error(`${path} is there already`), { code: 'EEXIST' })
}

/** Whole or not at all: under another name first, then in the place of what was there. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const next = `${path}.next`
  if (disk.stat(next) !== null) disk.remove(next)
  const fd = disk.openToAppend(next, true)
  try {
    writeAll(disk, fd, bytes)
    await disk.sync(fd)
  } catch (error) {
    // On a full disk nobody needs half a file.
    disk.remove(next)
    throw error
  } finally {
    disk.close(fd)
  }
  disk.rename(next, path)
  await disk.syncFolder(dirname(path))
}

/** The same for a file that is made in pieces, in a folder that is not the store's: only our own leftovers are removed. */
export function replaceInPieces(
  disk: Disk,
  path: string,
  pieces: Iterable<string | Uint8Array>,
  demandLast?: () => void,
): Promise<number> {
  const write = (add: (piece: Uint8Array) => void): void => {
    for (const piece of gathered(pieces)) add(piece)
  }
  return replaceBy(disk, path, write, demandLast)
}

/**
 * And for one whose pieces come when they like. Gives how many bytes there were. To make them last takes a while, so
 * `demandLast` is asked behind it, and keeps the file from taking its place by throwing.
 */
export async function replaceBy(
  disk: Disk,
  path: string,
  write: (add: (piece: Uint8Array) => void) => void | Promise<void>,
  demandLast: () => void = () => undefined,
): Promise<number> {
  const next = `${path}.clew-next`
  if (disk.stat(next) !== null) disk.remove(next)
  const fd = disk.openToAppend(next, true)
  let sizeBytes = 0
  try {
    await write((piece) => {
      writeAll(disk, fd, piece)
      sizeBytes += piece.length
    })
    await disk.sync(fd)
    demandLast()
    disk.rename(next, path)
  } catch (error) {
    disk.remove(next)
    throw error
  } finally {
    disk.close(fd)
  }
  await disk.syncFolder(dirname(path))
  return sizeBytes
}

const GATHERED_LENGTH = 1 << 20

/** Thousands of short pieces are a few writes. */
function* gathered(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let texts: string[] = []
  let length = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      texts.push(piece)
      length += piece.length
    }
    if (length < GATHERED_LENGTH && typeof piece === 'string') continue
    if (length > 0) yield Buffer.from(texts.join(''), 'utf8')
    texts = []
    length = 0
    if (typeof piece !== 'string') yield piece
  }
  if (length > 0) yield Buffer.from(texts.join(''), 'utf8')
}

/** A write may be short; the next one then tells why, or takes the rest. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += disk.write(fd, at === 0 ? bytes : bytes.subarray(at))
}

/** Makes last what anybody wrote to a file. */
export async function syncFile(disk: Disk, path: string): Promise<void> {
  const fd = disk.openToRead(path)
  try {
    await disk.sync(fd)
  } finally {
    disk.close(fd)
  }
}

/** All of a file. */
export function readWhole(disk: Disk, path: string): Buffer {
  const fd = disk.openToRead(path)
  try {
    const size = disk.sizeOf(fd)
    const parts: Uint8Array[] = []
    for (let at = 0; at < size; ) {
      const part = disk.read(fd, at, Math.min(size - at, 1 << 24))
      if (part.length === 0) break
      parts.push(part)
      at += part.length
    }
    return Buffer.concat(parts)
  } finally {
    disk.close(fd)
  }
}
