// Versions of files from one archive into another: whole, checked, and sharing there what they can.

import { ArchiveError } from './archive-error.ts'
import { openSnapshots } from './catalogue.ts'
import type { WovenStretch } from './file-weaver.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { doomedNames } from './pack-list.ts'
import { type ArchiveReader, versionPieces } from './read-version.ts'
import { weavePieces } from './weave-pieces.ts'
import { Weaving } from './weaving.ts'
import { laterThan, type WrittenSnapshot, writeSnapshot } from './write-snapshot.ts'

export interface CopyOptions {
  readonly takenMs: number
  readonly onProgress?: (progress: { readonly filesDone: number; readonly fileCount: number }) => void
}

const TRIES = 5

/** One snapshot with all of them; a version that cannot be read stops it, and nothing is written. */
export async function copyVersions(
  from: ArchiveReader,
  files: readonly ArchivedFile[],
  to: Archive,
  { takenMs, onProgress }: CopyOptions,
): Promise<WrittenSnapshot> {
  for (let left = TRIES; left > 0; left--) {
    const weaving = new Weaving(to, doomedNames(to))
    try {
      const kept: { readonly file: ArchivedFile; readonly woven: readonly WovenStretch[] }[] = []
      for (const file of files) {
        kept.push({ file, woven: await weavePieces(weaving, versionPieces(from, file)) })
        onProgress?.({ filesDone: kept.length, fileCount: files.length })
      }
      await weaving.seal()
      const rows = kept.map(({ file: { snapshotId, position, ...file }, woven }) => ({
        ...file,
        base: null,
        stretches: weaving.stretches(woven),
      }))
      const manifest = { takenMs: laterThan(openSnapshots(to), takenMs), storedBytes: weaving.storedBytes, files: rows }
      const written = await writeSnapshot(to, manifest)
      if (written !== null) return written
    } finally {
      await weaving.close()
    }
  }
  throw new ArchiveError('missing', 'packs are being removed from the archive: try again later')
}
