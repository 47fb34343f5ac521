import { createHash } from 'node:crypto'
import type { Disk } from '../disk/disk.ts'
import { writeAll } from '../disk/durable.ts'
import { filePieces, fileSha256 } from '../disk/file-pieces.ts'
import type { FileFacts } from './repair-receipt.ts'
import { RepairRefused } from './repair-refused.ts'

/** Under a name that is free; lasting when this has returned. Answers with the SHA-256 of what was copied. */
export async function copyFile(disk: Disk, from: string, to: string): Promise<string> {
  return (await writeNew(disk, to, filePieces(disk, from))).sha256
}

export type WrittenFacts = Pick<FileFacts, 'sha256' | 'sizeBytes'>

/** What cannot be written whole is not left behind. */
export async function writeNew(disk: Disk, path: string, bytes: Iterable<Uint8Array>): Promise<WrittenFacts> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const fd = disk.openToAppend(path, true)
  try {
    for (const stretch of bytes) {
      writeAll(disk, fd, stretch)
      hash.update(stretch)
      sizeBytes += stretch.length
    }
    await disk.sync(fd)
  } catch (error) {
    disk.remove(path)
    throw error
  } finally {
    disk.close(fd)
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

export function factsOf(disk: Disk, path: string): FileFacts {
  const stat = disk.stat(path)
  if (stat === null) throw new RepairRefused('changed', `${path} is not there any more`)
  const { sizeBytes, modifiedMs, mode } = stat
  return { sha256: fileSha256(disk, path), sizeBytes, modifiedMs, mode }
}
