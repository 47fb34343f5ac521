// What a Turn or a Conversation comes down to, told without a model: each line of it names the Records it was taken from.

import type { ToolStatus } from '../conversation/model.ts'
import type { Usage } from '../record/model.ts'

/** Where a line of a Brief comes from. */
export interface Citation {
  readonly path: string
  readonly line: number
  /** In bytes: names a Record that has no uuid. */
  readonly offset: number
  readonly uuid: string | null
}

interface Cited {
  /** At least one, in the order they happened; the first twenty where there are more. */
  readonly cites: readonly Citation[]
}

export interface Told extends Cited {
  readonly text: string
}

export interface ToolTally extends Cited {
  readonly name: string
  readonly calls: number
  readonly failed: number
}

export type FileOutcome = 'read' | 'created' | 'edited' | 'deleted'

export interface FileTally extends Cited {
  readonly path: string
  /** The weightiest thing done to it: deleted, created, edited, read. */
  readonly outcome: FileOutcome
  readonly reads: number
  readonly edits: number
  /** Lines that patches added and removed; null where no edit came with a patch. */
  readonly added: number | null
  readonly removed: number | null
}

export type CommandPurpose = 'test' | 'build' | 'check' | 'git' | 'deploy' | 'install' | 'run' | 'other'

/** How it went: null when nobody knows, because it was refused, cut short or left running. */
export type WentWell = boolean | null

export interface CommandRun extends Cited {
  readonly command: string
  readonly purpose: CommandPurpose
  readonly status: ToolStatus
  /** False too for a command that ended well behind a pipe while its output counts failures. */
  readonly wentWell: WentWell
  /** What it said about how it went, in a few words: “3 failed, 41 passed”. */
  readonly outcome: string | null
  /** How often the same command was run; the rest is about the last time. */
  readonly times: number
}

/** Something the person was asked, or did not allow. */
export interface Decision extends Cited {
  readonly question: string
  /** Null: asked, and not answered. */
  readonly answer: string | null
}

export interface Failing extends Cited {
  readonly tool: string | null
  readonly text: string
  readonly times: number
  /** A later call of the same tool on the same thing went well. */
  readonly isMended: boolean
}

export interface Plan extends Cited {
  readonly text: string
  readonly state: 'accepted' | 'rejected' | 'open'
}

export interface Todo extends Cited {
  readonly text: string
  readonly state: 'done' | 'doing' | 'open'
}

export interface Commit extends Cited {
  readonly hash: string | null
  readonly subject: string
  readonly branch: string | null
}

export interface PullRequest extends Cited {
  readonly url: string
  readonly title: string | null
}

export interface AgentBrief extends Cited {
  readonly agentId: string
  readonly type: string | null
  readonly description: string | null
  readonly status: ToolStatus
  /** What it reported, condensed. */
  readonly report: string | null
  readonly toolCalls: number
  readonly durationMs: number | null
  readonly usage: Usage | null
}

/** What Turns and Conversations have in common. Subagents' files, commands, failings and commits are among them. */
export interface Digest {
  readonly startedMs: number | null
  readonly endedMs: number | null
  /** Time in which something was done: pauses of more than a while between Records are left out. */
  readonly activeMs: number
  /** What Claude said it did, condensed by rule. */
  readonly done: readonly Told[]
  readonly tools: readonly ToolTally[]
  readonly files: readonly FileTally[]
  readonly commands: readonly CommandRun[]
  readonly agents: readonly AgentBrief[]
  readonly decisions: readonly Decision[]
  readonly failings: readonly Failing[]
  readonly plans: readonly Plan[]
  readonly todos: readonly Todo[]
  readonly commits: readonly Commit[]
  readonly pullRequests: readonly PullRequest[]
  readonly models: readonly string[]
  readonly usage: Usage | null
  readonly agentUsage: Usage | null
}

export interface TurnBrief extends Digest {
  readonly number: number
  /** The Prompt; null where something was done before one. */
  readonly intent: Told | null
}

export interface Brief extends Digest {
  readonly sessionId: string
  readonly title: string
  readonly project: string
  readonly gitBranch: string | null
  readonly path: string
  /** What was asked, Prompt by Prompt. */
  readonly intents: readonly Told[]
  /** Questions at the end of the last reply that nobody answered. */
  readonly openQuestions: readonly Told[]
  /** Ways that were left again: what was asked first on each abandoned Branch. */
  readonly abandoned: readonly Told[]
  readonly turns: readonly TurnBrief[]
}
