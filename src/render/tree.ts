// A Conversation's shape: its Session, where Branches leave it, its Segments and its Subagents.

import { excerpt } from '../base/text.ts'
import type { BranchShape, SegmentShape } from '../conversation/branch-shape.ts'
import type { Subagent } from '../conversation/model.ts'
import type { Style } from './style.ts'
import { safeLine, safeName } from './terminal.ts'
import { tokensAroundText } from './tokens-around.ts'
import { counted } from './units.ts'
import { cutTo } from './width.ts'

export interface TreeSession {
  readonly sessionId: string
  readonly title: string
  readonly path: string
  readonly continues: string | null
  readonly forkOf: string | null
  readonly branches: readonly BranchShape[]
  readonly subagents: readonly Subagent[]
  /** Sessions that continue or fork this one. */
  readonly children: readonly { readonly sessionId: string; readonly relation: 'continues' | 'forkOf' }[]
}

export function treeText(session: TreeSession, head: string, columns: number, style: Style): string {
  const lines = [head]
  if (session.forkOf !== null) lines.push(style.dim(`forked from ${safeName(session.forkOf)}`))
  if (session.continues !== null) lines.push(style.dim(`continues ${safeName(session.continues)}`))
  const nodes: Node[] = [
    ...session.branches.map((branch) => branchNode(branch)),
    ...agentNodes(session.subagents, null),
    ...session.children.map(({ sessionId, relation }) => ({
      text: `${relation === 'forkOf' ? 'fork' : 'continuation'} ${safeName(sessionId)}`,
      below: [],
    })),
  ]
  return [...lines, ...draw(nodes).map((line) => cutTo(line, columns))].join('\n')
}

interface Node {
  readonly text: string
  readonly below: readonly Node[]
}

function branchNode(branch: BranchShape): Node {
  const from =
    branch.forkUuid === null
      ? branch.isLive
        ? ''
        : ', from the very beginning'
      : `, leaves branch ${branch.parent} at ${safeName(excerpt(branch.forkUuid, 8))}`
  const state = branch.isLive ? 'live' : 'abandoned'
  return {
    text: `branch ${branch.number} (${state}${from}): ${counted(branch.turns, 'turn')}`,
    below: branch.segments.length < 2 ? [] : branch.segments.map(segmentNode),
  }
}

function segmentNode(segment: SegmentShape): Node {
  const { number, trigger, turns } = segment
  const tokens = tokensAroundText(segment)
  const after = `after compaction${trigger ? ` (${safeLine(trigger)})` : ''}${tokens === null ? '' : `, ${tokens}`}`
  const origin = number === 0 ? 'start' : after
  return { text: `segment ${number}: ${origin}, ${counted(turns, 'turn')}`, below: [] }
}

/** Agents below agents; one that names itself as an ancestor is shown once, at the top. */
function agentNodes(agents: readonly Subagent[], parent: string | null): readonly Node[] {
  const known = new Set(agents.map((agent) => agent.agentId))
  const byParent = new Map<string | null, Subagent[]>()
  for (const agent of agents) {
    const above = agent.parentAgentId !== null && known.has(agent.parentAgentId) ? agent.parentAgentId : null
    const siblings = byParent.get(above)
    if (siblings === undefined) byParent.set(above, [agent])
    else siblings.push(agent)
  }
  const placed = new Set<string>()
  const build = (above: string | null, depth: number): readonly Node[] =>
    (byParent.get(above) ?? [])
      .filter((agent) => !placed.has(agent.agentId) && depth < 200)
      .map((agent) => {
        placed.add(agent.agentId)
        return { text: agentText(agent), below: build(agent.agentId, depth + 1) }
      })
  const nodes = build(parent, 0)
  const lost = agents
    .filter((agent) => !placed.has(agent.agentId))
    .map((agent) => ({ text: agentText(agent), below: [] }))
  return [...nodes, ...lost]
}

function agentText(agent: Subagent): string {
  const what = safeLine([agent.type, agent.description].filter((part) => part !== null).join(': '))
  const link = agent.toolUseId === null && agent.workflowId === null ? ', no call refers to it' : ''
  // What may be long comes last: it is cut where the line is.
  return `agent ${safeName(agent.agentId)} (${counted(agent.records, 'record')}${link}) ${what}`.trimEnd()
}

function draw(nodes: readonly Node[], lead = ''): readonly string[] {
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1
    return [`${lead}${isLast ? '└─ ' : '├─ '}${node.text}`, ...draw(node.below, `${lead}${isLast ? '   ' : '│  '}`)]
  })
}
