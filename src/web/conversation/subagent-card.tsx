// A Subagent beside the call that started it: what it was for and what it cost. It opens in place or on its own page.

import type { JSX } from 'react'
import { Link } from 'wouter'
import type { SubagentHead } from '../../server/api/conversation.ts'
import { counted, money } from '../parts/units.ts'
import { pageOf } from './address.ts'
import { useTalk } from './talk.ts'
import { durationOf, tokensOf } from './words.ts'

export function SubagentCard({
  agent,
  owner,
  row,
}: {
  readonly agent: SubagentHead
  readonly owner: string
  readonly row: number
}): JSX.Element {
  const talk = useTalk()
  const isOpen = talk.isAgentOpen(agent.agentId)
  return (
    <div className="agent-card">
      <button
        type="button"
        className="agent-open"
        aria-expanded={isOpen}
        onClick={() => talk.toggleAgent(agent.agentId, owner, row)}
      >
        <span className="twist" aria-hidden="true" />
        <span className="agent-type">{agent.type ?? 'Subagent'}</span>
        <span className="agent-description">{agent.description ?? agent.agentId}</span>
      </button>
      <p className="agent-facts">
        {agentFacts(agent).join(' · ')} <Link href={pageOf(talk.id, { agent: agent.agentId })}>Open on its own</Link>
      </p>
    </div>
  )
}

export function agentFacts(agent: SubagentHead): readonly string[] {
  const ran = agent.startedMs === null || agent.endedMs === null ? null : durationOf(agent.endedMs - agent.startedMs)
  return [
    counted(agent.turns, 'turn'),
    counted(agent.records, 'record'),
    agent.outputTokens === 0 ? null : `${tokensOf(agent.outputTokens)} tokens out`,
    agent.costUsd === null ? null : money(agent.costUsd),
    ran,
  ].filter((fact) => fact !== null)
}
