import { contentFacts } from './content.ts'
import { object } from './fields.ts'
import type { Body, Links, Usage } from './model.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { addFork } from './user.ts'

export function assistantFacts(body: Body): TypeFacts {
  const message = object(body['message'])
  if (message === null) return { ...NO_FACTS, kind: 'reply', author: 'model' }
  const { id, model, stop_reason: stopReason } = message
  const { blocks, toolUses, toolResults } = contentFacts(message['content'])
  return {
    kind: 'reply',
    subtype: null,
    injection: null,
    author: model === '<synthetic>' ? 'harness' : 'model',
    uuid: null,
    parentUuid: null,
    isMeta: false,
    messageId: typeof id === 'string' ? id : null,
    model: typeof model === 'string' ? model : null,
    stopReason: typeof stopReason === 'string' ? stopReason : null,
    blocks,
    toolUses,
    toolResults,
    usage: usageOf(message['usage']),
    boundary: null,
    links: assistantLinks(body),
  }
}

export function usageOf(value: unknown): Usage | null {
  const usage = object(value)
  if (usage === null) return null
  const cacheWrite = object(usage['cache_creation'])
  return {
    inputTokens: tokens(usage['input_tokens']),
    outputTokens: tokens(usage['output_tokens']),
    cacheReadTokens: tokens(usage['cache_read_input_tokens']),
    cacheWriteTokens: tokens(usage['cache_creation_input_tokens']),
    cacheWrite1hTokens: cacheWrite === null ? 0 : tokens(cacheWrite['ephemeral_1h_input_tokens']),
  }
}

function assistantLinks(body: Body): Links | null {
  if (body['forkedFrom'] === undefined) return null
  const links = {}
  addFork(body, links)
  return links
}

function tokens(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
