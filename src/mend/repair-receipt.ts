// The receipt of a repair: what was done to which file, and how to get back. It is written before the file changes, and
// lies in the data folder, where no client looks. The bytes from before lie beside it.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../disk/durable.ts'
import type { Fix, Quarantined, StepCode } from './model.ts'

export interface FileFacts {
  readonly sha256: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  readonly mode: number
}

export interface RepairReceipt {
  readonly version: typeof VERSION
  readonly id: string
  readonly when: string
  /** Null until the repaired file was in its place: then it was interrupted. */
  readonly finishedAt: string | null
  /** When it was taken back. */
  readonly undoneAt?: string
  readonly root: string
  readonly kind: 'in-place' | 'new'
  readonly sessionId: string
  readonly path: string
  /** Of the repaired transcript; the same where it was repaired in place. */
  readonly newSessionId: string
  readonly newPath: string
  readonly before: FileFacts
  readonly after: Pick<FileFacts, 'sha256' | 'sizeBytes'>
  /** Files that were copied for a new session, beside its transcript. */
  readonly copied: readonly { readonly path: string; readonly sha256: string; readonly sizeBytes: number }[]
  readonly fixes: readonly Fix[]
  readonly steps: readonly { readonly code: StepCode; readonly count: number }[]
  readonly quarantine: readonly Quarantined[]
}

const VERSION = 1
const NAME = 'receipt.json'

export function newReceipt(facts: Omit<RepairReceipt, 'version' | 'finishedAt'>): RepairReceipt {
  return { version: VERSION, finishedAt: null, ...facts }
}

export function receiptFolder(receipts: string, id: string): string {
  return join(receipts, id)
}

/** The transcript as it was before a repair in place. */
export function backupPath(receipts: string, id: string): string {
  return join(receipts, id, 'before.jsonl')
}

export async function writeReceipt(disk: Disk, receipts: string, receipt: RepairReceipt): Promise<void> {
  await makeFolders(disk, receiptFolder(receipts, receipt.id))
  const text = `${JSON.stringify(receipt, null, 2)}\n`
  await replaceFile(disk, join(receiptFolder(receipts, receipt.id), NAME), Buffer.from(text))
}

/** Oldest first. */
export function receiptIds(disk: Disk, receipts: string): readonly string[] {
  return disk.names(receipts).filter((id) => disk.stat(join(receipts, id, NAME)) !== null)
}

/** Null when it is not there, not ours, or of a later version of Clew. */
export function readReceipt(disk: Disk, receipts: string, id: string): RepairReceipt | null {
  if (!/^[\w-]+$/.test(id) || disk.stat(join(receipts, id, NAME)) === null) return null
  try {
    const value = JSON.parse(readWhole(disk, join(receipts, id, NAME)).toString('utf8')) as RepairReceipt
    const isSound = value.version === VERSION && value.id === id && typeof value.before.sha256 === 'string'
    return isSound ? value : null
  } catch {
    return null
  }
}
