// Folders and files that last: each is synced, and so is the folder it was made in.

import { dirname } from 'node:path'
import type { Disk } from './disk.ts'

/** All levels that are not there. */
export async function makeFolders(disk: Disk, path: string): Promise<void> {
  const missing: string[] = []
  for (let at = path; disk.stat(at) === null && dirname(at) !== at; at = dirname(at)) missing.push(at)
  for (const one of missing.reverse()) {
    disk.makeFolder(one)
    await disk.syncFolder(dirname(one))
  }
}

/** Whole or not at all: under another name first, then in the place of what was there. */
export async function replaceFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const next = `${path}.next`
  if (disk.stat(next) !== null) disk.remove(next)
  const fd = disk.openToAppend(next, true)
  try {
    writeAll(disk, fd, bytes)
    await disk.sync(fd)
  } finally {
    disk.close(fd)
  }
  disk.rename(next, path)
  await disk.syncFolder(dirname(path))
}

/** A write may be short; the next one then tells why, or takes the rest. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += disk.write(fd, at === 0 ? bytes : bytes.subarray(at))
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
