// How the word index is written, and when what was written goes from the log into the file. A first build gathers much in
// memory and merges nothing but titles; afterwards a little is merged behind every ingest. Nobody waits for it to see a
// record that was appended: its commit merges nothing and leaves the log as it is.

import type { Database } from './database.ts'

const TABLES = ['said', 'done', 'titled'] as const

/** Of what no words can be: they would be looked up anew for each doc, and are made at once behind the last. */
const INDEXES = {
  doc_by_copy: 'doc(copy_key)',
  doc_by_file: 'doc(file, record)',
} as const

/** As many parts as that are never there: a commit that merges would take as long as there is much to merge. */
const NEVER = 1999

export function startBulk(database: Database): void {
  if (isBulk(database)) return
  if (isBlank(database)) for (const name of Object.keys(INDEXES)) database.exec(`DROP INDEX ${name}`)
  setAll(database, { hashsize: 24 << 20, automerge: 0, crisismerge: NEVER })
  database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES('bulk', 'yes')").run()
}

/** Also for a first build that was interrupted and went on bit by bit. */
export function finishBulk(database: Database): void {
  if (!isBulk(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const [name, columns] of Object.entries(INDEXES))
      database.exec(`CREATE INDEX IF NOT EXISTS ${name} ON ${columns}`)
    setAll(database, { hashsize: 1 << 20, automerge: 0, crisismerge: NEVER })
    database.exec("INSERT OR REPLACE INTO setting(name, value) VALUES('unmerged', 'yes')")
    database.exec("DELETE FROM setting WHERE name = 'bulk'; COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** In pages of some four kilobytes. What is written is merged with its like once a level, of which there are a few. */
const MERGED_PAGES = 64
const MERGED_PAGES_PER_MB = 1024
/** What a first build has left takes a few dozen ingests: until then each appended part is looked up on its own. */
const UNMERGED_PAGES = 512

/** Goes on merging what was written before; of what is to be done, in proportion to how much was read just now. */
export function mergeWords(database: Database, readBytes: number): void {
  const isUnmerged = database.prepare("SELECT 1 FROM setting WHERE name = 'unmerged'").get() !== undefined
  const pages = (isUnmerged ? UNMERGED_PAGES : MERGED_PAGES) + Math.ceil((readBytes / (1 << 20)) * MERGED_PAGES_PER_MB)
  const changed = (): number => (database.prepare('SELECT total_changes() AS n').get() as { readonly n: number }).n
  const before = changed()
  for (const table of TABLES) database.prepare(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ?)`).run(pages)
  // A merge that has found nothing to do counts as one change.
  if (isUnmerged && changed() - before <= TABLES.length) database.exec("DELETE FROM setting WHERE name = 'unmerged'")
}

/**
 * Titles are written one by one between other rows, and FTS5 makes a part of each: a query asks them all. There are few
 * enough to merge at once.
 */
export function mergeTitles(database: Database): void {
  database.exec("INSERT INTO titled(titled) VALUES('optimize')")
}

/** Pages of the log that are worth the way into the file: few, where somebody waits for it. */
const LOG_PAGES = { none: 0, few: 2000, many: 8000 } as const

export function setLogPages(database: Database, size: keyof typeof LOG_PAGES): void {
  database.exec(`PRAGMA wal_autocheckpoint=${LOG_PAGES[size]}`)
}

/** After a build the log is as long as what was written last: whoever writes next would have to cut it. */
export function emptyLog(database: Database): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
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
