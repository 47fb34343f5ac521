// A reference, opened for an export: which Reading of which Branch, and which of its Turns.

import type { Woven } from '../conversation/build.ts'
import type { Subagent, Turn } from '../conversation/model.ts'
import type { BodyOf } from '../conversation/parts.ts'
import type { Reading } from '../conversation/reading.ts'
import { readContextTurns, readFull } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import type { Bodies } from '../load/bodies.ts'
import type { OpenSession } from '../load/session.ts'
import { openSubagent } from '../load/session.ts'
import { exportedTitle } from '../render/export/choice.ts'
import type { ExportHead } from '../render/export/head.ts'
import { turnFacts } from '../render/export/head.ts'
import { counted } from '../render/units.ts'
import type { ExportPlan } from './export-plan.ts'
import { Failure } from './failure.ts'
import { located } from './located.ts'
import type { Referenced } from './reference.ts'
import { subagentOf } from './reference.ts'

export interface Opened {
  readonly session: OpenSession
  readonly agent: Subagent | null
  readonly woven: Woven
  readonly reading: Reading
  readonly turns: readonly Turn[]
  /** Not all of the conversation was asked for. */
  readonly isNarrowed: boolean
  readonly head: ExportHead
}

export function openForExport({ session, agentId, record }: Omit<Referenced, 'isByPath'>, plan: ExportPlan): Opened {
  const opened = agentId === null ? null : subagentOf(session, agentId, 'resume')
  const woven = opened?.woven ?? session.woven
  const at = record === null ? null : located(woven, record)
  const branch = branchOf(plan, woven, at?.branch ?? 0)
  const reading = plan.reading === 'full' ? readFull(woven, branch) : readContextTurns(woven)
  const turns =
    at === null ? chosenTurns(reading, plan) : reading.turns.filter((turn) => turn.number === at.turn.number)
  if (turns.length === 0) throw new Failure(noTurn(reading, plan))
  const agent = opened?.agent ?? null
  const isNarrowed = plan.reading === 'context' || plan.branch !== null || turns.length < reading.turns.length
  return {
    session,
    agent,
    woven,
    reading,
    turns,
    isNarrowed,
    head: headOf(session, woven, agent, reading, turns, plan),
  }
}

function branchOf(plan: ExportPlan, woven: Woven, found: number): number {
  if (plan.branch === null) return plan.reading === 'full' ? found : 0
  if (plan.branch > 0 && plan.reading === 'context')
    throw new Failure('the context reading follows the live tip; --branch needs --reading full')
  const branches = woven.outline.branches.length
  if (plan.branch < branches) return plan.branch
  throw new Failure(
    `there is no branch ${plan.branch}; the conversation has ${counted(branches, 'branch', 'branches')}, from 0`,
  )
}

function chosenTurns(reading: Reading, { turns: range, last }: ExportPlan): readonly Turn[] {
  if (range !== null) return reading.turns.filter(({ number }) => number >= range.from && number <= range.to)
  return last === null ? reading.turns : reading.turns.slice(-last)
}

function noTurn(reading: Reading, { turns }: ExportPlan): string {
  if (reading.turns.length === 0) return 'nothing was said in this conversation'
  const to = turns?.to === Number.POSITIVE_INFINITY ? '' : turns?.to
  return `there is no turn ${turns?.from === turns?.to ? to : `${turns?.from}..${to}`}; the conversation has ${counted(reading.turns.length, 'turn')}`
}

function headOf(
  session: OpenSession,
  woven: Woven,
  agent: Subagent | null,
  reading: Reading,
  turns: readonly Turn[],
  { choice }: ExportPlan,
): ExportHead {
  const summary = summarise(woven, 0)
  const named = [agent?.type, agent?.description].filter((part) => typeof part === 'string').join(': ')
  return {
    ...turnFacts(turns, agentTurns(session, turns)),
    title: agent === null ? exportedTitle(summary.title, choice) : named,
    sessionId: summary.sessionId,
    agentId: agent?.agentId ?? null,
    project: summary.project,
    gitBranch: summary.gitBranch,
    turns: reading.turns.length,
    reading: reading.rule,
    branch: reading.branch,
    branches: woven.outline.branches.length,
    choice,
  }
}

/** The Turns of all Subagents that these Turns started, and of those that they started. */
function agentTurns(session: OpenSession, turns: readonly Turn[]): readonly Turn[] {
  const told = new Set<string>()
  const found: Turn[] = []
  for (let level = turns; level.length > 0; ) {
    const ids = level.flatMap(({ toolCalls }) => toolCalls.flatMap(({ agentId }) => agentId ?? []))
    const fresh = [...new Set(ids)].filter((id) => !told.has(id))
    for (const id of fresh) told.add(id)
    level = fresh.flatMap((id) => {
      const inner = openSubagent(session, id, 'resume')
      return inner === null ? [] : readFull(inner).turns
    })
    found.push(...level)
  }
  return found
}

export function bodiesOf(woven: Woven, bodies: Bodies): BodyOf {
  const paths = [woven.source.main.path, ...woven.source.earlier.map((one) => one.path)]
  return ({ transcript, envelope }) => bodies.read(paths[transcript] ?? '', envelope)
}
