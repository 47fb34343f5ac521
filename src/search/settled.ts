// An archive for which nothing was left to do, remembered as one text about all its files: while it is the same, nobody
// has to compare file by file. Whoever writes files or projects into the index forgets all of these first.

import type { FoundTranscripts } from '../load/found.ts'
import { sidecarStamp } from '../source/look-again.ts'
import type { Database } from './database.ts'
import { versionOf } from './database.ts'
import { isBelow } from './deleted.ts'
import { keepTurns } from './kept-turns.ts'
import { canBeKept, keepWalk, keptNames } from './kept-walk.ts'
import { takeLock } from './lock.ts'
import type { KnownFile } from './plan.ts'
import { isBusy, isRefused } from './sqlite-code.ts'
import { SETTLED } from './unsettle.ts'

/** To be raised with every change of what is compared. */
const SHAPE = 2

export function isSettled(database: Database, archive: FoundTranscripts): boolean {
  return isKeptSettled(database, archive) || settingOf(database, nameOf(archive)) === archiveText(archive)
}

/** Nothing has changed since the walks over it were kept, and the index was what it is. */
export function isKeptSettled(database: Database, archive: FoundTranscripts): boolean {
  const names = keptNames(archive)
  return names !== null && settingOf(database, walksOf(archive)) === names
}

function settingOf(database: Database, name: string): string | undefined {
  const row = database.prepare('SELECT value FROM setting WHERE name = ?').get(name)
  return (row as { readonly value: string } | undefined)?.value
}

/** Keeps the walks over an archive that is settled, so that the next one need not even compare. */
export function keepWalks(database: Database, path: string | null, archive: FoundTranscripts, version: number): void {
  const names = isKeptSettled(database, archive) ? null : newNames(path, archive)
  if (names !== null && wrote(database, path, version, [[walksOf(archive), names.join(' ')]]))
    writeWalks(path, archive, names)
}

/** Does nothing where somebody else writes, or has written since `version`. */
export function settle(
  database: Database,
  path: string | null,
  archive: FoundTranscripts,
  { known, version }: { readonly known: ReadonlyMap<string, KnownFile>; readonly version: number },
): void {
  const text = archiveText(archive)
  if (text === null || hasOthers(archive, known)) return
  const names = newNames(path, archive)
  const walks: readonly Setting[] = names === null ? [] : [[walksOf(archive), names.join(' ')]]
  if (wrote(database, path, version, [[nameOf(archive), text], ...walks])) writeWalks(path, archive, names ?? [])
}

/** One for each walk, that no other has had; null where they cannot be kept. */
function newNames(path: string | null, { walks }: FoundTranscripts): readonly string[] | null {
  if (path === null || walks === undefined || !walks.every(canBeKept)) return null
  const stem = `${Date.now()}-${process.pid}`
  return walks.map((_, place) => `${stem}-${place}`)
}

function writeWalks(path: string | null, { walks = [] }: FoundTranscripts, names: readonly string[]): void {
  for (const [place, name] of names.entries()) {
    const walk = walks[place]
    if (path !== null && walk !== undefined) keepWalk(path, walk, name)
  }
}

type Setting = readonly [string, string]

function wrote(database: Database, path: string | null, version: number, settings: readonly Setting[]): boolean {
  const lock = takeLock(path)
  if (lock === null) return false
  try {
    database.exec('BEGIN IMMEDIATE')
    const isOurs = versionOf(database) === version
    if (isOurs) {
      const write = database.prepare('INSERT OR REPLACE INTO setting(name, value) VALUES(?, ?)')
      for (const setting of settings) write.run(...setting)
      keepTurns(database)
    }
    database.exec('COMMIT')
    return isOurs
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (!isBusy(error) && !isRefused(error)) throw error
    return false
  } finally {
    lock.release()
  }
}

function walksOf({ roots }: FoundTranscripts): string {
  return `${SETTLED}walks ${JSON.stringify(roots)}`
}

function nameOf({ roots }: FoundTranscripts): string {
  return SETTLED + JSON.stringify(roots)
}

/** Files below the roots that only another root shows: whether they are still there is in no stamp of this archive. */
function hasOthers({ roots, projects }: FoundTranscripts, known: ReadonlyMap<string, KnownFile>): boolean {
  const there = new Set(projects.flatMap(({ files }) => files.map(({ path }) => path)))
  for (const { path, goneMs } of known.values()) {
    if (goneMs === null && !there.has(path) && isBelow(path, roots)) return true
  }
  return false
}

/** Everything a plan and the rows of the projects depend on; null when not all of it is known. */
function archiveText({ projects, problems, sidecars }: FoundTranscripts): string | null {
  if (sidecars === undefined) return null
  const parts = [`${SHAPE}`]
  for (const { root, key, files } of projects) {
    parts.push(root, key)
    for (const file of files) {
      const { path, identity, sizeBytes, modifiedMs, changedMs, role, projectKey, sessionId, sessionFolder } = file
      const name = path.startsWith(root) ? path.slice(root.length) : path
      // The same for all files of a project, as a rule.
      const owner = projectKey === key ? '' : projectKey
      const beside = sessionFolder === null ? '' : '/'
      parts.push(
        `${name}//${identity} ${sizeBytes} ${modifiedMs} ${changedMs} ${role}${beside}//${sessionId}//${owner}`,
      )
    }
  }
  for (const { code, position } of problems) parts.push(`${code} ${position?.path}`)
  for (const path of sidecars) parts.push(`${path}//${sidecarStamp(path)}`)
  return parts.join('\n')
}
