// What a person means by "that chat", as plain readonly JSON. Every element leads back to Records: a PlacedRecord is an
// Envelope and the number of the file it stands in.

import type { Problem } from '../base/problem.ts'
import type { Envelope, TokensAround, Usage } from '../record/model.ts'

export interface PlacedRecord {
  /** Index into the Conversation's transcripts. */
  readonly transcript: number
  readonly envelope: Envelope
}

export interface TranscriptRef {
  readonly path: string
  readonly sessionId: string
}

export type TitleSource = 'custom-title' | 'ai-title' | 'last-prompt' | 'summary' | 'first-prompt' | 'none'

export interface Title {
  readonly text: string
  readonly source: TitleSource
}

export interface Reply {
  /** The API message it is one of; the uuid of its record when a client stored none. */
  readonly messageId: string
  readonly model: string | null
  readonly records: readonly PlacedRecord[]
  /** The highest value of each field over its records: old clients left partial ones. */
  readonly usage: Usage | null
}

export type ToolStatus = 'pending' | 'ok' | 'error' | 'denied' | 'interrupted'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly call: PlacedRecord
  readonly result: PlacedRecord | null
  readonly status: ToolStatus
  readonly spillPath: string | null
  readonly agentId: string | null
}

/** One Prompt and everything done in answer. The first Turn has no Prompt when something was done before one. */
export interface Turn {
  readonly number: number
  /** Which Segment of its Branch it begins in. */
  readonly segment: number
  readonly prompt: PlacedRecord | null
  /** In order, the Prompt first. */
  readonly records: readonly PlacedRecord[]
  readonly replies: readonly Reply[]
  readonly toolCalls: readonly ToolCall[]
  readonly startedMs: number | null
  readonly endedMs: number | null
}

export interface Segment extends TokensAround {
  readonly number: number
  /** The compaction it begins with; null for the first. */
  readonly boundaryUuid: string | null
  readonly trigger: string | null
}

export interface Branch {
  readonly number: number
  readonly isLive: boolean
  /** The Branch it leaves and the record it leaves it at; null for the live one and for second roots. */
  readonly parent: number | null
  readonly forkUuid: string | null
  readonly tipUuid: string | null
  /** Only what is its own: what stands before the fork belongs to the parent Branch. */
  readonly turns: readonly Turn[]
  readonly segments: readonly Segment[]
}

export interface Subagent {
  readonly agentId: string
  readonly type: string | null
  readonly description: string | null
  /** The call that started it; null when nothing refers to it (Warmup stubs). */
  readonly toolUseId: string | null
  readonly parentAgentId: string | null
  readonly depth: number
  /** Its own file, or the main transcript for clients that kept subagents inline. */
  readonly path: string
  readonly isInline: boolean
  readonly workflowId: string | null
  readonly turns: number
  readonly records: number
  readonly sizeBytes: number
}

/** Records that the live tip does not reach although they are in the file. */
export interface Island {
  readonly firstUuid: string
  readonly records: number
  readonly messages: number
  readonly line: number
}

export interface Conversation {
  readonly sessionId: string
  readonly projectKey: string
  /** The session's own file first, then files it needs for what happened before. */
  readonly transcripts: readonly TranscriptRef[]
  readonly title: Title
  readonly continues: string | null
  readonly forkOf: string | null
  readonly branches: readonly Branch[]
  readonly subagents: readonly Subagent[]
  /** Titles, tips, snapshots, totals: they belong to the Conversation, not to a Turn. */
  readonly metadata: readonly PlacedRecord[]
  /** Later copies of records that are already placed. */
  readonly replays: readonly PlacedRecord[]
  /** Human text that is only in the queue's own records (2.0.x). */
  readonly queuedPrompts: readonly PlacedRecord[]
  readonly problems: readonly Problem[]
}
