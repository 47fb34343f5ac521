// How the word index is written. A first build gathers much in memory and merges once at its end; afterwards small
// commits merge little by little. The other way round a later commit would pay for the whole merge.

import type { Database } from './database.ts'

const TABLES = ['said', 'done', 'titled'] as const

/** Of what no words can be: they would be looked up anew for each doc, and are made at once behind the last. */
const INDEXES = {
  doc_by_copy: 'doc(copy_key)',
  doc_by_file: 'doc(file, record)',
} as const

export function startBulk(database: Database): void {
  if (isBulk(database)) return
  if (isBlank(database)) for (const name of Object.keys(INDEXES)) database.exec(`DROP INDEX ${name}`)
  setAll(database, { hashsize: 24 << 20, automerge: 0, crisismerge: 1999 })
  database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES('bulk', 'yes')").run()
}

/** Also for a first build that was interrupted and went on bit by bit. */
export function finishBulk(database: Database): void {
  if (!isBulk(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const [name, columns] of Object.entries(INDEXES))
      database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${columns}`)
    for (const table of TABLES) database.exec(`INSERT INTO ${table}(${table}) VALUES('optimize')`)
    setAll(database, { hashsize: 1 << 20, automerge: 4, crisismerge: 16 })
    database.exec("DELETE FROM setting WHERE name = 'bulk'; COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** A build is under way, or was when it was interrupted. */
export function isBulk(database: Database): boolean {
  return database.prepare("SELECT 1 FROM setting WHERE name = 'bulk'").get() !== undefined
}

function isBlank(database: Database): boolean {
  return database.prepare('SELECT 1 FROM doc LIMIT 1').get() === undefined
}

function setAll(database: Database, settings: Readonly<Record<string, number>>): void {
  for (const table of TABLES) {
    const set = database.prepare(`INSERT INTO ${table}(${table}, rank) VALUES(?, ?)`)
    for (const [name, value] of Object.entries(settings)) set.run(name, value)
  }
}
