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
  /** Null where there is nothing to tell but tokens. */
  readonly brief: AgentBrief | null
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

/**
 * Those that are not told yet: no call refers to them, or one of another day does. The client warms some up that nobody
 * asks for anything, so only what used a tool is told, but the tokens of all of them count.
 */
export function looseAgents(source: BriefSource, holds: Holds, told: Set<string>): readonly AgentWork[] {
  const { woven } = source
  const transcripts = new Map(
    [...woven.source.agents, ...woven.inline].map((agent) => [agent.agentId, agent.envelopes]),
  )
  return woven.agents.subagents.flatMap(({ agentId }) => {
    const envelopes = transcripts.get(agentId) ?? []
    if (told.has(agentId) || !envelopes.some((envelope) => holds({ transcript: 0, envelope }))) return []
    told.add(agentId)
    return agentWork(agentId, null, source, holds, told).map((agent) =>
      agent.calls.length === 0 ? tokensOnly(agent) : agent,
    )
  })
}

export function tokensOnly({ replies }: AgentWork): AgentWork {
  return { brief: null, calls: [], replies }
}

/** `call` is null where none is known. */
function agentWork(
  agentId: string,
  call: CallFacts | null,
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
  const last = works.flatMap(({ texts }) => texts).at(-1) ?? null
  const brief: AgentBrief = {
    agentId,
    type: known?.type ?? null,
    description: known?.description ?? (call?.subject || null),
    status: call?.status ?? (last === null ? 'pending' : 'ok'),
    report: call?.report ?? last?.lines.join(' ') ?? null,
    toolCalls: calls.length,
    durationMs: woven === null ? null : activeTime(works),
    usage: usageOfReplies(replies),
    cites: joinCites([call?.cites ?? [], places]),
  }
  return [{ brief, calls, replies }, ...below]
}
