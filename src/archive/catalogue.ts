// What the archive has: all of its snapshots in order, the later ones over the earlier. A file whose source is gone
// stays in it.

import { join } from 'node:path'
import { readWhole } from '../disk/durable.ts'
import { ArchiveError } from './archive-error.ts'
import type { OpenManifest } from './manifest.ts'
import { openManifest } from './manifest.ts'
import type { ArchivedFile, Catalogue, SnapshotHead, SourceFile, Stretch } from './model.ts'
import type { Archive } from './open-archive.ts'
import { snapshotFolder } from './open-archive.ts'
import { rootNames } from './root-names.ts'

const NAME = /^(\d{15}-[0-9a-f]{64})\.snapshot$/

/** All snapshots, opened. */
export interface Snapshots {
  readonly byId: ReadonlyMap<string, OpenManifest>
  readonly damaged: readonly string[]
  /** How the archive calls a Claude directory that was given by any of its names. */
  readonly rootOf: (root: string) => string
}

export function readCatalogue(archive: Archive): Catalogue {
  return catalogueOf(openSnapshots(archive))
}

export function catalogueOf(snapshots: Snapshots): Catalogue {
  const files = [...newestFiles(snapshots).values()].sort(byRootAndName)
  return { files, snapshots: [...snapshots.byId].map(([id, one]) => headOf(id, one)), damaged: snapshots.damaged }
}

/** Every version of every file, the newest of each name last. A version that two processes took is there once. */
export function allVersions(snapshots: Snapshots): readonly ArchivedFile[] {
  const last = new Map<string, ArchivedFile>()
  const versions: ArchivedFile[] = []
  for (const file of eachFile(snapshots)) {
    const key = recordedKey(snapshots, file)
    const before = last.get(key)
    last.set(key, file)
    const isSame = before?.sha256 === file.sha256 && before.modifiedMs === file.modifiedMs && before.mode === file.mode
    if (!isSame) versions.push(file)
  }
  return versions
}

export function newestFiles(snapshots: Snapshots): ReadonlyMap<string, ArchivedFile> {
  const files = new Map<string, ArchivedFile>()
  for (const file of eachFile(snapshots)) files.set(fileKey(file), file)
  return files
}

/** Of a file that the archive has. */
export function fileKey({ root, name }: { readonly root: string; readonly name: string }): string {
  return `${root}\0${name}`
}

/**
 * By the name its root was given when it was archived. What has one place today may have been two directories then, whose
 * files are no versions of each other: so none of them makes another one superfluous.
 */
export function recordedKey(snapshots: Snapshots, { name, snapshotId, position }: ArchivedFile): string {
  return fileKey({ root: snapshots.byId.get(snapshotId)?.files[position]?.root ?? '', name })
}

/** Of a file that was found just now, by the name its root has today. */
export function sourceKey(snapshots: Snapshots, { root, name }: Pick<SourceFile, 'root' | 'name'>): string {
  return fileKey({ root: snapshots.rootOf(root), name })
}

export function openSnapshots(archive: Archive): Snapshots {
  const byId = new Map<string, OpenManifest>()
  const damaged: string[] = []
  for (const id of snapshotIds(archive)) {
    try {
      byId.set(id, openManifest(id, readWhole(archive.disk, snapshotPath(archive, id))))
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      damaged.push(id)
    }
  }
  return { byId, damaged, rootOf: rootNames([...byId.values()].flatMap(({ roots }) => roots)) }
}

/** In the order in which they were taken. */
export function snapshotIds(archive: Archive): readonly string[] {
  return archive.disk
    .names(snapshotFolder(archive))
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .sort()
}

export function snapshotPath(archive: Archive, id: string): string {
  return join(snapshotFolder(archive), `${id}.snapshot`)
}

/** Where all the bytes of a version are: what it begins with, which an earlier version has, and what came after. */
export function stretchesOf(
  snapshots: Snapshots,
  file: Pick<ArchivedFile, 'snapshotId' | 'position'>,
): readonly Stretch[] {
  const parts: (readonly Stretch[])[] = []
  let [{ snapshotId, position }, lengthMax] = [file, Number.POSITIVE_INFINITY]
  while (true) {
    const manifest = snapshots.byId.get(snapshotId)
    const row = manifest?.files[position]
    if (manifest === undefined || row === undefined) {
      throw new ArchiveError('missing', `the snapshot ${snapshotId} is missing or damaged`)
    }
    const length = Math.min(row.sizeBytes, lengthMax)
    const { base } = row
    parts.push(firstBytes(manifest.stretches(position), length - (base?.sizeBytes ?? 0)))
    if (base === null) return parts.reverse().flat()
    ;({ snapshotId, position } = base)
    lengthMax = Math.min(length, base.sizeBytes)
  }
}

function firstBytes(stretches: readonly Stretch[], length: number): readonly Stretch[] {
  const kept: Stretch[] = []
  let left = length
  for (const stretch of stretches) {
    if (left <= 0) break
    kept.push(stretch.length <= left ? stretch : { ...stretch, length: left })
    left -= stretch.length
  }
  return kept
}

function* eachFile(snapshots: Snapshots): Generator<ArchivedFile> {
  for (const [snapshotId, { files }] of snapshots.byId) {
    for (const [position, file] of files.entries()) {
      const { name, sessionId, sizeBytes, modifiedMs, mode, sha256 } = file
      yield {
        root: snapshots.rootOf(file.root),
        name,
        sessionId,
        sizeBytes,
        modifiedMs,
        mode,
        sha256,
        snapshotId,
        position,
      }
    }
  }
}

function headOf(id: string, { takenMs, storedBytes, files }: OpenManifest): SnapshotHead {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  return { id, takenMs, fileCount: files.length, sizeBytes, storedBytes }
}

function byRootAndName(one: ArchivedFile, other: ArchivedFile): number {
  if (one.root !== other.root) return one.root < other.root ? -1 : 1
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}
