// A file that `exportArchive` made, perhaps on another machine, perhaps by somebody who means no good: every hash is
// checked, names that lead elsewhere and sizes beyond reason are refused, and only then does any of it become a snapshot.

import { createHash } from 'node:crypto'
import type { Disk } from '../disk/disk.ts'
import { writeAll } from '../disk/durable.ts'
import { ArchiveError } from './archive-error.ts'
import {
  allVersions,
  catalogueOf,
  fileKey,
  newestFiles,
  openSnapshots,
  type Snapshots,
  snapshotPath,
} from './catalogue.ts'
import { type CopyOptions, copyVersions } from './copy-versions.ts'
import { EXPORT_HEAD, type ExportLine, type ExportPart, removeAll } from './export-archive.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { openArchive, unfinishedPath } from './open-archive.ts'
import { packPath } from './pack-writer.ts'
import { closeReader, openReader } from './read-version.ts'
import { checkName } from './safe-name.ts'

export interface ImportOptions extends CopyOptions {
  /** The Claude directory that its files belong to here, whatever the file says. */
  readonly root: string
  /** How large all files together may be. */
  readonly sizeBytesMax?: number
}

export interface Imported {
  /** Null when all of it was there already. */
  readonly snapshotId: string | null
  readonly files: readonly ArchivedFile[]
  readonly alreadyThere: number
  /** Left out, because what the archive has of them was changed later. */
  readonly older: number
}

const LINE_BYTES_MAX = 1 << 20
const PACKS_MAX = 10_000
const FILES_MAX = 1_000_000
/** Forks and versions share much, and transcripts compress well; a bomb does better. */
const RATIO_MAX = 2000
const SMALL_BYTES = 1 << 28
const SIZE_BYTES_MAX = 2 ** 40
const READ_BYTES = 1 << 20
const PART_ID = /^(?:\d{15}-)?[0-9a-f]{64}$/

export async function importArchive(archive: Archive, path: string, options: ImportOptions): Promise<Imported> {
  const { disk } = archive
  const folder = unfinishedPath(archive.folder)
  const fd = disk.openToRead(path)
  try {
    const small = await openArchive(folder, disk)
    splitParts(small, fd)
    return await takeOver(small, archive, disk.sizeOf(fd), options)
  } finally {
    disk.close(fd)
    removeAll(disk, folder)
  }
}

async function takeOver(
  small: Archive,
  archive: Archive,
  exportBytes: number,
  options: ImportOptions,
): Promise<Imported> {
  // The roots in it lie on another machine, or where somebody wants us to look: they are not looked up.
  const theirs: Snapshots = { ...openSnapshots(small), rootOf: (root) => root }
  const { files, damaged } = catalogueOf(theirs)
  if (damaged.length > 0) throw refused('its list of files is damaged')
  checkFiles(files, exportBytes, options.sizeBytesMax ?? SIZE_BYTES_MAX)
  const snapshots = openSnapshots(archive)
  const root = snapshots.rootOf(options.root)
  const { fresh, ...left } = chooseFresh(
    files.map((file) => ({ ...file, root })),
    snapshots,
  )
  if (fresh.length === 0) return { snapshotId: null, files: [], ...left }
  const reader = openReader(small, theirs)
  try {
    const placed = fresh.map((file) => ({ ...file, root: options.root }))
    const { snapshotId } = await copyVersions(reader, placed, archive, options)
    return { snapshotId, files: placed, ...left }
  } finally {
    closeReader(reader)
  }
}

interface Fresh extends Pick<Imported, 'alreadyThere' | 'older'> {
  readonly fresh: readonly ArchivedFile[]
}

