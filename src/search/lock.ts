// One process ingests at a time, the others read. The lock is one of the operating system's, taken through SQLite on an
// empty file beside the index: it ends with the process, however that ends.

import { chmodSync, closeSync, existsSync, openSync, truncateSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Database } from './database.ts'
import { isBusy, isDamaged } from './sqlite-code.ts'

export interface Lock {
  readonly release: () => void
}

const FREE: Lock = { release: () => undefined }

/** Null when another process has it. An index in memory needs none. */
export function takeLock(path: string | null): Lock | null {
  if (path === null) return FREE
  const file = `${path}.lock`
  try {
    makePrivate(file)
    return lockFile(file)
  } catch (error) {
    // A place where nothing can be locked is a place where nobody else can write either.
    return isBusy(error) ? null : FREE
  }
}

function lockFile(file: string): Lock {
  const holder: Database = new DatabaseSync(file)
  try {
    holder.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
    return { release: () => holder.close() }
  } catch (error) {
    holder.close()
    if (!isDamaged(error)) throw error
    // Nothing belongs into it. Emptied it is the same file, so that two who do this cannot both have it.
    truncateSync(file)
    return lockFile(file)
  }
}

/**
 * Before SQLite makes the file, so that nobody else can read it for even a moment; its side files take the same mode.
 * One that is there is not opened: to close it again would give up every lock that this process has on it.
 */
export function makePrivate(path: string): void {
  if (existsSync(path)) chmodSync(path, 0o600)
  else closeSync(openSync(path, 'a', 0o600))
}
