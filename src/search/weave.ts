// What depends on several files at once: the row a list shows, and the Turn of each record. It is woven anew, from stored
// Envelopes, for every project of which a file or a name beside one has changed.

import type { Woven } from '../conversation/build.ts'
import { turnPlaces } from '../conversation/turn-places.ts'
import type { Project } from '../load/found.ts'
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
import type { StaleProject } from './stale.ts'
import { storedReader } from './stored.ts'

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
