// API messages → a ledger: columns of numbers that rows of the accounts are added up from, and nothing else. A line stands
// for one message here; where nobody asks about single ones, a line of a rolled-up ledger stands for many.

import type { Usage } from '../record/model.ts'
import type { CountedMessage } from './usage-fold.ts'
import { agentOf, isGone, sessionOf } from './usage-fold.ts'
import { projectPaths } from './usage-projects.ts'

/** Everything about a message but its time and its tokens. Many messages share one. */
export interface UsagePlace {
  readonly projectKey: string
  /** Of whoever made the request. */
  readonly session: string
  /** Null for the main conversation, '' for a subagent that nobody named. */
  readonly agent: string | null
  readonly agentType: string | null
  /** The transcript beside which the type of the subagent may stand; null where it is known or there is none. */
  readonly path: string | null
  readonly cwd: string | null
  readonly model: string | null
  readonly rate: string | null
  /** All transcripts that hold it were deleted. */
  readonly isGone: boolean
}

/** Lines in the order in which the fold met the first message of each. Every array has `count` numbers. */
export interface UsageLedger extends LedgerColumns {
  readonly count: number
  readonly places: readonly UsagePlace[]
  /** By the key of a project: the path it stands for. */
  readonly paths: ReadonlyMap<string, string>
}

export interface LedgerColumns {
  /** The number of the place that all messages of a line share. */
  readonly placeOf: Uint32Array
  readonly messages: Uint32Array
  /** How many of them have their output tokens only in part. */
  readonly partial: Uint32Array
  /** Not a number where a message has no time. */
  readonly firstMs: Float64Array
  readonly lastMs: Float64Array
  /** The tokens of the shortest and the longest prompt, on which the price may depend. */
  readonly promptMin: Float64Array
  readonly promptMax: Float64Array
  readonly tokens: Readonly<Record<keyof Usage, Float64Array>>
}

/** A line for each message. */
export function ledgerOf(messages: readonly CountedMessage[]): UsageLedger {
  const columns = newColumns(messages.length)
  const places: UsagePlace[] = []
  const known = new Map<string, number>()
  let before: CountedMessage | null = null
  let place = 0
  let line = 0
  for (const message of messages) {
    if (before === null || !isSamePlace(message, before)) {
      const made = placeIn(message)
      const name = JSON.stringify(Object.values(made))
      place = known.get(name) ?? places.push(made) - 1
      known.set(name, place)
    }
    before = message
    columns.placeOf[line] = place
    writeMessage(columns, line, message)
    line++
  }
  return { ...columns, count: line, places, paths: projectPaths(messages) }
}

export function newColumns(count: number): LedgerColumns {
  const numbers = (): Float64Array => new Float64Array(count)
  return {
    placeOf: new Uint32Array(count),
    messages: new Uint32Array(count),
    partial: new Uint32Array(count),
    firstMs: numbers(),
    lastMs: numbers(),
    promptMin: numbers(),
    promptMax: numbers(),
    tokens: {
      inputTokens: numbers(),
      outputTokens: numbers(),
      cacheReadTokens: numbers(),
      cacheWriteTokens: numbers(),
      cacheWrite1hTokens: numbers(),
    },
  }
}

function writeMessage(columns: LedgerColumns, line: number, { folded }: CountedMessage): void {
  const { usage, timestampMs, isFinal } = folded
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens
  columns.messages[line] = 1
  columns.partial[line] = isFinal ? 0 : 1
  columns.firstMs[line] = timestampMs ?? Number.NaN
  columns.lastMs[line] = timestampMs ?? Number.NaN
  columns.promptMin[line] = prompt
  columns.promptMax[line] = prompt
  columns.tokens.inputTokens[line] = inputTokens
  columns.tokens.outputTokens[line] = outputTokens
  columns.tokens.cacheReadTokens[line] = cacheReadTokens
  columns.tokens.cacheWriteTokens[line] = cacheWriteTokens
  columns.tokens.cacheWrite1hTokens[line] = cacheWrite1hTokens
}

/** True for most messages and the one before. Where a file was deleted each is looked at. */
function isSamePlace({ source, folded }: CountedMessage, before: CountedMessage): boolean {
  return (
    source === before.source &&
    !source.isGone &&
    folded.sessionId === before.folded.sessionId &&
    folded.agentId === before.folded.agentId &&
    folded.agentType === before.folded.agentType &&
    folded.isSidechain === before.folded.isSidechain &&
    folded.cwd === before.folded.cwd &&
    folded.model === before.folded.model &&
    folded.rate === before.folded.rate
  )
}

function placeIn(message: CountedMessage): UsagePlace {
  const { source, folded } = message
  const { agentType, cwd, model, rate } = folded
  const agent = agentOf(message)
  return {
    projectKey: source.projectKey,
    session: sessionOf(message),
    agent,
    agentType,
    path: agent !== null && agentType === null ? source.path : null,
    cwd,
    model,
    rate,
    isGone: isGone(message),
  }
}
