// Whether all is as it was written. Packs and snapshots bear the hash of their bytes as names, so no byte of them can
// change unnoticed; what a damaged one takes with it is found by reading the files that are in it.

import { createHash } from 'node:crypto'
import { ArchiveError } from './archive-error.ts'
import { allVersions, openSnapshots, type Snapshots, snapshotIds, stretchesOf } from './catalogue.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { formatProblem } from './open-archive.ts'
import { packIds } from './pack-list.ts'
import { packPath } from './pack-writer.ts'
import { type ArchiveReader, closeReader, openReader, versionPieces } from './read-version.ts'

export interface VerifyOptions {
  /** Also puts every version of every file together and compares its hash. */
  readonly readsFiles?: boolean
  readonly onProgress?: (progress: { readonly sizeBytes: number; readonly bytesDone: number }) => void
}

export interface VerifyReport {
  readonly isWhole: boolean
  /** What is wrong with the file that says what this folder is; null when nothing is. */
  readonly format: string | null
  readonly damagedPacks: readonly string[]
  readonly missingPacks: readonly string[]
  readonly damagedSnapshots: readonly string[]
  /** Snapshots that another one builds on. */
  readonly missingSnapshots: readonly string[]
  /** Versions that cannot be read back. */
  readonly damagedFiles: readonly ArchivedFile[]
  readonly damagedSessions: readonly string[]
  readonly packCount: number
  readonly snapshotCount: number
  readonly versionCount: number
  readonly checkedBytes: number
}

const READ_BYTES = 1 << 20

export async function verifyArchive(archive: Archive, options: VerifyOptions = {}): Promise<VerifyReport> {
  const format = formatProblem(archive)?.message ?? null
  const packs = packIds(archive)
  const { damaged: damagedPacks, checkedBytes } = await damagedAmong(archive, packs, options)
  const snapshots = openSnapshots(archive)
  const versions = allVersions(snapshots)
  const named = new Set([...snapshots.byId.values()].flatMap(({ packIds: ids }) => ids))
  const missingPacks = [...named].filter((id) => !packs.includes(id))
  const missingSnapshots = missingBases(snapshots)
  const suspects = new Set([...damagedPacks, ...missingPacks])
  const damagedFiles = await unreadable(archive, snapshots, versions, options.readsFiles === true ? null : suspects)
  const damagedSnapshots = snapshots.damaged
  const lists = [damagedPacks, missingPacks, damagedSnapshots, missingSnapshots, damagedFiles]
  return {
    isWhole: format === null && lists.every(({ length }) => length === 0),
    format,
    damagedPacks,
    missingPacks,
    damagedSnapshots,
    missingSnapshots,
    damagedFiles,
    damagedSessions: [...new Set(damagedFiles.flatMap(({ sessionId }) => sessionId ?? []))],
    packCount: packs.length,
    snapshotCount: snapshotIds(archive).length,
    versionCount: versions.length,
    checkedBytes,
  }
}

export async function damagedAmong(
  archive: Archive,
  ids: readonly string[],
  { onProgress }: VerifyOptions,
): Promise<{ readonly damaged: readonly string[]; readonly checkedBytes: number }> {
  const { disk } = archive
  const sizeBytes = ids.reduce((sum, id) => sum + (disk.stat(packPath(archive, id))?.sizeBytes ?? 0), 0)
  const damaged: string[] = []
  let bytesDone = 0
  for (const id of ids) {
    const hash = createHash('sha256')
    const fd = disk.openToRead(packPath(archive, id))
    try {
      for (let at = 0; ; ) {
        const bytes = disk.read(fd, at, READ_BYTES)
        if (bytes.length === 0) break
        hash.update(bytes)
        at += bytes.length
        bytesDone += bytes.length
        onProgress?.({ sizeBytes, bytesDone })
        await null
      }
    } finally {
      disk.close(fd)
    }
    if (hash.digest('hex') !== id) damaged.push(id)
  }
  return { damaged, checkedBytes: bytesDone }
}

function missingBases({ byId, damaged }: Snapshots): readonly string[] {
  const bases = [...byId.values()].flatMap(({ files }) => files.flatMap(({ base }) => base?.snapshotId ?? []))
  return [...new Set(bases)].filter((id) => !byId.has(id) && !damaged.includes(id))
}

/** Of the versions that have something in a suspect; of all versions when there are no suspects named. */
async function unreadable(
  archive: Archive,
  snapshots: Snapshots,
  versions: readonly ArchivedFile[],
  suspects: ReadonlySet<string> | null,
): Promise<readonly ArchivedFile[]> {
  const reader = openReader(archive, snapshots)
  const found: ArchivedFile[] = []
  try {
    for (const file of versions) {
      if (!isReadable(reader, file, suspects)) found.push(file)
      await null
    }
  } finally {
    closeReader(reader)
  }
  return found
}

function isReadable(reader: ArchiveReader, file: ArchivedFile, suspects: ReadonlySet<string> | null): boolean {
  try {
    const stretches = stretchesOf(reader.snapshots, file)
    if (suspects !== null && !stretches.some(({ packId }) => suspects.has(packId))) return true
    for (const piece of versionPieces(reader, file)) if (piece.length === 0) return false
    return true
  } catch (error) {
    if (error instanceof ArchiveError) return false
    throw error
  }
}
