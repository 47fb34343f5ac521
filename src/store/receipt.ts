// The receipt of a retirement: what was moved into the trash, from where and why. It is written before the first file
// moves, so whatever happens afterwards, the way back is known.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../disk/durable.ts'
import type { RetireReason, RetireRule } from './retire-plan.ts'
import { reading } from './store-error.ts'

const TRASH = 'clew-trash'
const MANIFEST = 'manifest.json'
const VERSION = 1

/** Paths are relative to the Claude directory, with slashes on every system. */
export interface RetiredFile {
  readonly from: string
  readonly to: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly sha256: string
}

export interface RetiredSession {
  readonly sessionId: string
  readonly projectKey: string
  readonly title: string
  readonly why: RetireReason
  /** Folders that were there, those with nothing in them too. */
  readonly folders: readonly string[]
  /** The transcript first. */
  readonly files: readonly RetiredFile[]
}

export interface Receipt {
  readonly version: typeof VERSION
  readonly id: string
  readonly when: string
  /** Null until the last file was moved: then it was interrupted. */
  readonly finishedAt: string | null
  readonly rule: RetireRule
  readonly sessions: readonly RetiredSession[]
}

/** Sorts by time; the words behind it tell two of one moment apart. */
export function newReceiptId(nowMs: number, random: string): string {
  return `${new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '')}-${random}`
}

export function newReceipt(id: string, nowMs: number, rule: RetireRule, sessions: Receipt['sessions']): Receipt {
  return { version: VERSION, id, when: new Date(nowMs).toISOString(), finishedAt: null, rule, sessions }
}

export function trashFolder(root: string, id?: string): string {
  return id === undefined ? join(root, TRASH) : join(root, TRASH, id)
}

export function manifestPath(root: string, id: string): string {
  return join(trashFolder(root, id), MANIFEST)
}

/** Where a file goes, relative to the Claude directory like the place it comes from. */
export function trashedName(id: string, from: string): string {
  return `${TRASH}/${id}/${from}`
}

export async function writeReceipt(disk: Disk, root: string, receipt: Receipt): Promise<void> {
  await makeFolders(disk, trashFolder(root, receipt.id))
  const text = `${JSON.stringify(receipt, null, 2)}\n`
  await replaceFile(disk, manifestPath(root, receipt.id), Buffer.from(text))
}

/** Oldest first. A folder without a manifest was given up before anything moved. */
export function receiptIds(disk: Disk, root: string): readonly string[] {
  const folder = trashFolder(root)
  return reading(folder, () => disk.names(folder).filter((id) => disk.stat(manifestPath(root, id)) !== null))
}

/** Null when it is not there, not ours, or of a later version of Clew. */
export function readReceipt(disk: Disk, root: string, id: string): Receipt | null {
  try {
    const value = JSON.parse(readWhole(disk, manifestPath(root, id)).toString('utf8')) as Receipt
    const isWhole = value.version === VERSION && value.id === id && value.sessions.every((one) => isSound(one, id))
    return isWhole ? value : null
  } catch {
    return null
  }
}

/** A manifest is a file like any other: one that was tampered with must not lead out of the Claude directory. */
function isSound({ files, folders }: RetiredSession, id: string): boolean {
  const areFiles = files.every(
    ({ from, to, sha256, sizeBytes }) =>
      isInside(from) && to === trashedName(id, from) && typeof sha256 === 'string' && typeof sizeBytes === 'number',
  )
  return areFiles && folders.every(isInside)
}

function isInside(name: string): boolean {
  const [first, ...parts] = name.split(/[/\\]/)
  return first === 'projects' && parts.length > 0 && !parts.some((part) => part === '..' || part === '')
}

export interface UnfinishedReceipt {
  readonly root: string
  readonly id: string
  readonly when: string
  readonly files: number
  readonly filesInTrash: number
}

/** Interrupted on the way into the trash or back. */
export function unfinishedReceipts(disk: Disk, root: string): readonly UnfinishedReceipt[] {
  return receiptIds(disk, root).flatMap((id) => {
    const receipt = readReceipt(disk, root, id)
    if (receipt === null) return []
    const files = receipt.sessions.flatMap((session) => session.files)
    const filesInTrash = files.filter(({ to }) => disk.stat(join(root, to)) !== null).length
    const isFinished = receipt.finishedAt !== null && filesInTrash === files.length
    return isFinished ? [] : { root, id, when: receipt.when, files: files.length, filesInTrash }
  })
}

const READ_BYTES = 1 << 20

/** Of the first so many bytes; null when there are fewer of them. */
export function sha256Of(disk: Disk, path: string, sizeBytes: number): string | null {
  const fd = disk.openToRead(path)
  try {
    const hash = createHash('sha256')
    for (let at = 0; at < sizeBytes; ) {
      const part = disk.read(fd, at, Math.min(sizeBytes - at, READ_BYTES))
      if (part.length === 0) return null
      hash.update(part)
      at += part.length
    }
    return hash.digest('hex')
  } finally {
    disk.close(fd)
  }
}
