// Everything about one Session, joined: its own transcript, the files it needs for what happened before, its subagents.

import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import type { TipRule } from '../graph/context.ts'
import { liveTip } from '../graph/context.ts'
import type { FullLinks } from '../graph/full-links.ts'
import { bridgeProblems, fullLinks } from '../graph/full-links.ts'
import { keptUuids } from '../graph/kept.ts'
import type { Outline } from '../graph/outline.ts'
import { outlineOf } from '../graph/outline.ts'
import type { Relation } from '../graph/relate.ts'
import type { LooseRecord, Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread } from '../graph/thread.ts'
import type { Labels } from '../record/labels.ts'
import type { Envelope } from '../record/model.ts'
import { isMessage } from '../record/roles.ts'
import { inlineAgents } from './inline-agents.ts'
import { undeliveredPrompts } from './queue.ts'
import type { AgentTranscript, LinkedAgents } from './subagents.ts'
import { linkSubagents } from './subagents.ts'

/** One transcript as the load stage hands it over. */
export interface LoadedTranscript {
  readonly path: string
  readonly sessionId: string
  readonly envelopes: readonly Envelope[]
  readonly problems: readonly Problem[]
  readonly labels: Labels
}

export interface ConversationSource {
  readonly sessionId: string
  readonly projectKey: string
  readonly main: LoadedTranscript
  /** The main transcript's own Thread, where the caller has built it already. */
  readonly own?: Thread
  /** What stands in other files and came before, oldest first; see ancestors.ts. */
  readonly earlier: readonly LoadedTranscript[]
  readonly agents: readonly AgentTranscript[]
  readonly relation: Relation
  /** Where a file goes on from another without naming one of its records (the event-log dialect). */
  readonly joins?: ReadonlyMap<string, string>
  readonly sidecarTitle: string | null
  /** When the client marked it as archived. */
  readonly archivedMs?: number | null
  /** A subagent, seen as a conversation of its own. */
  readonly isSubagent?: boolean
}

/** The working structure behind a Conversation: Readings and counts are taken from it. */
export interface Woven {
  readonly source: ConversationSource
  /** The session's own file alone: what official readers see. */
  readonly own: Thread
  /** With what other files say about earlier. The same object when nothing is needed. */
  readonly joined: Thread
  readonly links: FullLinks
  readonly tipRule: TipRule
  readonly outline: Outline
  readonly agents: LinkedAgents
  /** Inline runs of old clients, beside the agents that have their own file. */
  readonly inline: readonly AgentTranscript[]
  readonly undelivered: readonly LooseRecord[]
}

export function weave(source: ConversationSource, tipRule: TipRule): Woven {
  const { main, earlier } = source
  const own = source.own ?? buildThread([{ transcript: 0, envelopes: main.envelopes }])
  const joined = earlier.length === 0 ? own : joinThreads(source)
  const links = fullLinks(joined, source.joins)
  const outline = outlineOf(joined, links.parents, outlineTip(own, joined, tipRule))
  const inline = inlineAgents(joined, links, outline.sidechain, main.path)
  const agents = linkSubagents(main.envelopes, [...source.agents, ...inline])
  return { source, own, joined, links, tipRule, outline, agents, inline, undelivered: undeliveredPrompts(own) }
}

export function conversationProblems(woven: Woven): readonly Problem[] {
  const { source, joined, links } = woven
  const paths = [source.main.path, ...source.earlier.map((one) => one.path)]
  const bridged = bridgeProblems(joined, links, paths).filter((one) => one.position?.path === source.main.path)
  return [
    ...source.main.problems,
    ...bridged,
    ...differingCopies(woven),
    ...missingKept(woven),
    ...unlinkedAgents(woven),
  ]
}

function joinThreads(source: ConversationSource): Thread {
  const parts = source.earlier.map((one, index) => ({ transcript: index + 1, envelopes: one.envelopes }))
  return buildThread([...parts, { transcript: 0, envelopes: source.main.envelopes }])
}

/** Where official readers find no tip (a cycle, say), the last message in the file is still somebody's last word. */
function outlineTip(own: Thread, joined: Thread, tipRule: TipRule): number | null {
  const tip = liveTip(own, tipRule)
  if (tip !== null) return joined.byUuid.get((own.nodes[tip] as ThreadNode).uuid) ?? null
  for (let index = joined.nodes.length - 1; index >= 0; index--) {
    const { first } = joined.nodes[index] as ThreadNode
    if (isMessage(first) && !first.isSidechain) return index
  }
  return null
}

function differingCopies(woven: Woven): readonly Problem[] {
  const problems: Problem[] = []
  const kept = keptUuids(woven.own)
  for (const { first, copies, uuid } of woven.own.nodes) {
    for (const copy of copies) {
      // What a compaction keeps the client may write again, with another word or two about itself.
      if (sameFacts(first, kept.has(uuid) ? { ...copy, length: first.length } : copy)) continue
      const { line, offset, length } = copy
      const position = { path: woven.source.main.path, line, offset, length }
      problems.push(
        problem('copy-differs', position, `another copy of ${uuid} (line ${first.line}) with other content`),
      )
    }
  }
  return problems
}

/** A message that a compaction says it kept, but that is in no record: the model saw it, nobody else will. */
function missingKept(woven: Woven): readonly Problem[] {
  const problems: Problem[] = []
  for (const { first } of woven.own.nodes) {
    const missing = first.boundary?.preserved?.uuids?.filter((uuid) => !woven.own.byUuid.has(uuid)) ?? []
    if (missing.length === 0) continue
    const { line, offset, length } = first
    const position = { path: woven.source.main.path, line, offset, length }
    problems.push(
      problem(
        'preserved-missing',
        position,
        `a compaction names ${missing[0]} as kept, which is not in the file`,
        missing.length,
      ),
    )
  }
  return problems
}

function sameFacts(one: Envelope, other: Envelope): boolean {
  const at = { line: 0, offset: 0 }
  return JSON.stringify({ ...one, ...at }) === JSON.stringify({ ...other, ...at })
}

function unlinkedAgents(woven: Woven): readonly Problem[] {
  return woven.agents.subagents
    .filter((agent) => agent.toolUseId === null && agent.workflowId === null)
    .map(({ path, agentId }) => {
      const position = { path, line: 1, offset: 0, length: 0 }
      return problem('unlinked-subagent', position, `no tool call refers to the subagent ${agentId}`)
    })
}
