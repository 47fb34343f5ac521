// A Record is an Envelope (the structural facts, small and plain JSON) and a Body (the content, read by Position when
// somebody looks). Every field of an Envelope is always there, null when the record does not have it, so that a million
// of them share one shape in memory and none of them surprises a reader.

/** What a Record is to a conversation. `type` and `subtype` say what the client called it. */
export type RecordKind =
  | 'prompt'
  | 'injection'
  | 'recap'
  | 'tool-result'
  | 'reply'
  | 'boundary'
  | 'micro-boundary'
  | 'system'
  | 'attachment'
  | 'progress'
  | 'metadata'
  | 'unknown'

/** What the harness put into the user's mouth. */
export type InjectionKind =
  | 'command'
  | 'command-output'
  | 'caveat'
  | 'shell'
  | 'reminder'
  | 'interrupt'
  | 'task-notification'
  | 'image-note'
  | 'hook'
  | 'meta'
  | 'transcript-only'
  | 'coordinator'
  | 'empty'

export type Author = 'human' | 'agent' | 'model' | 'tool' | 'harness'

export interface ToolUseRef {
  readonly id: string
  readonly name: string
  /** Of the prompt handed to a subagent: joins call and subagent where no id does. */
  readonly promptKey?: number
  /** What kind of subagent it starts, where it says so. */
  readonly agentType?: string
}

export interface ToolResultRef {
  readonly id: string
  readonly isError: boolean
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly cacheWrite1hTokens: number
}

/** The rarer links, kept apart so that ordinary Envelopes stay small. */
export interface Links {
  readonly logicalParentUuid?: string
  readonly forkedFromSessionId?: string
  readonly forkedFromUuid?: string
  readonly sourceToolAssistantUuid?: string
  readonly sourceToolUseId?: string
  /** The subagent that a tool result reports on. */
  readonly spawnedAgentId?: string
  /** Where the whole of a tool's output lies when it was too long for the record. */
  readonly spillPath?: string
  /** The tip named by a `last-prompt`, the titled tip of a `summary`. */
  readonly leafUuid?: string
  readonly leafIsExplicit?: boolean
  /** A queued prompt is known to the official SDK under this id. */
  readonly queuedSourceUuid?: string
  /** The user or assistant record a file snapshot belongs to. */
  readonly snapshotOfUuid?: string
  readonly parentToolUseId?: string
  readonly toolDenialKind?: string
  readonly parentSessionId?: string
  readonly relocatedCwd?: string
  readonly promptId?: string
  /** Written while its session led a team. Part of the conversation; only the official SDK leaves it out. */
  readonly isOfTeam?: boolean
  /** Equal for equal texts: prompts, queued prompts and queue operations are matched by it. */
  readonly textKey?: number
}

/** The size of what the model is sent, before and after a compaction. */
export interface TokensAround {
  readonly preTokens: number | null
  readonly postTokens: number | null
  /** As the record says it; where one of the others was missing, it follows. */
  readonly tokensSaved: number | null
}

export interface Boundary extends TokensAround {
  readonly trigger: string | null
  readonly preserved: Preserved | null
}

/** Messages a compaction kept word for word: they stand before the Boundary and belong after `anchorUuid`. */
export interface Preserved {
  readonly anchorUuid: string
  readonly uuids: readonly string[] | null
  readonly headUuid: string | null
  readonly tailUuid: string | null
}

export interface Envelope {
  readonly line: number
  readonly offset: number
  readonly length: number
  /** As the client wrote it; '' when there is none. */
  readonly type: string
  /** A system record's subtype, an attachment's or progress record's inner type, a queue operation's name. */
  readonly subtype: string | null
  readonly kind: RecordKind
  readonly injection: InjectionKind | null
  readonly author: Author | null
  readonly uuid: string | null
  readonly parentUuid: string | null
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly timestampMs: number | null
  readonly isSidechain: boolean
  readonly isMeta: boolean
  readonly cwd: string | null
  readonly gitBranch: string | null
  readonly version: string | null
  readonly messageId: string | null
  readonly requestId: string | null
  readonly blockIndex: number | null
  readonly model: string | null
  readonly stopReason: string | null
  /** The kinds of the Blocks in order; a text that is not in a Block counts as one `text`. */
  readonly blocks: readonly string[]
  readonly toolUses: readonly ToolUseRef[]
  readonly toolResults: readonly ToolResultRef[]
  readonly usage: Usage | null
  readonly boundary: Boundary | null
  readonly links: Links | null
}

/** The parsed object as the client wrote it. */
export type Body = Readonly<Record<string, unknown>>

/** How many bytes of a file went where; they add up to its size, always. */
export interface ByteAccount {
  readonly sizeBytes: number
  readonly records: number
  readonly problems: number
  readonly tail: number
  readonly blank: number
}
