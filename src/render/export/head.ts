// What stands above an export: what it is, when it was, who took part, and what is not in it.

import type { Turn } from '../../conversation/model.ts'
import type { ReadingRule } from '../../conversation/reading.ts'
import { activeTimeOf, workTimes } from '../../digest/active.ts'
import { safeLine } from '../terminal.ts'
import { count, counted, iso } from '../units.ts'
import type { Choice } from './choice.ts'

export interface ExportHead {
  readonly title: string
  readonly sessionId: string
  readonly agentId: string | null
  readonly project: string
  readonly gitBranch: string | null
  readonly models: readonly string[]
  readonly startedMs: number | null
  readonly endedMs: number | null
  /** Without pauses, over the Turns that are shown. */
  readonly workedMs: number
  /** Of the Turns that are shown, and of the Subagents that they started. */
  readonly inputTokens: number
  readonly outputTokens: number
  readonly agentInputTokens: number
  readonly agentOutputTokens: number
  readonly turns: number
  readonly turnsShown: number
  readonly reading: ReadingRule
  readonly branch: number
  readonly branches: number
  readonly choice: Choice
}

type TokenFacts = Pick<ExportHead, 'inputTokens' | 'outputTokens' | 'agentInputTokens' | 'agentOutputTokens'>
export type TurnFacts = TokenFacts & Pick<ExportHead, 'models' | 'startedMs' | 'endedMs' | 'workedMs' | 'turnsShown'>

/** `agentTurns` are those of the Subagents that these Turns started. */
export function turnFacts(turns: readonly Turn[], agentTurns: readonly Turn[]): TurnFacts {
  const told = new Set<string>()
  const own = tokensIn(turns, told)
  const agents = tokensIn(agentTurns, told)
  const models = new Set(turns.flatMap(({ replies }) => replies.flatMap(({ model }) => model ?? [])))
  models.delete('<synthetic>')
  // The same records as of the time at work, which is then never longer.
  const times = turns.flatMap(({ records, toolCalls }) => workTimes(records, toolCalls).times)
  return {
    models: [...models],
    startedMs: times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other)),
    endedMs: times.length === 0 ? null : times.reduce((one, other) => Math.max(one, other)),
    workedMs: activeTimeOf(turns),
    inputTokens: own.input,
    outputTokens: own.output,
    agentInputTokens: agents.input,
    agentOutputTokens: agents.output,
    turnsShown: turns.length,
  }
}

/** Each message once, also where Turns share one. */
function tokensIn(turns: readonly Turn[], told: Set<string>): { readonly input: number; readonly output: number } {
  const replies = new Map(turns.flatMap((turn) => turn.replies.map((reply) => [reply.messageId, reply] as const)))
  let input = 0
  let output = 0
  for (const [messageId, { usage }] of replies) {
    if (told.has(messageId)) continue
    told.add(messageId)
    input += (usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0)
    output += usage?.outputTokens ?? 0
  }
  return { input, output }
}

/** From the Prompt to the last that Claude or one of its tools did: a compaction the next morning is not work. */
export function workedFor(turn: Turn): number | null {
  const ended = answeredMs(turn)
  return turn.startedMs === null || ended === null ? null : Math.max(0, ended - turn.startedMs)
}

function answeredMs({ records }: Turn): number | null {
  let last: number | null = null
  for (const { envelope } of records) {
    const { kind, timestampMs } = envelope
    if ((kind === 'reply' || kind === 'tool-result') && timestampMs !== null)
      last = Math.max(last ?? timestampMs, timestampMs)
  }
  return last
}

export function titleOfHead({ title, agentId }: ExportHead): string {
  return safeLine(title) || (agentId === null ? '(no title)' : 'Subagent')
}

/** The facts in a few words each, the most telling first. */
export function headFacts(head: ExportHead): readonly string[] {
  const { gitBranch, turns, turnsShown, branches } = head
  return [
    safeLine(head.project),
    gitBranch === null ? '' : safeLine(gitBranch),
    period(head),
    turnsShown === turns ? counted(turns, 'turn') : `${count(turnsShown)} of ${counted(turns, 'turn')}`,
    branches < 2
      ? ''
      : head.branch > 0
        ? `branch ${head.branch}`
        : counted(branches - 1, 'other branch', 'other branches'),
    head.reading === 'context' ? 'as the model saw it' : '',
    head.models.map(safeLine).join(', '),
    head.workedMs === 0 ? '' : `${duration(head.workedMs)} of work`,
    tokenFact(head),
  ].filter((fact) => fact !== '')
}

/** Whoever adds up other numbers has to know which these are: other branches and turns that are not shown cost too. */
function tokenFact({ inputTokens, outputTokens, agentInputTokens, agentOutputTokens }: ExportHead): string {
  if (outputTokens === 0 && agentOutputTokens === 0) return ''
  const own = `these turns: ${count(inputTokens)} tokens in, ${count(outputTokens)} out`
  if (agentOutputTokens === 0) return own
  return `${own}; their subagents: ${count(agentInputTokens)} in, ${count(agentOutputTokens)} out`
}

function period({ startedMs, endedMs }: ExportHead): string {
  const [from, to] = [dayAndTime(startedMs), dayAndTime(endedMs)]
  if (from === null || to === null || from === to) return from === null ? '' : `${from} UTC`
  return from.slice(0, 10) === to.slice(0, 10) ? `${from} – ${to.slice(11)} UTC` : `${from} – ${to} UTC`
}

/** `2026-10-27 09:12`, in UTC. */
export function dayAndTime(ms: number | null): string | null {
  return iso(ms)?.slice(0, 16).replace('T', ' ') ?? null
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** One sentence about what is not here. */
export function leftOut({ choice }: ExportHead): string {
  const parts = [
    choice.tools === 'none' ? 'tool calls' : choice.tools === 'lines' ? 'what tools were given and printed' : '',
    choice.thinking ? '' : 'thinking',
    choice.subagents ? '' : 'the work of subagents',
    choice.client ? '' : 'the client’s own prompts',
  ].filter((part) => part !== '')
  const list = parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  if (choice.detail === 'full') return list === '' ? 'Everything is here.' : `Left out: ${list}.`
  return `Prompts in full, Claude condensed. Left out: ${list}.`
}
