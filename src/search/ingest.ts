// Brings the index up to what is on disk: plan, read, write, weave. What reads and writes is loaded when there is
// something to do, because mostly there is nothing.

import type { FoundTranscripts } from '../load/found.ts'
import type { Database } from './database.ts'
import { versionOf } from './database.ts'
import type { IngestOptions } from './ingest-work.ts'
import { bytesToRead, isEmpty, unreadFiles, workFor } from './ingest-work.ts'
import { takeLock } from './lock.ts'
import { knownFiles } from './plan.ts'
import { isSettled, keepWalks, settle } from './settled.ts'
import { unsettle } from './unsettle.ts'

/** `busy`: another process is at it, or it was too much. What is in the index may be behind. */
export type Ingested = 'unchanged' | 'updated' | 'busy'

export async function ingest(
  database: Database,
  path: string | null,
  archive: FoundTranscripts,
  options: IngestOptions,
): Promise<Ingested> {
  const version = versionOf(database)
  if (isSettled(database, archive)) {
    keepWalks(database, path, archive, version)
    return 'unchanged'
  }
  const known = knownFiles(database)
  let work = workFor(database, archive, known)
  if (isEmpty(work)) {
    settle(database, path, archive, { known, version })
    return 'unchanged'
  }
  if (bytesToRead(work.plan) > (options.mostBytes ?? Number.POSITIVE_INFINITY)) return 'busy'
  const { runIngest } = await import('./ingest-run.ts')
  const lock = takeLock(path)
  if (lock === null) return 'busy'
  try {
    // Another process has finished while we looked.
    if (versionOf(database) !== version) work = workFor(database, archive)
    unsettle(database)
    await runIngest(database, work, options, () => workFor(database, archive))
    options.onUnread?.(unreadFiles(database, work.plan))
    return 'updated'
  } finally {
    lock.release()
  }
}
