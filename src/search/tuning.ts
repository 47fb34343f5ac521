// How the word index is written. A first build gathers much in memory and merges once at its end; afterwards small
// commits merge little by little. The other way round a later commit would pay for the whole merge.

import type { Database } from './database.ts'

const TABLES = ['said', 'done', 'titled'] as const

export function startBulk(database: Database): void {
  setAll(database, { hashsize: 24 << 20, automerge: 0, crisismerge: 1999 })
  database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES('bulk', 'yes')").run()
}

/** Also for a first build that was interrupted and went on bit by bit. */
export function finishBulk(database: Database): void {
  if (database.prepare("SELECT 1 FROM setting WHERE name = 'bulk'").get() === undefined) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const table of TABLES) database.exec(`INSERT INTO ${table}(${table}) VALUES('optimize')`)
    setAll(database, { hashsize: 1 << 20, automerge: 4, crisismerge: 16 })
    database.exec("DELETE FROM setting WHERE name = 'bulk'; COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function setAll(database: Database, settings: Readonly<Record<string, number>>): void {
  for (const table of TABLES) {
    const set = database.prepare(`INSERT INTO ${table}(${table}, rank) VALUES(?, ?)`)
    for (const [name, value] of Object.entries(settings)) set.run(name, value)
  }
}
