// Whether a file on disk has all that the archive has of it: the same bytes, perhaps with more behind them.

import { createHash } from 'node:crypto'
import type { ArchivedFile } from '../archive/model.ts'
import { systemCode } from '../base/system-code.ts'
import { REAL_DISK } from '../disk/real-disk.ts'

const READ_BYTES = 1 << 20

export function beginsWithArchived(file: ArchivedFile, path: string): boolean {
  try {
    const stat = REAL_DISK.stat(path)
    if (stat === null || stat.isFolder || stat.sizeBytes < file.sizeBytes) return false
    return firstBytesSha256(path, file.sizeBytes) === file.sha256
  } catch (error) {
    // What cannot be read is nothing to rely on.
    if (systemCode(error) !== null) return false
    throw error
  }
}

/** Null when the file is shorter by now. */
function firstBytesSha256(path: string, sizeBytes: number): string | null {
  const hash = createHash('sha256')
  const fd = REAL_DISK.openToRead(path)
  try {
    for (let at = 0; at < sizeBytes; ) {
      const bytes = REAL_DISK.read(fd, at, Math.min(READ_BYTES, sizeBytes - at))
      if (bytes.length === 0) return null
      hash.update(bytes)
      at += bytes.length
    }
  } finally {
    REAL_DISK.close(fd)
  }
  return hash.digest('hex')
}
