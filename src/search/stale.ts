// Which projects are not as they were when they were last woven, from a stamp of everything that a row depends on.

import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FoundTranscripts, Project } from '../load/found.ts'
import { sidecarStamp } from '../source/look-again.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import type { KnownFile } from './plan.ts'
import { isCurrent, knownFiles } from './plan.ts'

export interface StaleProject {
  readonly project: Project
  readonly stamp: string
  /** The stamp it was last woven with. */
  readonly before: string | undefined
  /** The files that are new or not as they were when it was woven; null where more has changed than what stands in files. */
  readonly changed: readonly TranscriptFile[] | null
}

export function staleProjects(
  database: Database,
  archive: FoundTranscripts,
  known = knownFiles(database),
): readonly StaleProject[] {
  const rows = database.prepare('SELECT root, project_key AS key, stamp FROM project').all()
  const stamps = new Map(
    (rows as unknown as readonly { root: string; key: string; stamp: string }[]).map(({ root, key, stamp }) => [
      `${root}\0${key}`,
      stamp,
    ]),
  )
  const stale: StaleProject[] = []
  for (const project of archive.projects) {
    const beside = project.files.map(besideStamp)
    const stamp = stampOf(project.files, beside)
    const before = stamps.get(`${project.root}\0${project.key}`)
    if (before !== stamp) stale.push({ project, stamp, before, changed: changedFiles(project, beside, known, before) })
  }
  return stale
}

/** Everything in its folder is as it was when its conversations were woven. */
export function isWovenAs(
  database: Database,
  archive: FoundTranscripts,
  project: Project,
  known: ReadonlyMap<string, KnownFile>,
): boolean {
  if (!project.files.every((file) => isCurrent(known.get(file.path), file))) return false
  return staleProjects(database, { ...archive, projects: [project] }, known).length === 0
}

/**
 * The same project with its files as they stood when they were read, which for one that is being written is later than
 * when it was found: that is what its rows are made of, and all that its stamp may say. A file that cannot be opened stays
 * out, and the stamp is one that no files have: who wants all of them asks the disk each time. Null where one could not
 * be read to its end, and where these rows are there already.
 */
export function asRead(stale: StaleProject, known: ReadonlyMap<string, KnownFile>): StaleProject | null {
  const { project, before, changed } = stale
  if (project.files.every((file) => isCurrent(known.get(file.path), file))) return stale
  const read = new Map<string, TranscriptFile>()
  for (const file of project.files) {
    const row = known.get(file.path)
    if (row === undefined || row.goneMs !== null) continue
    if (row.size < 0) return null
    const { identity, size, modifiedMs, changedMs } = row
    read.set(file.path, { ...file, identity, sizeBytes: size, modifiedMs, changedMs })
  }
  const files = [...read.values()]
  const isWhole = files.length === project.files.length
  const stamp = `${isWhole ? '' : 'part '}${stampOf(files, files.map(besideStamp))}`
  if (stamp === before) return null
  const grown = changed?.flatMap(({ path }) => read.get(path) ?? []) ?? null
  return { project: { ...project, files }, stamp, before, changed: isWhole ? grown : null }
}

/**
 * With the files as the index knew them, and the names beside them as they are, the stamp is the one that was stored:
 * so nothing has changed since but the files that are new or differ from what is known of them.
 */
function changedFiles(
  { files }: Project,
  beside: readonly string[],
  known: ReadonlyMap<string, KnownFile>,
  stamp: string | undefined,
): readonly TranscriptFile[] | null {
  const before: Stamped[] = []
  const besideThem: string[] = []
  for (const [index, { path }] of files.entries()) {
    const row = known.get(path)
    if (row === undefined) continue
    const { identity, size, modifiedMs, changedMs } = row
    before.push({ path, identity, sizeBytes: size, modifiedMs, changedMs })
    besideThem.push(beside[index] ?? '')
  }
  if (stampOf(before, besideThem) !== stamp) return null
  return files.filter((file) => !isCurrent(known.get(file.path), file))
}

type Stamped = Pick<TranscriptFile, 'path' | 'identity' | 'sizeBytes' | 'modifiedMs' | 'changedMs'>

/** Everything a row depends on: which files there are, how they stand, and the names given beside them. */
function stampOf(files: readonly Stamped[], beside: readonly string[]): string {
  const parts = files.map(
    ({ path, identity, sizeBytes, modifiedMs, changedMs }, index) =>
      `${path}\0${identity}\0${sizeBytes}\0${modifiedMs}\0${changedMs}\0${beside[index]}`,
  )
  const whole = parts.join('\n')
  return `${files.length}:${whole.length}:${crc32(whole)}`
}

function besideStamp({ sessionFolder }: TranscriptFile): string {
  if (sessionFolder === null) return ''
  return ['custom-title.json', 'archived.json'].map((name) => sidecarStamp(join(sessionFolder, name))).join(' ')
}
