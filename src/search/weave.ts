// What depends on several files at once: the row a list shows, and the Turn of each record. It is woven anew, from stored
// Envelopes, for every project of which a file or a name beside one has changed; where files have only grown, mostly for
// their own conversations alone.

import type { Woven } from '../conversation/build.ts'
import { turnPlaces } from '../conversation/turn-places.ts'
import type { Project } from '../load/found.ts'
import type { WovenRow } from '../load/list.ts'
import { wovenParts } from '../load/list.ts'
import { partsOf, WHOLE_BYTES } from '../load/parts.ts'
import type { ReadFile } from '../load/read.ts'
import type { Envelope } from '../record/model.ts'
import type { ConversationRow } from './conversation-rows.ts'
import type { Database } from './database.ts'
import type { LayoutStamp, PackedLayout } from './layouts.ts'
import { layoutStamp, layoutStamps, packLayout } from './layouts.ts'
import { packPlaces } from './packed-places.ts'
import type { KnownFile, WorkFile } from './plan.ts'
import { knownFiles } from './plan.ts'
import type { StaleProject } from './stale.ts'
import { asRead } from './stale.ts'
import { storedReader } from './stored.ts'
import type { Grown } from './weave-appended.ts'
import { appendedRows, isOfAnother } from './weave-appended.ts'

export interface WovenProject extends StaleProject {
  /** By file; null for a file that is no conversation. */
  readonly rows: Iterable<readonly [number, ConversationRow | null]>
  /** False where what is not among the rows stays as it is. */
  readonly isWhole: boolean
}

/** Where what is woven comes from: the index, or what another thread was given of it. */
export interface Stored {
  readonly known: ReadonlyMap<string, KnownFile>
  readonly read: ReadFile
  readonly stampOf: LayoutStamp
}

export function* weaveProjects(
  database: Database,
  stale: readonly StaleProject[],
  work: readonly WorkFile[] = [],
  wholeBytes = WHOLE_BYTES,
): Generator<WovenProject, void, void> {
  if (stale.length === 0) return
  const known = knownFiles(
    database,
    stale.flatMap(({ project }) => project.files),
  )
  const stored = { known, read: storedReader(database, known), stampOf: layoutStamps(database) }
  const grown = { ...stored, database, work: new Map(work.map((one) => [one.file.path, one])) }
  for (const found of stale) {
    const one = asRead(found, known)
    if (one === null) continue
    const appended = appendedRows(grown, one)
    if (appended !== null) yield { ...one, rows: rowsOf(appended, stored), isWhole: false }
    else yield weaveKin(one, grown, wholeBytes) ?? weaveWhole(one, stored, wholeBytes)
  }
}

/**
 * Of a large project in which files have only grown and begun, what may tell something of them: files come to be kin by
 * that, and none ceases to be, unless an agent has gone over to another. Null where the whole of it is woven.
 */
function weaveKin(one: StaleProject, stored: Stored & Pick<Grown, 'work'>, wholeBytes: number): WovenProject | null {
  const { project, changed } = one
  if (changed === null || project.sizeBytes <= wholeBytes) return null
  if (!changed.every(({ path }) => hasOnlyGrown(stored, stored.work.get(path)))) return null
  const paths = new Set(changed.map(({ path }) => path))
  const parts = [...partsOf(project, stored.read, 0)].filter(({ files }) => files.some(({ path }) => paths.has(path)))
  return { ...one, rows: allRows(parts, stored), isWhole: false }
}

/** Nothing that stood in it is gone: an unended line may have become another record. Nor has it left a session. */
function hasOnlyGrown(stored: Stored, work: WorkFile | undefined): boolean {
  if (work === undefined) return false
  return work.id === null || (work.from.records > 0 && !work.hasTail && !isOfAnother(stored, work))
}

export function weaveWhole(one: StaleProject, stored: Stored, wholeBytes = WHOLE_BYTES): WovenProject {
  return { ...one, rows: allRows(partsOf(one.project, stored.read, wholeBytes), stored), isWhole: true }
}

function* allRows(
  parts: Iterable<Project>,
  stored: Stored,
): Generator<readonly [number, ConversationRow | null], void, void> {
  for (const part of parts) {
    const others = new Set(part.files.flatMap(({ path }) => stored.known.get(path)?.id ?? []))
    for (const row of rowsOf(wovenParts([part], stored.read), stored)) {
      others.delete(row[0])
      yield row
    }
    for (const id of others) yield [id, null]
  }
}

/** One at a time: a project may hold many. */
function* rowsOf(
  rows: Iterable<WovenRow>,
  { known, stampOf }: Stored,
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

function usedIn(envelopes: readonly Envelope[]): { models: readonly string[]; gitBranches: readonly string[] } {
  const models = new Set<string>()
  const gitBranches = new Set<string>()
  for (const { model, gitBranch } of envelopes) {
    if (model !== null && model !== '<synthetic>') models.add(model)
    if (gitBranch !== null && gitBranch !== '') gitBranches.add(gitBranch)
  }
  return { models: [...models], gitBranches: [...gitBranches] }
}
