// One session into the trash because somebody said so.

import type { Disk } from '../disk/disk.ts'
import { newReceiptId } from './receipt.ts'
import { retireSessions } from './retire.ts'
import { StoreError } from './store-error.ts'
import type { StoredRow } from './stored-rows.ts'

export interface NamedOptions {
  readonly nowMs: number
  /** Tells two receipts of one moment apart. */
  readonly random: string
}

/** The id of the receipt, which leads back. */
export async function retireNamed(
  disk: Disk,
  root: string,
  row: StoredRow,
  { nowMs, random }: NamedOptions,
): Promise<string> {
  const beside = row.path.slice(0, -'.jsonl'.length)
  const folder = disk.stat(beside) === null ? null : beside
  const named = { kind: 'named' } as const
  const whole = { ...row, title: '', folder, isLive: false, isPinned: false, isArchived: false }
  const options = { id: newReceiptId(nowMs, random), nowMs, rule: named }
  const choice = { row: whole, reason: named, heldBy: null }
  const { receiptId, failure, skipped } = await retireSessions(disk, root, [choice], options)
  if (failure !== null) throw failure
  if (receiptId === null)
    throw new StoreError('live-session', `${row.sessionId} was not moved: it is ${skipped[0]?.why ?? 'in use'}`)
  return receiptId
}
