// Which tool call started which subagent. Clients have said so in five ways: the agent's meta file, the structured tool
// result, its text, progress records, or not at all, when only the prompt that was handed over tells.

import type { Envelope } from '../record/model.ts'
import type { AgentMeta } from '../source/model.ts'
import type { Subagent } from './model.ts'

export interface AgentTranscript {
  readonly agentId: string
  readonly path: string
  readonly isInline: boolean
  readonly workflowId: string | null
  readonly sizeBytes: number
  readonly meta: AgentMeta | null
  readonly envelopes: readonly Envelope[]
}

export interface LinkedAgents {
  readonly subagents: readonly Subagent[]
  readonly agentOfCall: ReadonlyMap<string, string>
}

const NO_AGENTS: LinkedAgents = { subagents: [], agentOfCall: new Map() }

export function linkSubagents(main: readonly Envelope[], agents: readonly AgentTranscript[]): LinkedAgents {
  if (agents.length === 0) return NO_AGENTS
  const calls = callsOf(main, agents)
  const callOfAgent = new Map<string, string>()
  for (const { agentId, meta } of agents) if (meta?.toolUseId != null) callOfAgent.set(agentId, meta.toolUseId)
  for (const { agentId, toolUseId } of reports(main, agents)) {
    if (!callOfAgent.has(agentId)) callOfAgent.set(agentId, toolUseId)
  }
  linkByPrompt(agents, calls, callOfAgent)
  const parentOf = new Map<string, string | null>()
  for (const { agentId, meta } of agents) {
    const call = calls.get(callOfAgent.get(agentId) ?? '')
    parentOf.set(agentId, meta?.parentAgentId ?? call?.owner ?? null)
  }
  const agentOfCall = new Map<string, string>()
  for (const [agentId, toolUseId] of callOfAgent) if (!agentOfCall.has(toolUseId)) agentOfCall.set(toolUseId, agentId)
  const subagents = agents.map((agent) => {
    const toolUseId = callOfAgent.get(agent.agentId) ?? null
    return subagentOf(agent, toolUseId, calls.get(toolUseId ?? '')?.agentType ?? null, parentOf)
  })
  return { subagents: subagents.sort((one, other) => one.depth - other.depth), agentOfCall }
}

interface Call {
  /** The agent that made the call; null for the main conversation. */
  readonly owner: string | null
  readonly promptKey: number | null
  readonly agentType: string | null
}

function callsOf(main: readonly Envelope[], agents: readonly AgentTranscript[]): ReadonlyMap<string, Call> {
  const calls = new Map<string, Call>()
  for (const [owner, envelopes] of eachPart(main, agents)) {
    for (const { toolUses, isSidechain } of envelopes) {
      // Inline agents come as parts of their own; in the main file they are passed over.
      if (isSidechain) continue
      for (const { id, promptKey, agentType } of toolUses)
        if (!calls.has(id)) calls.set(id, { owner, promptKey: promptKey ?? null, agentType: agentType ?? null })
    }
  }
  return calls
}

function* reports(main: readonly Envelope[], agents: readonly AgentTranscript[]): Generator<Report> {
  for (const [, envelopes] of eachPart(main, agents)) {
    for (const { links, toolResults } of envelopes) {
      const agentId = links?.spawnedAgentId
      const toolUseId = toolResults[0]?.id ?? links?.parentToolUseId
      if (agentId !== undefined && toolUseId !== undefined) yield { agentId, toolUseId }
    }
  }
}

interface Report {
  readonly agentId: string
  readonly toolUseId: string
}

function eachPart(
  main: readonly Envelope[],
  agents: readonly AgentTranscript[],
): readonly (readonly [string | null, readonly Envelope[]])[] {
  return [[null, main], ...agents.map((agent) => [agent.agentId, agent.envelopes] as const)]
}

function linkByPrompt(
  agents: readonly AgentTranscript[],
  calls: ReadonlyMap<string, Call>,
  callOfAgent: Map<string, string>,
): void {
  const taken = new Set(callOfAgent.values())
  const open = new Map<number, string[]>()
  for (const [id, { promptKey }] of calls) {
    if (promptKey === null || taken.has(id)) continue
    const same = open.get(promptKey)
    if (same === undefined) open.set(promptKey, [id])
    else same.push(id)
  }
  for (const { agentId, envelopes } of agents) {
    if (callOfAgent.has(agentId)) continue
    const key = envelopes.find((envelope) => envelope.kind === 'prompt')?.links?.textKey
    const id = key === undefined ? undefined : open.get(key)?.shift()
    if (id !== undefined) callOfAgent.set(agentId, id)
  }
}

/** Older clients keep no meta file: there the call alone says of what type the agent was. */
function subagentOf(
  agent: AgentTranscript,
  toolUseId: string | null,
  calledType: string | null,
  parentOf: ReadonlyMap<string, string | null>,
): Subagent {
  const { agentId, path, isInline, workflowId, sizeBytes, meta, envelopes } = agent
  let turns = 0
  for (const { kind } of envelopes) if (kind === 'prompt') turns++
  return {
    agentId,
    type: meta?.agentType ?? calledType,
    description: meta?.description ?? null,
    toolUseId,
    parentAgentId: parentOf.get(agentId) ?? null,
    depth: depthOf(agentId, parentOf),
    path,
    isInline,
    workflowId,
    turns,
    records: envelopes.length,
    sizeBytes,
  }
}

function depthOf(agentId: string, parentOf: ReadonlyMap<string, string | null>): number {
  const seen = new Set<string>()
  let depth = 1
  let at = parentOf.get(agentId) ?? null
  // A parent that is not among the agents (its file is gone) still counts as a level.
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    depth++
    at = parentOf.get(at) ?? null
  }
  return depth
}