/** A snapshot makes what it brings the newest version of a file: an older one must not come to stand over a newer. */
function chooseFresh(files: readonly ArchivedFile[], snapshots: Snapshots): Fresh {
  const contentOf = (file: ArchivedFile): string => `${fileKey(file)}\0${file.sha256}`
  const known = new Set(allVersions(snapshots).map(contentOf))
  const newest = newestFiles(snapshots)
  const unknown = files.filter((file) => !known.has(contentOf(file)))
  const fresh = unknown.filter(
    (file) => !(file.modifiedMs < (newest.get(fileKey(file))?.modifiedMs ?? Number.NEGATIVE_INFINITY)),
  )
  return { fresh, alreadyThere: files.length - unknown.length, older: unknown.length - fresh.length }
}

function checkFiles(files: readonly ArchivedFile[], exportBytes: number, sizeBytesMax: number): void {
  if (files.length > FILES_MAX) throw tooLarge(`${files.length} files`)
  let sizeBytes = 0
  for (const file of files) {
    checkName(file.name)
    sizeBytes += file.sizeBytes
  }
  const isBomb = sizeBytes > SMALL_BYTES && sizeBytes / exportBytes > RATIO_MAX
  if (!(sizeBytes <= sizeBytesMax) || isBomb) throw tooLarge(`${sizeBytes} bytes out of ${exportBytes}`)
}

/** Its parts, each as long and with the hash that the first line says. */
function splitParts(small: Archive, fd: number): void {
  const { disk } = small
  const { line, at: start } = readLine(disk, fd)
  const parts = [...line.packs, line.snapshot]
  const length = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, start)
  if (length !== disk.sizeOf(fd)) throw refused('it is not as long as it says')
  let at = start
  for (const part of parts) {
    const isSnapshot = part === line.snapshot
    copyPart(disk, fd, at, part, isSnapshot ? snapshotPath(small, part.id) : packPath(small, part.id))
    at += part.sizeBytes
  }
}

function readLine(disk: Disk, fd: number): { readonly line: ExportLine; readonly at: number } {
  const bytes = Buffer.from(disk.read(fd, 0, LINE_BYTES_MAX))
  const end = bytes.indexOf(10)
  const text = bytes.toString('utf8', 0, Math.max(0, end))
  if (!text.startsWith(EXPORT_HEAD)) throw refused('it is no export of clew')
  const json = text.slice(EXPORT_HEAD.length + 65)
  const hash = createHash('sha256').update(json).digest('hex')
  if (text.slice(EXPORT_HEAD.length, EXPORT_HEAD.length + 65) !== `${hash} `) throw refused('its first line is damaged')
  const line = parse(json)
  const parts = [...(line?.packs ?? []), line?.snapshot]
  if (line === null || parts.length > PACKS_MAX || !parts.every(isPart)) throw refused('its first line is damaged')
  return { line, at: end + 1 }
}

function parse(json: string): ExportLine | null {
  try {
    const line = JSON.parse(json) as ExportLine | null
    return Array.isArray(line?.packs) ? line : null
  } catch {
    return null
  }
}

function isPart(part: ExportPart | undefined | null): boolean {
  return PART_ID.test(part?.id ?? '') && Number.isSafeInteger(part?.sizeBytes) && (part?.sizeBytes ?? -1) >= 0
}

function copyPart(disk: Disk, from: number, start: number, { id, sizeBytes }: ExportPart, to: string): void {
  const hash = createHash('sha256')
  const fd = disk.openToAppend(to, true)
  try {
    for (let done = 0; done < sizeBytes; ) {
      const bytes = disk.read(from, start + done, Math.min(READ_BYTES, sizeBytes - done))
      if (bytes.length === 0) throw refused('it is not as long as it says')
      hash.update(bytes)
      writeAll(disk, fd, bytes)
      done += bytes.length
    }
  } finally {
    disk.close(fd)
  }
  if (hash.digest('hex') !== id.slice(-64)) throw refused('it is damaged')
}

function refused(why: string): ArchiveError {
  return new ArchiveError('not-an-export', `the file was not imported: ${why}`)
}

function tooLarge(what: string): ArchiveError {
  return new ArchiveError('too-large', `the file was not imported: it would become ${what}`)
}
