// What an ingest is asked to do, and what it finds to be done.

import type { FoundTranscripts } from '../load/found.ts'
import type { Database } from './database.ts'
import type { Plan } from './plan.ts'
import { knownFiles, planIngest } from './plan.ts'
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
