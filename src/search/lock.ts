// One process ingests at a time, the others read. The lock is one of the operating system's, taken through SQLite on an
// empty file beside the index: it ends with the process, however that ends.

import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Database } from './database.ts'
import { isBusy } from './sqlite-code.ts'

export interface Lock {
  readonly release: () => void
}

const FREE: Lock = { release: () => undefined }

/** Null when another process has it. An index in memory needs none. */
export function takeLock(path: string | null): Lock | null {
  if (path === null) return FREE
  let holder: Database | null = null
  try {
    const file = `${path}.lock`
    closeSync(openSync(file, 'a', 0o600))
    holder = new DatabaseSync(file)
    holder.exec('PRAGMA busy_timeout=0; PRAGMA journal_mode=DELETE; BEGIN EXCLUSIVE')
    const held = holder
    return { release: () => held.close() }
  } catch (error) {
    holder?.close()
    if (isBusy(error)) return null
    // A place where nothing can be locked is a place where nobody else can write either.
    return FREE
  }
}
