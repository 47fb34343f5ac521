// The list of conversations, and what is known of days and sessions.

/** GET /api/home */
export interface Home {
  readonly rows: readonly HomeRow[]
  readonly roots: readonly string[]
  /** There were no sessions of the user's own, so this is the bundled sample. */
  readonly isSample: boolean
  readonly timeZone: string
  readonly nowMs: number
  readonly indexing: Indexing | null
}

export interface Indexing {
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface HomeRow {
  readonly id: string
  readonly title: string
  readonly firstPrompt: string | null
  /** Where it ran; the folder's name where no record says. */
  readonly project: string
  /** The repository that folder is a worktree of; the same as `project` where it is none. */
  readonly repository: string
  readonly gitBranch: string | null
  readonly model: string | null
  readonly createdMs: number | null
  readonly modifiedMs: number
  readonly turns: number
  readonly messages: number
  readonly sizeBytes: number
  readonly compactions: number
  readonly branches: number
  readonly subagents: number
  readonly problems: number
  readonly continues: string | null
  readonly forkOf: string | null
  readonly tag: string | null
  readonly isArchived: boolean
  /** Its file was deleted: what is known of it is what the index remembers. */
  readonly isGone: boolean
  /** Its file was deleted: this is the archive's copy. */
  readonly isCopy: boolean
  readonly running: RunState | null
}

/** What a client that has the session open is doing: at work, asking the user something, or neither. */
export type RunState = 'running' | 'waiting' | 'idle'

/** GET /api/activity: what the accounts say about days and sessions. Slower than the list, so it comes after it. */
export interface Activity {
  readonly days: readonly ActiveDay[]
  readonly sessions: Readonly<Record<string, SessionCost>>
}

export interface ActiveDay {
  /** 2026-11-14, in the time zone of the server. */
  readonly day: string
  readonly messages: number
  readonly outputTokens: number
  readonly costUsd: number | null
  readonly sessions: readonly string[]
}

export interface SessionCost {
  /** Null where a model has no known price. */
  readonly costUsd: number | null
  readonly tokens: number
}
