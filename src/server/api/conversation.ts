// A conversation by its heads: Readings, Branches, Turns, Subagents. What stands in it is in rows.ts.

import type { HomeRow } from './home.ts'

/** Which Rows are meant: `?reading=full|context&branch=N&agent=ID&at=REF`, all of them optional. */
export interface ReadingChoice {
  readonly reading: 'full' | 'context'
  readonly branch: number
  /** A Subagent instead of the conversation itself. */
  readonly agent: string | null
  /** With `context`: what the model saw when it came to this record. */
  readonly at: string | null
}

/** GET /api/conversations/:id */
export interface ConversationHead {
  readonly row: HomeRow
  /** The files it is made of, its own first: what the first part of a `ref` counts. */
  readonly transcripts: readonly string[]
  readonly resume: Resume
  readonly branches: readonly BranchHead[]
  readonly parents: readonly Relative[]
  readonly children: readonly Relative[]
  readonly reading: ReadingHead
}

/** How Claude Code goes on with it. */
export interface Resume {
  /** Null where it cannot. */
  readonly command: string | null
  /** Why it cannot, or what has to be seen to before. */
  readonly hindrance: Hindrance | null
}

export interface Hindrance {
  /** The end of a sentence. */
  readonly why: string
  readonly remedies: readonly { readonly words: string; readonly command: string }[]
}

export interface Relative {
  readonly id: string
  readonly relation: 'continues' | 'forkOf'
}

export interface BranchHead {
  readonly number: number
  readonly isLive: boolean
  readonly parent: number | null
  readonly forkUuid: string | null
  readonly tipUuid: string | null
  readonly turns: number
  readonly startedMs: number | null
  readonly endedMs: number | null
}

/** GET /api/conversations/:id/reading */
export interface ReadingHead extends ReadingChoice {
  /** Rows keep their places as long as this stays the same; a conversation that only grows keeps it. */
  readonly version: string
  readonly rows: number
  readonly turns: number
  /** Where Branches leave the one that is read, by Row. */
  readonly forks: readonly Fork[]
  readonly boundaries: readonly BoundaryMark[]
}

export interface Fork {
  readonly row: number
  readonly branches: readonly number[]
}

export interface BoundaryMark {
  readonly row: number
  readonly trigger: string | null
  readonly preTokens: number | null
  readonly postTokens: number | null
  readonly tokensSaved: number | null
}

/** GET /api/conversations/:id/agents: every Subagent, parents first. */
export interface SubagentHead {
  readonly agentId: string
  readonly type: string | null
  readonly description: string | null
  readonly toolUseId: string | null
  readonly parentAgentId: string | null
  readonly depth: number
  readonly turns: number
  readonly records: number
  readonly sizeBytes: number
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly costUsd: number | null
  readonly outputTokens: number
}

/** GET /api/conversations/:id/turns?from=N&count=N: for the outline. */
export interface TurnWindow {
  readonly version: string
  readonly total: number
  readonly from: number
  readonly turns: readonly TurnHead[]
}

export interface TurnHead {
  /** As the conversation counts them, from 1. */
  readonly number: number
  readonly row: number
  readonly rows: number
  readonly segment: number
  /** How its Prompt begins, or the command that was typed instead; null where there is neither. */
  readonly excerpt: string | null
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly calls: number
  readonly failures: number
}

/** GET /api/conversations/:id/place?record=UUID or @OFFSET: where a permalink leads to, whatever Branch it is on. */
export interface Place extends ReadingChoice {
  readonly row: number
  readonly turn: number
  readonly uuid: string | null
  readonly ref: string
}

/** GET /api/conversations/:id/find?q=…: every Row of a conversation with the words in it, in order. */
export interface FoundRows {
  readonly version: string
  readonly rows: readonly { readonly row: number; readonly uuid: string | null }[]
  readonly isBounded: boolean
}
