// Which projects are not as they were when they were last woven, from a stamp of everything that a row depends on.

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FoundTranscripts, Project } from '../load/found.ts'
import type { Database } from './database.ts'

export interface StaleProject {
  readonly project: Project
  readonly stamp: string
}

export function staleProjects(database: Database, archive: FoundTranscripts): readonly StaleProject[] {
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
function stampOf({ files }: Project): string {
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
