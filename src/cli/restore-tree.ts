// All files of some conversations into a new folder, with a manifest that says how certain each of them is.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import { makeFolders, replaceInPieces } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import { certaintyOf } from '../recover/content.ts'
import { newestCertain } from '../recover/history.ts'
import type { FileHistory, Version } from '../recover/model.ts'
import type { Recovered } from '../recover/recovered.ts'
import { toJson } from '../render/terminal.ts'
import { counted, iso } from '../render/units.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'
import type { GapRule } from './restored.ts'
import { bytesOf, surenessOf } from './restored.ts'
import { treeNames } from './tree-names.ts'
import type { At } from './version-choice.ts'
import { refOf } from './version-rows.ts'

export interface TreeChoice {
  readonly folder: string
  readonly at: At | null
  readonly rule: GapRule
  readonly json: boolean
}

const MANIFEST = 'clew-manifest.jsonl'

export async function restoreTree(recovered: Recovered, choice: TreeChoice, world: World): Promise<number> {
  const { folder } = choice
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Failure(`${folder} is not empty; a tree is restored into a new folder`)
  const states = [...recovered.histories.values()].flatMap((history) => stateAt(history, choice.at, recovered) ?? [])
  if (states.length === 0) throw new Failure('there is no file to restore. Try: clew files latest')
  const base = baseFolder(states, recovered)
  const nameOf = treeNames(base, [MANIFEST])
  const rows: string[] = []
  const counts = new Map<string, number>()
  await makeFolders(REAL_DISK, folder)
  for (const state of states.sort((one, other) => (one.history.path < other.history.path ? -1 : 1))) {
    const row = await restoreOne(state, nameOf, choice)
    rows.push(toJson({ ...row, ...whereOf(state, recovered) }))
    const outcome = row.file === null ? (row.certainty === 'absent' ? 'deleted' : 'not written') : row.certainty
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  await replaceInPieces(
    REAL_DISK,
    join(folder, MANIFEST),
    rows.map((row) => `${row}\n`),
  )
  if (choice.json) {
    for (const row of rows) world.output.print(row)
    return 0
  }
  const told = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  world.output.note(
    `clew: ${counted(states.length, 'file')} below ${base}: ${told}. How certain each is: ${join(folder, MANIFEST)}`,
  )
  return 0
}

interface FileAt {
  readonly history: FileHistory
  readonly version: Version
  /** It was gone at that time, by its own name: that was meant. */
  readonly isDeleted: boolean
}

/** Null for what nobody had seen yet. */
function stateAt(history: FileHistory, at: At | null, { turnOf }: Recovered): FileAt | null {
  const isBefore = ({ place }: Version): boolean => {
    if (at === null || at.kind === 'version') return true
    if (at.kind === 'time') return (place.timeMs ?? Number.POSITIVE_INFINITY) <= at.ms
    return (turnOf(place)?.turn ?? Number.POSITIVE_INFINITY) <= at.turn
  }
  const versions = history.versions.filter(isBefore)
  const last = versions.at(-1)
  if (last === undefined) return null
  if (last.content.kind === 'absent' && last.from === null) return { history, version: last, isDeleted: true }
  const there = versions.filter(({ content }) => content.kind !== 'absent')
  // What was last seen wins over an older version that is more certain, unless nothing is known of it.
  const version = there.findLast(({ content }) => content.kind !== 'unknown') ?? newestCertain(there) ?? last
  return { history, version, isDeleted: false }
}

interface ManifestRow {
  readonly path: string
  readonly file: string | null
  readonly certainty: string
  readonly isLatest: boolean
  readonly laterCommand: string | null
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly note: string
}

async function restoreOne(
  { history, version, isDeleted }: FileAt,
  nameOf: (path: string) => string,
  choice: TreeChoice,
): Promise<ManifestRow> {
  const bytes = isDeleted ? null : bytesOf(version, choice.rule)
  const last = history.versions.findLast(({ content }) => content.kind !== 'absent')
  const facts = {
    path: history.path,
    certainty: certaintyOf(version.content),
    isLatest: isDeleted || version === last,
    laterCommand: history.later === null ? null : refOf(history.later),
    note: surenessOf(version),
  }
  const none = { ...facts, file: null, sizeBytes: null, sha256: null }
  if (bytes === null) return none
  const file = nameOf(history.path)
  try {
    await makeFolders(REAL_DISK, dirname(join(choice.folder, file)))
    await replaceInPieces(REAL_DISK, join(choice.folder, file), [bytes])
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    return { ...none, note: `cannot be written: ${code}` }
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { ...facts, file, sizeBytes: bytes.length, sha256 }
}

function whereOf({ version }: FileAt, { turnOf }: Recovered): Readonly<Record<string, unknown>> {
  const { place, number, cause } = version
  return { version: number, cause, at: iso(place.timeMs), turn: turnOf(place)?.turn ?? null, ref: refOf(place) }
}

/** The folder in which most of it took place. */
function baseFolder(states: readonly FileAt[], { turnOf }: Recovered): string {
  const counts = new Map<string, number>()
  for (const { history, version } of states) {
    const cwd = turnOf(version.place)?.cwd ?? null
    if (cwd !== null && history.path.startsWith(`${cwd}/`)) counts.set(cwd, (counts.get(cwd) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? dirname(states[0]?.history.path ?? '/')
}
