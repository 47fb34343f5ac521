// What the server and the browser say to each other: the only file they share, and nothing in it runs. Every answer is
// plain JSON with all its keys, null where there is nothing. docs/viewer.md tells the addresses.

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
  readonly resumeCommand: string
  readonly branches: readonly BranchHead[]
  readonly parents: readonly Relative[]
  readonly children: readonly Relative[]
  readonly reading: ReadingHead
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
  /** How its Prompt begins; null where it has none. */
  readonly excerpt: string | null
  readonly startedMs: number | null
  readonly endedMs: number | null
  readonly calls: number
  readonly failures: number
}

/** GET /api/conversations/:id/rows?from=N&count=N. May hold fewer than asked for when they are long. */
export interface RowWindow {
  readonly version: string
  readonly total: number
  readonly from: number
  readonly rows: readonly RowView[]
}

interface RowPlace {
  readonly row: number
  readonly turn: number
  /** The first Row of its Turn. */
  readonly opensTurn: boolean
  /** Leads to the record: /record, /text, /call, /image and /markdown take it. */
  readonly ref: string
  readonly uuid: string | null
  readonly line: number
  readonly ms: number | null
}

export type RowView = RowPlace &
  (
    | { readonly kind: 'prompt'; readonly text: Text; readonly images: number; readonly isQueued: boolean }
    | {
        readonly kind: 'reply'
        readonly messageId: string
        readonly model: string | null
        /** The first record of its Reply: the only one that needs to say who speaks. */
        readonly opensReply: boolean
        readonly blocks: readonly BlockView[]
        readonly usage: TokenCount | null
      }
    | { readonly kind: 'result'; readonly text: Text }
    /** What the client wrote: muted, labelled System. */
    | { readonly kind: 'system'; readonly label: string; readonly text: Text }
    | { readonly kind: 'recap'; readonly text: Text }
    | {
        readonly kind: 'boundary'
        readonly isMicro: boolean
        readonly trigger: string | null
        readonly preTokens: number | null
        readonly postTokens: number | null
        /** Where the record of the compaction holds it. */
        readonly recap: Text | null
      }
    /** Records nobody reads (progress, attachments), as one Row. */
    | { readonly kind: 'quiet'; readonly records: readonly QuietRecord[] }
    | { readonly kind: 'unknown'; readonly type: string }
    /** Too large to be sent along; /row?row=N brings it alone. */
    | { readonly kind: 'heavy'; readonly what: string; readonly bytes: number }
  )

export interface QuietRecord {
  readonly ref: string
  readonly label: string
}

/** A text, or how it begins: /text?ref=REF&block=N brings the whole of it, /text?ref=RESULT&call=ID that of an output. */
export interface Text {
  readonly text: string
  /** How long the whole of it is, in UTF-16 units. */
  readonly length: number
  readonly isCut: boolean
}

export type BlockView =
  | { readonly kind: 'text'; readonly block: number; readonly text: Text }
  | { readonly kind: 'thinking'; readonly block: number; readonly text: Text; readonly isStored: boolean }
  | { readonly kind: 'call'; readonly block: number; readonly call: CallLine }
  | { readonly kind: 'other'; readonly block: number; readonly type: string }

export type CallStatus = 'pending' | 'ok' | 'error' | 'denied' | 'interrupted'

export interface CallLine {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly status: CallStatus
  readonly agentId: string | null
  readonly resultRef: string | null
  readonly resultBytes: number
  readonly durationMs: number | null
  readonly changed: { readonly path: string; readonly added: number; readonly removed: number } | null
  readonly hasSpill: boolean
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

/** GET /api/conversations/:id/place?record=UUID or @OFFSET: where a permalink leads to, whatever Branch it is on. */
export interface Place extends ReadingChoice {
  readonly row: number
  readonly turn: number
  readonly uuid: string | null
  readonly ref: string
}

/** GET /api/conversations/:id/call?row=N&call=ID (and which Reading): a tool call opened. */
export interface CallView {
  readonly line: CallLine
  readonly face: CallFace
  /** As the tool wrote it, ANSI colours and all. */
  readonly output: Text
  readonly images: readonly ImageView[]
  /** The whole of an output that was too long for its record; /spill?row=N&call=ID brings it. */
  readonly spill: { readonly path: string; readonly bytes: number | null } | null
}

export interface ImageView {
  /** /image?ref=REF&number=N */
  readonly ref: string
  readonly number: number
  /** Null for a kind that is never shown, SVG say. */
  readonly kind: 'png' | 'jpeg' | 'gif' | 'webp' | null
  readonly bytes: number
}

/** How the input of a call is best shown. */
export type CallFace =
  | { readonly kind: 'shell'; readonly command: string; readonly description: string }
  | { readonly kind: 'change'; readonly path: string; readonly hunks: readonly DiffHunk[] }
  | { readonly kind: 'todos'; readonly todos: readonly { readonly text: string; readonly status: string }[] }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly QuestionView[] }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'input'; readonly json: string | null }

export interface QuestionView {
  readonly question: string
  readonly options: readonly string[]
  readonly answer: string | null
}

export interface DiffHunk {
  readonly oldStart: number | null
  readonly newStart: number | null
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[]
}

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

