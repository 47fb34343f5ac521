import { createHash } from 'node:crypto'
import type { Disk } from './disk.ts'

const READ_BYTES = 1 << 20

/** A file from its beginning to its end, without ever having all of it. */
export function* filePieces(disk: Disk, path: string): Generator<Uint8Array, void, void> {
  const fd = disk.openToRead(path)
  try {
    for (let at = 0; ; ) {
      const bytes = disk.read(fd, at, READ_BYTES)
      if (bytes.length === 0) return
      at += bytes.length
      yield bytes
    }
  } finally {
    disk.close(fd)
  }
}

export function fileSha256(disk: Disk, path: string): string {
  const hash = createHash('sha256')
  for (const bytes of filePieces(disk, path)) hash.update(bytes)
  return hash.digest('hex')
}
