// What every route may ask: the index, what is on disk as it was last found, and the few facts about this machine that
// an answer depends on. Handed in, so that tests run many servers in one process.

import type { FoundTranscripts } from '../load/found.ts'
import type { Index } from '../search/open-index.ts'

export interface ServerWorld {
  /** For reading only: another thread brings it up to date. */
  readonly index: Index
  /** As it was last found; another object as soon as anything has changed. */
  readonly archive: () => FoundTranscripts
  readonly isSample: boolean
  readonly timeZone: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly nowMs: () => number
}