/** GET /api/search?q=…&in=prompts,files&since=7d&until=…&project=…&tool=…&file=…&limit=N&typing=1&deep=1 */
export interface SearchAnswer {
  readonly hits: readonly SearchHitView[]
  readonly total: number
  readonly isBounded: boolean
  /** No word matched: the text was looked for in the bytes. */
  readonly isInBytes: boolean
  readonly tookMs: number
}

export interface SearchHitView {
  readonly id: string
  readonly agentId: string | null
  readonly uuid: string | null
  /** For /place, where the record has no uuid. */
  readonly offset: number
  readonly field: string
  readonly title: string
  readonly project: string
  readonly turn: number | null
  readonly ms: number | null
  readonly snippet: { readonly text: string; readonly marks: readonly (readonly [number, number])[] } | null
  readonly more: number
  readonly isGone: boolean
  readonly isLoose: boolean
}

/** GET /api/conversations/:id/find?q=…: every Row of a conversation with the words in it, in order. */
export interface FoundRows {
  readonly version: string
  readonly rows: readonly { readonly row: number; readonly uuid: string | null }[]
  readonly isBounded: boolean
}

/** GET /api/usage?by=day|week|month|project|session|model|agent&since=&until=&project= */
export interface UsageAnswer {
  readonly by: string
  readonly rows: readonly UsageRow[]
  readonly total: UsageRow
  /** Rows that are not sent along because there are so many; the total has them. */
  readonly rowsLeft: number
  readonly notes: readonly string[]
  readonly priceDate: string
  readonly priceSource: string
  readonly timeZone: string
}

export interface UsageRow {
  readonly key: string
  /** A title for a session, a path for a project. */
  readonly label: string
  readonly messages: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWrite5mTokens: number
  readonly cacheWrite1hTokens: number
  /** Null as soon as something has no price. */
  readonly costUsd: number | null
  /** What has a price, added up. */
  readonly pricedCostUsd: number
  /** Messages whose output tokens are known only in part. */
  readonly partialMessages: number
  readonly sessions: number
  readonly models: readonly string[]
  /** By model and rate, one line of the bill each. */
  readonly parts: readonly UsagePart[]
}

export interface UsagePart {
  readonly model: string
  readonly tokens: number
  readonly costUsd: number | null
}

/** GET /api/usage/explain?by=…&key=…: from the raw records to the price, one line each. Without a key, of the total. */
export interface UsageExplained {
  readonly row: UsageRow
  readonly lines: readonly string[]
  readonly isCut: boolean
}

/** GET /api/journal/days and GET /api/journal?date=2026-11-14 */
export interface JournalDays {
  readonly days: readonly { readonly day: string; readonly projects: number; readonly turns: number }[]
}

export interface JournalDay {
  readonly day: string
  /** The page as the notebook has it. */
  readonly markdown: string
  readonly before: string | null
  readonly after: string | null
  /** Where a text in backticks leads to: `2ab65b76#07338147`, `claude --resume …`. */
  readonly citations: Readonly<Record<string, CitedPlace>>
}

export interface CitedPlace {
  readonly id: string
  readonly agentId: string | null
  /** A uuid or @offset; null for the conversation as a whole. */
  readonly record: string | null
}

/** GET /api/health */
export interface Health {
  /** Those with problems, the worst first. */
  readonly files: readonly FileHealth[]
  /** Files with problems that are not sent along because there are so many. */
  readonly filesLeft: number
  readonly totals: HealthTotals
  readonly codes: readonly ProblemTally[]
  readonly drift: readonly {
    readonly kind: string
    readonly name: string
    readonly version: string
    readonly count: number
  }[]
  readonly retention: Retention
  /** What each project takes on disk, the largest first. */
  readonly disk: readonly { readonly project: string; readonly sessions: number; readonly bytes: number }[]
}

/** All problems of one kind, whether they are sent along or not. */
export interface ProblemTally {
  readonly code: string
  readonly severity: string
  readonly meaning: string
  /** What Clew does about it. */
  readonly deed: string
  readonly count: number
  readonly files: number
}

export interface HealthTotals {
  readonly files: number
  readonly bytes: number
  readonly records: number
  readonly problems: number
  readonly lostBytes: number
}

export interface FileHealth {
  /** For /api/health/line?file=ID&offset=N&length=N. */
  readonly file: string
  readonly path: string
  readonly id: string | null
  readonly agentId: string | null
  readonly title: string | null
  readonly sizeBytes: number
  readonly records: number
  /** Records that the live tip reaches. */
  readonly reached: number
  readonly problems: readonly ProblemView[]
  readonly problemsLeft: number
}

export interface ProblemView {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly line: number | null
  readonly offset: number | null
  readonly length: number | null
  readonly count: number
}

/** What the client's clean-up will delete, and where the disk went: lines as `clew doctor` says them. */
export interface Retention {
  readonly days: number | null
  readonly withinDays: number
  readonly expiring: readonly ExpiringView[]
  /** All that go within those days, sent along or not. */
  readonly expiringTotal: number
  readonly lines: readonly string[]
  /** What to write into which settings file, so that they stay. */
  readonly keep: readonly { readonly path: string; readonly line: string }[]
}

export interface ExpiringView {
  readonly id: string
  readonly title: string
  readonly project: string
  readonly sizeBytes: number
  readonly daysLeft: number
}

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

/** What every failed request answers. */
export interface Refusal {
  /** One line that says what to do next. */
  readonly error: string
}
