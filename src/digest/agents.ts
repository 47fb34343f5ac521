// What Subagents did for a Turn, gathered to any depth. Their files and commands count as the Turn's own.

import type { Subagent } from '../conversation/model.ts'
import { readFull } from '../conversation/reading.ts'
import { activeTime } from './active.ts'
import type { CallFacts } from './call.ts'
import { cite, joinCites } from './citation.ts'
import type { AgentBrief, Citation } from './model.ts'
import { usageOfReplies } from './tokens.ts'
import type { BriefSource, Holds, ReplyFact, Work } from './work.ts'
import { turnWork } from './work.ts'

export interface AgentWork {
  readonly brief: AgentBrief
  readonly calls: readonly CallFacts[]
  readonly replies: readonly ReplyFact[]
}

/** `told` holds the agents that are in a Brief already: each is counted once, however many calls name it. */
export function agentsOfWork(work: Work, source: BriefSource, holds: Holds, told: Set<string>): readonly AgentWork[] {
  return work.calls.flatMap((call) => {
    const workflow = source.woven.agents.subagents.filter(
      ({ workflowId }) => workflowId !== null && workflowId === call.workflowId,
    )
    const ids = call.agentId === null ? workflow.map(({ agentId }) => agentId) : [call.agentId]
    return ids.flatMap((agentId) => {
      if (told.has(agentId)) return []
      told.add(agentId)
      return agentWork(agentId, call, source, holds, told)
    })
  })
}

function agentWork(
  agentId: string,
  call: CallFacts,
  source: BriefSource,
  holds: Holds,
  told: Set<string>,
): readonly AgentWork[] {
  const known: Subagent | undefined = source.woven.agents.subagents.find((one) => one.agentId === agentId)
  const woven = source.openAgent(agentId)
  const works: Work[] = []
  const below: AgentWork[] = []
  const places: Citation[] = []
  if (woven !== null) {
    const inner: BriefSource = { ...source, woven }
    for (const turn of readFull(woven).turns) {
      const work = turnWork(turn, inner, holds)
      works.push(work)
      below.push(...agentsOfWork(work, inner, holds, told))
    }
    const { path, envelopes } = woven.source.main
    for (const envelope of [envelopes[0], envelopes.at(-1)])
      if (envelope !== undefined) places.push(cite(path, envelope))
  }
  const calls = works.flatMap((work) => work.calls)
  const replies = works.flatMap((work) => work.replies)
  const report =
    call.report ??
    works
      .flatMap(({ texts }) => texts)
      .at(-1)
      ?.lines.join(' ') ??
    null
  const brief: AgentBrief = {
    agentId,
    type: known?.type ?? null,
    description: known?.description ?? (call.subject === '' ? null : call.subject),
    status: call.status,
    report,
    toolCalls: calls.length,
    durationMs: woven === null ? null : activeTime(works),
    usage: usageOfReplies(replies),
    cites: joinCites([call.cites, places]),
  }
  return [{ brief, calls, replies }, ...below]
}
