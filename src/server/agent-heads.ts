// The Subagents of a conversation with what they took: time, tokens, money. Each API message counts once.

import type { Woven } from '../conversation/build.ts'
import { costOf, findPrice, LIST_PRICES, longPromptOf } from '../digest/prices.ts'
import type { Envelope, Usage } from '../record/model.ts'
import { highestUsage } from '../record/usage-record.ts'
import type { SubagentHead } from './api/conversation.ts'

export function agentHeads({ agents, source, inline }: Woven): readonly SubagentHead[] {
  const envelopesOf = new Map([...source.agents, ...inline].map(({ agentId, envelopes }) => [agentId, envelopes]))
  return agents.subagents.map((agent) => {
    const { agentId, type, description, toolUseId, parentAgentId, depth, turns, records, sizeBytes } = agent
    const envelopes = envelopesOf.get(agentId) ?? []
    const head = { agentId, type, description, toolUseId, parentAgentId, depth, turns, records, sizeBytes }
    return { ...head, ...timesOf(envelopes), ...tokensOf(envelopes) }
  })
}

export function timesOf(envelopes: readonly Envelope[]): Pick<SubagentHead, 'startedMs' | 'endedMs'> {
  let startedMs: number | null = null
  let endedMs: number | null = null
  for (const { timestampMs } of envelopes) {
    if (timestampMs === null) continue
    startedMs = Math.min(startedMs ?? timestampMs, timestampMs)
    endedMs = Math.max(endedMs ?? timestampMs, timestampMs)
  }
  return { startedMs, endedMs }
}

function tokensOf(envelopes: readonly Envelope[]): Pick<SubagentHead, 'costUsd' | 'outputTokens'> {
  const messages = new Map<string, { readonly model: string | null; readonly usage: Usage }>()
  for (const { messageId, model, usage } of envelopes) {
    if (usage === null || messageId === null || model === '<synthetic>') continue
    const known = messages.get(messageId)
    messages.set(messageId, { model, usage: known === undefined ? usage : highestUsage(known.usage, usage) })
  }
  let costUsd: number | null = 0
  let outputTokens = 0
  for (const { model, usage } of messages.values()) {
    outputTokens += usage.outputTokens
    const sent = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens
    const price = findPrice(LIST_PRICES, model, null, sent > longPromptOf(LIST_PRICES, model))
    costUsd = costUsd === null || price === null ? null : costUsd + costOf(price, usage)
  }
  return { costUsd, outputTokens }
}
