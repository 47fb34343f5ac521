// News, as they come.

import type { HomeRow, Indexing, RunState } from './home.ts'

/** GET /api/live?conversation=ID (server-sent): each message is one of these. */
export type LiveMessage =
  | { readonly kind: 'indexing'; readonly indexing: Indexing | null }
  /** Rows of the list that are new or have changed. */
  | { readonly kind: 'list'; readonly rows: readonly HomeRow[]; readonly removed: readonly string[] }
  /** The conversation that is looked at has more Rows, or Rows from `changedFrom` on have changed. */
  | {
      readonly kind: 'grew'
      readonly id: string
      readonly version: string
      readonly rows: number
      readonly turns: number
      readonly changedFrom: number
    }
  /** The conversation that is looked at cannot be followed at the moment, for this reason; null when it can again. */
  | { readonly kind: 'stalled'; readonly id: string; readonly error: string | null }
  | { readonly kind: 'sessions'; readonly running: readonly RunningSession[] }

export interface RunningSession {
  readonly id: string
  readonly pid: number
  readonly state: RunState
  readonly project: string | null
  readonly sinceMs: number | null
}
