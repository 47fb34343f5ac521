// What an ingest is asked to do, and what it finds to be done.

import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Database } from './database.ts'
import type { Plan } from './plan.ts'
import { isCurrent, knownFiles, planIngest } from './plan.ts'
import type { IngestSizes } from './sizes.ts'
import type { StaleProject } from './stale.ts'
import { staleProjects } from './stale.ts'

export type OnIngest = (doneBytes: number, totalBytes: number) => void

export interface IngestOptions {
  readonly nowMs: number
  readonly onProgress?: OnIngest
  readonly sizes?: IngestSizes
  /** Nothing is done when more than this is to be read: whoever asks can do without. */
  readonly mostBytes?: number
  /** Files that were to be read and that nobody may read. */
  readonly onUnread?: (problems: readonly Problem[]) => void
}

export interface IngestWork {
  readonly plan: Plan
  readonly stale: readonly StaleProject[]
}

export function workFor(database: Database, archive: FoundTranscripts, known = knownFiles(database)): IngestWork {
  return { plan: planIngest(database, archive, known), stale: staleProjects(database, archive, known) }
}

export function isEmpty({ plan: { work, moved, gone, seen }, stale }: IngestWork): boolean {
  return work.length + moved.length + gone.length + seen.length + stale.length === 0
}

export function bytesToRead({ work }: Plan): number {
  return work.reduce((sum, { file, from }) => sum + Math.max(0, file.sizeBytes - from.offset), 0)
}

/** Asked behind the work, only of those that are not what they should be then: a file may also have grown meanwhile. */
export function unreadFiles(database: Database, { work }: Plan): readonly Problem[] {
  const files = work.map(({ file }) => file)
  const known = knownFiles(database, files)
  return files.flatMap((file) => {
    if (isCurrent(known.get(file.path), file)) return []
    const opened = openTranscript(file.path)
    if (isProblem(opened)) return opened.code === 'file-unreadable' ? opened : []
    closeSync(opened.fd)
    return []
  })
}
