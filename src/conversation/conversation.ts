// The whole Conversation as plain readonly JSON. Every record of the session's own file is in it exactly once: in a Turn
// of one Branch, with a Subagent kept inline, among the metadata, as a replay of another, or as an undelivered prompt.

import type { Woven } from './build.ts'
import { conversationProblems } from './build.ts'
import type { Conversation, PlacedRecord } from './model.ts'
import { branchesOfConversation } from './reading.ts'
import { titleOf } from './title.ts'

export function conversationOf(woven: Woven): Conversation {
  const { source, own, undelivered } = woven
  const queued = new Set(undelivered.map(({ envelope }) => envelope))
  const metadata: PlacedRecord[] = []
  for (const { transcript, envelope } of own.loose) if (!queued.has(envelope)) metadata.push({ transcript, envelope })
  const replays = own.nodes.flatMap(({ transcript, copies }) => copies.map((envelope) => ({ transcript, envelope })))
  return {
    sessionId: source.sessionId,
    projectKey: source.projectKey,
    transcripts: [source.main, ...source.earlier].map(({ path, sessionId }) => ({ path, sessionId })),
    title: titleOf(source.main.labels, source.sidecarTitle),
    continues: source.relation.continues,
    forkOf: source.relation.forkOf,
    branches: branchesOfConversation(woven),
    subagents: woven.agents.subagents,
    metadata,
    replays,
    queuedPrompts: undelivered.map(({ transcript, envelope }) => ({ transcript, envelope })),
    problems: conversationProblems(woven),
  }
}
