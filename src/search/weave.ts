// What depends on several files at once: the row a list shows, and the Turn of each record. It is woven anew, from stored
// Envelopes, for every project of which a file or a name beside one has changed.

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Woven } from '../conversation/build.ts'
import { turnPlaces } from '../conversation/turn-places.ts'
import type { FoundArchive, Project } from '../load/archive.ts'
import { wovenRows } from '../load/list.ts'
import type { ReadFile } from '../load/read.ts'
import type { Envelope } from '../record/model.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { ConversationRow } from './conversation-rows.ts'
import type { Database } from './database.ts'
import type { PackedLayout } from './layouts.ts'
import { layoutStamp, layoutStamps, packLayout } from './layouts.ts'
import type { KnownFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import { storedReader } from './stored.ts'

export interface StaleProject {
  readonly project: Project
  readonly stamp: string
}

export function staleProjects(database: Database, archive: FoundArchive): readonly StaleProject[] {
  const rows = database.prepare('SELECT root, project_key AS key, stamp FROM project').all()
  const stamps = new Map(
    (rows as unknown as readonly { root: string; key: string; stamp: string }[]).map(({ root, key, stamp }) => [
      `${root}\0${key}`,
      stamp,
    ]),
  )
  const stale: StaleProject[] = []
  for (const project of archive.projects) {
    const stamp = stampOf(project)
    if (stamps.get(`${project.root}\0${project.key}`) !== stamp) stale.push({ project, stamp })
  }
  return stale
}

/** Everything a row depends on: which files there are, how they stand, and the names given beside them. */
export function stampOf({ files }: Project): string {
  const parts = files.map((file) => {
    const beside = file.sessionFolder === null ? '' : `${sidecarStamp(file.sessionFolder)}`
    return `${file.path}\0${file.identity}\0${file.sizeBytes}\0${file.modifiedMs}\0${beside}`
  })
  const whole = parts.join('\n')
  return `${files.length}:${whole.length}:${crc32(whole)}`
}

function sidecarStamp(sessionFolder: string): string {
  return ['custom-title.json', 'archived.json'].map((name) => statStamp(join(sessionFolder, name))).join(' ')
}

function statStamp(path: string): string {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.size}:${stat.mtimeMs}:${stat.ino}`
  } catch {
    return '?'
  }
}

export interface WovenProject extends StaleProject {
  /** By file; null for a file that is no conversation. */
  readonly rows: Iterable<readonly [number, ConversationRow | null]>
}

/** Reads only, so that another thread can do it. */
export function* weaveProjects(
  database: Database,
  stale: readonly StaleProject[],
): Generator<WovenProject, void, void> {
  if (stale.length === 0) return
  const known = knownFiles(
    database,
    stale.flatMap(({ project }) => project.files),
  )
  const read = storedReader(database, known)
  const stamps = layoutStamps(database)
  for (const { project, stamp } of stale) {
    // A file that the index could not read keeps its project out of it: the disk is asked each time.
    if (project.files.some((file) => isUnread(file, known.get(file.path)?.size))) continue
    yield { project, stamp, rows: rowsOf(project, known, read, stamps) }
  }
}

/** One at a time: a project may hold many. */
function* rowsOf(
  project: Project,
  known: ReadonlyMap<string, KnownFile>,
  read: ReadFile,
  stamps: ReadonlyMap<number, string>,
): Generator<readonly [number, ConversationRow | null], void, void> {
  const others = new Set(project.files.map((file) => file.path))
  for (const { row, woven, main } of wovenRows(project, read)) {
    const { path } = main.file
    const file = known.get(path)
    if (file === undefined) continue
    others.delete(path)
    const { branches, turns } = turnPlaces(woven)
    const places = Buffer.concat([branches, turns].map((one) => Buffer.from(one.buffer)))
    const layout = changedLayout(woven, known, stamps.get(file.id))
    yield [file.id, { row, ...usedIn(main.transcript.envelopes), turns: places, layout }]
  }
  for (const path of others) {
    const file = known.get(path)
    if (file !== undefined) yield [file.id, null]
  }
}

/** Null when the one that is stored was made from the same files. */
function changedLayout(
  woven: Woven,
  known: ReadonlyMap<string, KnownFile>,
  before: string | undefined,
): PackedLayout | null {
  const stamp = layoutStamp(woven, known)
  return stamp === before ? null : packLayout(woven, known, stamp)
}

function isUnread(file: TranscriptFile, size: number | undefined): boolean {
  return size !== file.sizeBytes
}

function usedIn(envelopes: readonly Envelope[]): { models: readonly string[]; gitBranches: readonly string[] } {
  const models = new Set<string>()
  const gitBranches = new Set<string>()
  for (const { model, gitBranch } of envelopes) {
    if (model !== null && model !== '<synthetic>') models.add(model)
    if (gitBranch !== null && gitBranch !== '') gitBranches.add(gitBranch)
  }
  return { models: [...models], gitBranches: [...gitBranches] }
}
