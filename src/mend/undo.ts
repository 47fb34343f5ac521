// A repair, taken back: the same bytes with the same time and mode, or nothing. What somebody wrote after the repair is
// never thrown away.

import { dirname } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { copyFile, factsOf } from './copy-file.ts'
import { demandQuiet } from './quiet.ts'
import type { RepairReceipt } from './repair-receipt.ts'
import { backupPath, readReceipt, receiptIds, writeReceipt } from './repair-receipt.ts'
import { RepairRefused } from './repair-refused.ts'

export interface UndoWorld {
  readonly disk: Disk
  readonly nowMs: number
  readonly receipts: string
  readonly isRunning?: (pid: number) => boolean
  readonly holders?: (path: string) => readonly number[]
}

/** `already`: all is what it was before. */
export type UndoOutcome = 'restored' | 'removed' | 'already'

export async function undoRepair(world: UndoWorld, receipt: RepairReceipt): Promise<UndoOutcome> {
  const outcome = await (receipt.kind === 'in-place' ? restore(world, receipt) : discard(world, receipt))
  await noteUndone(world, receipt)
  return outcome
}

/** The newest repair that there is something to take back of; else the newest of all, as it was left. */
export async function undoNewest(
  world: UndoWorld,
): Promise<{ readonly outcome: UndoOutcome; readonly receipt: RepairReceipt } | null> {
  const { disk, receipts } = world
  const known = receiptIds(disk, receipts).flatMap((id) => readReceipt(disk, receipts, id) ?? [])
  for (const receipt of known.filter(({ undoneAt }) => undoneAt === undefined).reverse()) {
    const outcome = await undoRepair(world, receipt)
    if (outcome !== 'already') return { outcome, receipt }
  }
  const newest = known.at(-1)
  return newest === undefined ? null : { outcome: 'already', receipt: newest }
}

/** Without it the next undo would ask for this one again, and the file may have been written to by then. */
async function noteUndone({ disk, receipts, nowMs }: UndoWorld, receipt: RepairReceipt): Promise<void> {
  try {
    await writeReceipt(disk, receipts, { ...receipt, undoneAt: new Date(nowMs).toISOString() })
  } catch (error) {
    // What matters is done.
    if (systemCode(error) === null) throw error
  }
}

async function restore(world: UndoWorld, receipt: RepairReceipt): Promise<UndoOutcome> {
  const { disk, receipts } = world
  const { path, before, after, root, sessionId } = receipt
  const backup = backupPath(receipts, receipt.id)
  if (disk.stat(path) !== null) {
    const now = factsOf(disk, path)
    if (now.sha256 === before.sha256) return 'already'
    if (now.sha256 !== after.sha256)
      throw new RepairRefused('changed', `${path} was written to after the repair. What it was before is in ${backup}`)
    demandQuiet(disk, { ...world, root, path, sessionId })
  }
  const next = `${path}.${receipt.id}.clew-undo`
  if (disk.stat(next) !== null) disk.remove(next)
  if ((await copyFile(disk, backup, next)) !== before.sha256) {
    disk.remove(next)
    throw new RepairRefused('backup-damaged', `${backup} is not what was put there`)
  }
  disk.setMode(next, before.mode)
  disk.setModified(next, before.modifiedMs)
  disk.rename(next, path)
  await disk.syncFolder(dirname(path))
  return 'restored'
}

async function discard(world: UndoWorld, receipt: RepairReceipt): Promise<UndoOutcome> {
  const { disk } = world
  const { newPath, after, copied, root, newSessionId: sessionId } = receipt
  const folder = newPath.slice(0, -'.jsonl'.length)
  if (disk.stat(newPath) === null) {
    // Interrupted before the transcript was there: nobody but us has ever known this id.
    if (receipt.finishedAt === null) for (const { path } of filesBelow(disk, folder).files) disk.remove(path)
    removeEmpty(disk, folder)
    return 'already'
  }
  if (factsOf(disk, newPath).sha256 !== after.sha256)
    throw new RepairRefused('changed', `${newPath} was written to after the repair; it stays`)
  // It was made a moment ago, so its age says nothing.
  demandQuiet(disk, { ...world, root, path: newPath, sessionId, nowMs: Number.POSITIVE_INFINITY })
  disk.remove(newPath)
  for (const { path, sha256 } of copied)
    if (disk.stat(path) !== null && factsOf(disk, path).sha256 === sha256) disk.remove(path)
  removeEmpty(disk, folder)
  await disk.syncFolder(dirname(newPath))
  return 'removed'
}

function removeEmpty(disk: Disk, folder: string): void {
  if (disk.stat(folder)?.isFolder !== true) return
  for (const name of disk.names(folder)) removeEmpty(disk, `${folder}/${name}`)
  if (disk.names(folder).length === 0) disk.remove(folder)
}
