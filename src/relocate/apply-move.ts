// Carries out the plan of a move. What many projects share goes first, because others write to it; transcripts follow.

import type { Disk } from '../disk/disk.ts'
import { makeFolders, syncFile } from '../disk/durable.ts'
import { StoreError, writeError } from '../store/store-error.ts'
import { alteredPieces } from './file-pieces.ts'
import { liveThere } from './live-there.ts'
import type { MovePlan, PlannedFile } from './move-plan.ts'
import { nameBelow } from './move-plan.ts'
import type { MoveReceipt } from './move-receipt.ts'
import { discardMoveReceipt, keptPath, movesFolder, receiptOf, writeMoveReceipt } from './move-receipt.ts'
import {
  appendText,
  changedMeanwhile,
  copyFile,
  demandUnchanged,
  moveFile,
  removeEmptyFolders,
  writeFile,
} from './move-steps.ts'

export interface ApplyOptions {
  readonly id: string
  readonly nowMs: number
  readonly isRunning?: (pid: number) => boolean
}

export interface AppliedMove {
  /** Null when nothing was changed. */
  readonly receipt: MoveReceipt | null
  /** What stopped it half-way: the receipt leads back. */
  readonly failure: StoreError | null
}

export async function applyMove(disk: Disk, plan: MovePlan, options: ApplyOptions): Promise<AppliedMove> {
  const { root, files, folders } = plan
  const receipt = receiptOf(disk, plan, options.id, options.nowMs)
  let hasBegun = false
  try {
    for (const file of files) if (!file.isLink) await syncFile(disk, file.path)
    await writeMoveReceipt(disk, root, receipt)
    // To hash all of it may have taken minutes.
    const live = liveThere(disk, root, plan.move, files.filter(isOfProject), options)
    if (live.length > 0) throw new StoreError('live-session', 'a client has begun to work there')
    for (const file of files) if (!isAsPlanned(disk, file)) throw changedMeanwhile(file.path)
    hasBegun = true
    for (const { to } of folders) if (to !== null) await makeFolders(disk, to)
    for (const file of files) await applyFile(disk, root, file, options.id)
    const sources = folders.filter(({ path, to }) => path !== to).map(({ path }) => path)
    await removeEmptyFolders(disk, sources)
    const done = { ...receipt, finishedAt: new Date(options.nowMs).toISOString() }
    await writeMoveReceipt(disk, root, done)
    return { receipt: done, failure: null }
  } catch (error) {
    const failure = writeError(root, error)
    if (hasBegun) return { receipt, failure }
    return { receipt: null, failure: (await discarded(disk, root, options.id)) ?? failure }
  }
}

/** A receipt of nothing that cannot be removed does no harm, but the disk it lies on may be in trouble. */
async function discarded(disk: Disk, root: string, id: string): Promise<StoreError | null> {
  try {
    await discardMoveReceipt(disk, root, id)
    return null
  } catch (error) {
    return writeError(movesFolder(root, id), error)
  }
}

/** Clients everywhere write to what projects share: its age says nothing about this one. */
function isOfProject({ role }: PlannedFile): boolean {
  return role !== 'history' && role !== 'settings' && role !== 'state'
}

function isAsPlanned(disk: Disk, { path, to, before, modifiedMs, isLink }: PlannedFile): boolean {
  const stat = disk.stat(path)
  if (stat === null || (to !== null && to !== path && disk.stat(to) !== null)) return false
  return isLink || (stat.sizeBytes === before.sizeBytes && stat.modifiedMs === modifiedMs)
}

async function applyFile(disk: Disk, root: string, file: PlannedFile, id: string): Promise<void> {
  const { path, to, alteration, before, after } = file
  const kept = keptPath(root, id, nameBelow(root, path))
  // Asked again for each: the others may have taken a while.
  const demandAsPlanned = (): void => {
    if (!isAsPlanned(disk, file)) throw changedMeanwhile(path)
  }
  demandAsPlanned()
  if (to === null) return moveFile(disk, path, kept)
  if (alteration.kind === 'append' || before.sha256 === after.sha256) {
    await moveFile(disk, path, to, demandAsPlanned)
    if (alteration.kind === 'append') await appendText(disk, to, alteration.text, file)
    return
  }
  // A client must find such a file at every moment, so it is copied and then replaced.
  if (to === path) await copyFile(disk, path, kept, file, before)
  const demandLast = demandUnchanged(disk, path)
  await writeFile(disk, to, alteredPieces(disk, path, alteration), file, after, demandAsPlanned)
  // What was written to it by now is not in the new one. The old one stays, and the undo knows what to make of the two.
  if (to !== path) await moveFile(disk, path, kept, demandLast)
}
