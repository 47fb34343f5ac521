// The one SQLite file. It is a cache: when it is damaged, newer than we are or not ours, it is set aside and begun anew;
// when there is no place to write it, it lives in memory. Nobody ever has to repair it.

import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { makeMissingFolders } from '../base/make-folders.ts'
import { makePrivate, takeLock } from './lock.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { isBusy, isDamaged, isRefused } from './sqlite-code.ts'
import { Unreadable } from './unreadable.ts'
import { unsettle } from './unsettle.ts'

export type Database = InstanceType<typeof DatabaseSync>

const BUSY_MS = 5000
const PAUSE_MS = 20

/** Opens the index, making it if need be. Null for `path` keeps it in memory. */
export function openDatabase(path: string | null): Database {
  // A home that is not known leaves a path that depends on where the command was run.
  if (path === null || !isAbsolute(path)) return prepare(new DatabaseSync(':memory:'))
  let untilMs: number | null = null
  for (;;) {
    try {
      return openHere(path)
    } catch (error) {
      untilMs ??= performance.now() + BUSY_MS
      const isLate = performance.now() > untilMs
      // SQLite itself does not wait for everything: while another process makes the file it refuses at once.
      if (isBusy(error) && isLate) throw error
      // A full disk, a read-only home: the work can still be done, only not kept.
      if (!isBusy(error) && (isLate || !isBroken(error) || !clearAway(path))) return openDatabase(null)
      Atomics.wait(NOBODY, 0, 0, PAUSE_MS)
    }
  }
}

/** For work that nobody keeps. */
export function openScratch(): Database {
  return new DatabaseSync(':memory:')
}

/** Nobody ever wakes us. */
const NOBODY = new Int32Array(new SharedArrayBuffer(4))

/** True when the file itself is broken, not the question that was asked of it. */
export function isBroken(error: unknown): boolean {
  return error instanceof OtherFile || error instanceof Unreadable || isDamaged(error)
}

export function isInMemory(database: Database): boolean {
  const { file } = database.prepare('PRAGMA database_list').get() as { readonly file: string | null }
  return file === null || file === ''
}

/** Another number after every commit of another process. */
export function versionOf(database: Database): number {
  return numberOf(database, 'data_version')
}

/**
 * Moves a file that cannot be used out of the way. One earlier one is kept, for whoever wants to know why. While another
 * process ingests nothing is moved: it will come upon the same.
 */
export function setAside(path: string): void {
  const lock = takeLock(path)
  if (lock === null) return
  try {
    moveAside(path)
  } finally {
    lock.release()
  }
}

function moveAside(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const aside = `${path}.aside${suffix}`
    rmSync(aside, { recursive: true, force: true })
    if (existsSync(path + suffix)) renameSync(path + suffix, aside)
  }
}

/** Of several processes that find it broken one sets it aside; the others wait for what that one makes. */
function clearAway(path: string): boolean {
  const lock = takeLock(path)
  if (lock === null) return true
  try {
    if (isBrokenStill(path)) moveAside(path)
    return true
  } catch {
    return false
  } finally {
    lock.release()
  }
}

function isBrokenStill(path: string): boolean {
  try {
    openHere(path).close()
    return false
  } catch (error) {
    return isBroken(error)
  }
}

/** Something stands there that is not an index, or not of a version we know. */
class OtherFile extends Error {}

function openHere(path: string): Database {
  makeMissingFolders(dirname(path), {
    isThere: existsSync,
    parentOf: dirname,
    make: (one) => mkdirSync(one, { mode: 0o700 }),
  })
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw new OtherFile('a folder')
  makePrivate(path)
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout=${BUSY_MS}`)
    // In one transaction: another process may be making it at this moment.
    database.exec('BEGIN')
    const version = numberOf(database, 'user_version')
    const owner = numberOf(database, 'application_id')
    const isOurs = owner === APPLICATION_ID || (owner === 0 && version === 0 && isEmpty(database))
    database.exec('COMMIT')
    if (!isOurs || version > MIGRATIONS.length) throw new OtherFile('not an index of this version')
    return prepare(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function numberOf(database: Database, pragma: 'user_version' | 'application_id' | 'data_version'): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() as object)[0])
}

function isEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

function prepare(database: Database): Database {
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;
    PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=8000; PRAGMA journal_size_limit=67108864; PRAGMA busy_timeout=${BUSY_MS}`)
  if (numberOf(database, 'user_version') === MIGRATIONS.length) return database
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of MIGRATIONS.slice(numberOf(database, 'user_version'))) database.exec(migration)
    // What a migration has forgotten is still to be done.
    unsettle(database)
    database.exec(`PRAGMA user_version=${MIGRATIONS.length}; PRAGMA application_id=${APPLICATION_ID}; COMMIT`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (isBusy(error) || isRefused(error) || isDamaged(error)) throw error
    // Steps of two builds may have had one number while they were made side by side.
    throw new OtherFile('its tables are not those of its version')
  }
  return database
}
