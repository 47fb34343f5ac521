// The last ledgers that were made, each with a stamp of all it was made from. While every transcript is as it was, nothing
// has to be unpacked and folded again; as soon as one is not, the ledger is made anew from the pages.

import { crc32 } from 'node:zlib'
import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { Database } from './database.ts'
import { versionOf } from './database.ts'
import { isBelow, isDeleted } from './deleted.ts'
import { packLedger, unpackLedger } from './ledger-pack.ts'
import { takeLock } from './lock.ts'
import { MIGRATIONS } from './schema.ts'
import { isBusy, isRefused } from './sqlite-code.ts'

/** To be raised with every change of what the fold, a ledger or its bytes mean: old ones are then made anew. */
export const LEDGER_VERSION = 1

/** Whoever looks at one archive after the other finds these. */
const LEDGERS_KEPT = 4

/** Null when there is none for the files as they are now. Without `isWithGone` also when deleted files are in it. */
export function readLedger(database: Database, archive: FoundTranscripts, isWithGone: boolean): UsageLedger | null {
  const row = database
    .prepare('SELECT messages FROM ledger WHERE roots = ? AND stamp = ? AND (gone_files = 0 OR ?)')
    .get(rootsName(archive), ledgerStamp(database, archive), Number(isWithGone)) as LedgerRow | undefined
  if (row === undefined) return null
  try {
    return unpackLedger(row.messages)
  } catch {
    // Damaged without SQLite noticing.
    return null
  }
}

interface LedgerRow {
  readonly messages: Uint8Array
}

export interface MadeLedger {
  readonly ledger: UsageLedger
  /** How many of the files in it were deleted. */
  readonly goneFiles: number
  /** The index as it was when the ledger was made. */
  readonly version: number
}

/** Does nothing where somebody else is writing: whoever asks has the ledger already. */
export function keepLedger(database: Database, path: string | null, archive: FoundTranscripts, made: MadeLedger): void {
  const lock = takeLock(path)
  if (lock === null) return
  try {
    database.exec('BEGIN IMMEDIATE')
    if (versionOf(database) === made.version) writeLedger(database, archive, made)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (!isBusy(error) && !isRefused(error)) throw error
  } finally {
    lock.release()
  }
}

function writeLedger(database: Database, archive: FoundTranscripts, { ledger, goneFiles }: MadeLedger): void {
  database
    .prepare('INSERT OR REPLACE INTO ledger(roots, stamp, gone_files, messages) VALUES(?, ?, ?, ?)')
    .run(rootsName(archive), ledgerStamp(database, archive), goneFiles, packLedger(ledger))
  database
    .prepare('DELETE FROM ledger WHERE id NOT IN (SELECT id FROM ledger ORDER BY id DESC LIMIT ?)')
    .run(LEDGERS_KEPT)
}

function rootsName({ roots }: FoundTranscripts): string {
  return JSON.stringify(roots)
}

/** Everything a ledger depends on: the files that are there, and what the index remembers of those that are not. */
function ledgerStamp(database: Database, archive: FoundTranscripts): string {
  const parts = [`${LEDGER_VERSION} ${MIGRATIONS.length}`]
  let sizeBytes = 0
  for (const { files } of archive.projects) {
    for (const file of files) {
      const { path, identity, sizeBytes: size, modifiedMs, changedMs, role, projectKey, sessionId, agentId } = file
      parts.push(
        `${path}\0${identity}\0${size}\0${modifiedMs}\0${changedMs}\0${role}\0${projectKey}\0${sessionId}\0${agentId}`,
      )
      sizeBytes += size
    }
  }
  const gone = database
    .prepare('SELECT path, records, gone_ms AS goneMs FROM file WHERE gone_ms IS NOT NULL ORDER BY gone_ms, id')
    .all()
  for (const { path, records, goneMs } of gone as unknown as readonly GoneRow[]) {
    if (isBelow(path, archive.roots)) parts.push(`${path}\0${records}\0${goneMs}\0${isDeleted(path, archive.roots)}`)
  }
  const whole = parts.join('\n')
  return `${parts.length}:${sizeBytes}:${whole.length}:${crc32(whole)}`
}

interface GoneRow {
  readonly path: string
  readonly records: number
  readonly goneMs: number
}
