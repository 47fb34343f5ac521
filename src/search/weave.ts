// What depends on several files at once: the row a list shows, and the Turn of each record. It is woven anew, from stored
// Envelopes, for every project of which a file or a name beside one has changed; where files have only grown, mostly for
// their own conversations alone.

import type { Woven } from '../conversation/build.ts'
import { turnPlaces } from '../conversation/turn-places.ts'
import type { Project } from '../load/found.ts'
import type { WovenRow } from '../load/list.ts'
import { wovenRows } from '../load/list.ts'
import type { ReadFile } from '../load/read.ts'
import type { Envelope } from '../record/model.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { ConversationRow } from './conversation-rows.ts'
import type { Database } from './database.ts'
import type { LayoutStamp, PackedLayout } from './layouts.ts'
import { layoutStamp, layoutStamps, packLayout } from './layouts.ts'
import { packPlaces } from './packed-places.ts'
import type { KnownFile, WorkFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import type { StaleProject } from './stale.ts'
import { storedReader } from './stored.ts'
import { appendedRows } from './weave-appended.ts'

export interface WovenProject extends StaleProject {
  /** By file; null for a file that is no conversation. */
  readonly rows: Iterable<readonly [number, ConversationRow | null]>
  /** False where what is not among the rows stays as it is. */
  readonly isWhole: boolean
}

export interface WeaveOptions {
  /** What was read just now. */
  readonly work?: readonly WorkFile[]
  /** Those of the projects that are woven here; whoever else weaves takes the others. */
  readonly chosen?: Iterable<StaleProject>
}

/** Reads only, so that another thread can do it. */
export function* weaveProjects(
  database: Database,
  stale: readonly StaleProject[],
  { work = [], chosen = stale }: WeaveOptions = {},
): Generator<WovenProject, void, void> {
  if (stale.length === 0) return
  const known = knownFiles(
    database,
    stale.flatMap(({ project }) => project.files),
  )
  const read = storedReader(database, known)
  const stampOf = layoutStamps(database)
  const grown = { database, known, read, work: new Map(work.map((one) => [one.file.path, one])) }
  for (const one of chosen) {
    const { project } = one
    // A file that the index could not read keeps its project out of it: the disk is asked each time.
    if (project.files.some((file) => isUnread(file, known.get(file.path)?.size))) continue
    const appended = appendedRows(grown, one)
    if (appended !== null) yield { ...one, rows: rowsOf(appended, known, stampOf), isWhole: false }
    else yield { ...one, rows: allRows(project, known, read, stampOf), isWhole: true }
  }
}

function* allRows(
  project: Project,
  known: ReadonlyMap<string, KnownFile>,
  read: ReadFile,
  stampOf: LayoutStamp,
): Generator<readonly [number, ConversationRow | null], void, void> {
  const others = new Set(project.files.flatMap(({ path }) => known.get(path)?.id ?? []))
  for (const row of rowsOf(wovenRows(project, read), known, stampOf)) {
    others.delete(row[0])
    yield row
  }
  for (const id of others) yield [id, null]
}

/** One at a time: a project may hold many. */
function* rowsOf(
  rows: Iterable<WovenRow>,
  known: ReadonlyMap<string, KnownFile>,
  stampOf: LayoutStamp,
): Generator<readonly [number, ConversationRow], void, void> {
  for (const { row, woven, main } of rows) {
    const file = known.get(main.file.path)
    if (file === undefined) continue
    const places = packPlaces(turnPlaces(woven))
    const layout = changedLayout(woven, known, stampOf(file.id))
    yield [file.id, { row, ...usedIn(main.transcript.envelopes), turns: places, layout }]
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
