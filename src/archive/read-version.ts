// A version of a file, in pieces, in order. Its hash is compared at the end: whoever acts on the bytes waits for that.

import { createHash } from 'node:crypto'
import { ArchiveError } from './archive-error.ts'
import { openSnapshots, type Snapshots, stretchesOf } from './catalogue.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { Shelf } from './shelf.ts'

/** An archive that is open to read many versions from: blocks that were unpacked are kept for the next. */
export interface ArchiveReader {
  readonly archive: Archive
  readonly snapshots: Snapshots
  readonly shelf: Shelf
}

/** To be closed by `closeReader`. */
export function openReader(archive: Archive, snapshots: Snapshots = openSnapshots(archive)): ArchiveReader {
  return { archive, snapshots, shelf: new Shelf(archive) }
}

export function closeReader({ shelf }: ArchiveReader): void {
  shelf.close()
}

/** Throws ArchiveError after the last piece when they are not what was archived. A piece is to be used at once or copied. */
export function* versionPieces(reader: ArchiveReader, file: ArchivedFile): Generator<Buffer> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for (const { packId, offset, length } of stretchesOf(reader.snapshots, file)) {
    const pack = reader.shelf.numberOf(packId)
    for (let done = 0; done < length; ) {
      const piece = reader.shelf.view(pack, offset + done).subarray(0, length - done)
      if (piece.length === 0) throw unlike(file)
      hash.update(piece)
      yield piece
      done += piece.length
    }
    sizeBytes += length
  }
  if (sizeBytes !== file.sizeBytes || hash.digest('hex') !== file.sha256) throw unlike(file)
}

/** All of a version, checked. */
export function readVersion(reader: ArchiveReader, file: ArchivedFile): Buffer {
  // A piece is a part of a block that may be let go of; concat copies.
  return Buffer.concat([...versionPieces(reader, file)])
}

function unlike({ name }: ArchivedFile): ArchiveError {
  return new ArchiveError('damaged', `${name} is damaged in the archive: clew archive verify says what is`)
}
