// Files → a snapshot. What has not changed is not read, what has grown costs what is new, and nothing counts as kept
// before the manifest that names it is on disk for good.

import { dirname } from 'node:path'
import { ArchiveError } from './archive-error.ts'
import { newestFiles, openSnapshots, type Snapshots, sourceKey } from './catalogue.ts'
import { type KeptFile, keepFile, type SkippedFile } from './keep-file.ts'
import type { ManifestFile } from './manifest.ts'
import type { SourceFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { doomedNames } from './pack-list.ts'
import { Weaving } from './weaving.ts'
import { laterThan, writeSnapshot } from './write-snapshot.ts'

export interface SnapshotOptions {
  readonly takenMs: number
  readonly onProgress?: (progress: SnapshotProgress) => void
  /** Packs that nothing may be taken from, because they were found damaged: what they held is kept anew. */
  readonly avoidedPackIds?: ReadonlySet<string>
  /** A long snapshot is acknowledged in parts, whenever this much is new. Only tests set it. */
  readonly partBytes?: number
}

export interface SnapshotProgress {
  readonly fileCount: number
  readonly filesDone: number
  readonly sizeBytes: number
  readonly bytesDone: number
}

export interface SnapshotTaken {
  /** The snapshots that were written: none when nothing had changed, several when there was much. */
  readonly snapshotIds: readonly string[]
  readonly keptFiles: number
  readonly unchangedFiles: number
  readonly skipped: readonly SkippedFile[]
  /** Of the files that were kept, and what they took. */
  readonly sizeBytes: number
  readonly storedBytes: number
}

const PART_BYTES = 1 << 28
const TRIES = 5

interface ChangedFile {
  readonly source: SourceFile
  readonly sizeBytes: number
  readonly modifiedMs: number
}

export async function takeSnapshot(
  archive: Archive,
  files: readonly SourceFile[],
  options: SnapshotOptions,
): Promise<SnapshotTaken> {
  const changed = changedFiles(archive, openSnapshots(archive), files, options.avoidedPackIds)
  const sizeBytes = changed.reduce((sum, file) => sum + file.sizeBytes, 0)
  let progress = { fileCount: changed.length, filesDone: 0, sizeBytes, bytesDone: 0 }
  const report = (filesDone: number, bytesDone: number): void => {
    progress = { ...progress, filesDone: progress.filesDone + filesDone, bytesDone: progress.bytesDone + bytesDone }
    options.onProgress?.(progress)
  }
  const parts: Part[] = []
  for (let rest = changed, tries = TRIES; rest.length > 0; ) {
    const part = await keepPart(archive, rest, { ...options, report })
    // Somebody was about to remove a pack that this part relied on: it is kept anew, without it.
    if (part === null && tries-- > 0) continue
    if (part === null) throw new ArchiveError('missing', 'packs are being removed from the archive: try again later')
    parts.push(part)
    rest = rest.slice(part.doneCount)
  }
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0)
  return {
    snapshotIds: parts.flatMap(({ snapshotId }) => snapshotId ?? []),
    keptFiles: sum(({ files: kept }) => kept.length),
    unchangedFiles: files.length - changed.length,
    skipped: parts.flatMap(({ skipped }) => skipped),
    sizeBytes: sum(({ files: kept }) => kept.reduce((total, file) => total + file.sizeBytes, 0)),
    storedBytes: sum(({ storedBytes }) => storedBytes),
  }
}

/** Those whose size, time or mode is not what the archive has; side by side what may be alike. */
function changedFiles(
  { disk }: Archive,
  snapshots: Snapshots,
  files: readonly SourceFile[],
  avoided: ReadonlySet<string> = new Set(),
): readonly ChangedFile[] {
  const newest = newestFiles(snapshots)
  const changed: ChangedFile[] = []
  for (const source of files) {
    const known = newest.get(sourceKey(snapshots, source)) ?? null
    const stat = disk.stat(source.path)
    const isSame = stat !== null && known?.sizeBytes === stat.sizeBytes && isSameTime(known.modifiedMs, stat.modifiedMs)
    if (isSame && known.mode === stat.mode && avoided.size === 0) continue
    changed.push({ source, sizeBytes: stat?.sizeBytes ?? 0, modifiedMs: stat?.modifiedMs ?? 0 })
  }
  return changed.sort(byFolderAndTime)
}

/** Node sets times to the microsecond, and reads them finer: what was restored is not called changed. */
function isSameTime(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) < 0.001
}

function byFolderAndTime(one: ChangedFile, other: ChangedFile): number {
  const [here, there] = [dirname(one.source.path), dirname(other.source.path)]
  return here === there ? one.modifiedMs - other.modifiedMs : here < there ? -1 : 1
}

interface Part {
  readonly doneCount: number
  readonly snapshotId: string | null
  readonly files: readonly ManifestFile[]
  readonly skipped: readonly SkippedFile[]
  readonly storedBytes: number
}

interface PartOptions extends SnapshotOptions {
  readonly report: (filesDone: number, bytesDone: number) => void
}

/** As many of the files as fit; null when what was written relies on a pack that is about to go. */
async function keepPart(
  archive: Archive,
  changed: readonly ChangedFile[],
  { takenMs, avoidedPackIds, partBytes = PART_BYTES, report }: PartOptions,
): Promise<Part | null> {
  const snapshots = openSnapshots(archive)
  const weaving = new Weaving(archive, new Set([...doomedNames(archive), ...(avoidedPackIds ?? [])]))
  const kept: KeptFile[] = []
  const skipped: SkippedFile[] = []
  try {
    const world = { disk: archive.disk, weaving, snapshots, onBytes: (count: number) => report(0, count) }
    const newest = newestFiles(snapshots)
    for (const { source } of changed) {
      const one = await keepFile(world, source, newest.get(sourceKey(snapshots, source)) ?? null)
      if ('code' in one) skipped.push(one)
      else kept.push(one)
      report(1, 0)
      if (weaving.newBytes >= partBytes) break
    }
    await weaving.seal()
    const files = kept.map((file) => manifestFile(file, weaving))
    const doneCount = kept.length + skipped.length
    const { storedBytes } = weaving
    if (files.length === 0) return { doneCount, snapshotId: null, files, skipped, storedBytes }
    const written = await writeSnapshot(archive, { takenMs: laterThan(snapshots, takenMs), storedBytes, files })
    if (written === null) return null
    return { doneCount, ...written, files, skipped }
  } finally {
    await weaving.close()
  }
}

function manifestFile({ source, base, before, woven, ...content }: KeptFile, weaving: Weaving): ManifestFile {
  const { root, name, sessionId } = source
  const { sizeBytes, modifiedMs, mode, sha256 } = content
  const stretches = [...before, ...weaving.stretches(woven)]
  return { root, name, sessionId, sizeBytes, modifiedMs, mode, sha256, base, stretches }
}
