// A conversation by the clock.

import type { CallStatus } from './rows.ts'

/** GET /api/conversations/:id/timeline */
export interface Timeline {
  readonly version: string
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly turns: readonly {
    readonly number: number
    readonly row: number
    readonly startedMs: number
    readonly endedMs: number
  }[]
  readonly calls: readonly Span[]
  readonly boundaries: readonly { readonly row: number; readonly ms: number }[]
}

export interface Span {
  readonly row: number
  readonly name: string
  readonly title: string
  readonly status: CallStatus
  readonly startedMs: number
  readonly endedMs: number
  /** The Subagent it started, and the one that made the call. */
  readonly agentId: string | null
  readonly owner: string | null
}
