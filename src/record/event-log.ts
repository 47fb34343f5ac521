// The event-log dialect (session_start, message, tool_use, tool_result, compaction, session_end): no client writes it,
// tools and courses do. It has no uuids, so each record gets one from its place in the file, and the record before it
// as parent. From here on nobody needs to know that the dialect exists.

import { usageOf } from './assistant.ts'
import { userAuthorship } from './authorship.ts'
import { contentFacts } from './content.ts'
import { text } from './fields.ts'
import type { Body, Links } from './model.ts'
import { tokensAround } from './tokens-around.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS, NONE } from './type-facts.ts'

export interface EventLogState {
  previousUuid: string | null
}

export function eventLogFacts(type: string, body: Body, offset: number, state: EventLogState): TypeFacts | null {
  if (type === 'session_start' || type === 'session_end') {
    if (type === 'session_start') state.previousUuid = null
    return { ...NO_FACTS, kind: 'metadata', author: 'harness', links: sessionLinks(body) }
  }
  const facts = chainFacts(type, body)
  // One that has a uuid has a parent of its own too.
  if (facts === null || typeof body['uuid'] === 'string') return facts
  const parentUuid = state.previousUuid
  // With the session in it, so that two files of the dialect can be joined.
  const uuid = `event-log:${text(body['sessionId']) ?? ''}:${offset}`
  state.previousUuid = uuid
  return { ...facts, uuid, parentUuid }
}

function chainFacts(type: string, body: Body): TypeFacts | null {
  switch (type) {
    case 'message':
      return messageFacts(body)
    case 'tool_use': {
      const toolUse = { id: toolUseId(body), name: text(body['toolName']) ?? text(body['name']) ?? '' }
      return { ...NO_FACTS, kind: 'reply', author: 'model', blocks: ['tool_use'], toolUses: [toolUse] }
    }
    case 'tool_result': {
      const isError = body['is_error'] === true || body['isError'] === true
      const toolResults = [{ id: toolUseId(body), isError }]
      return { ...NO_FACTS, kind: 'tool-result', author: 'tool', blocks: ['tool_result'], toolResults }
    }
    case 'compaction': {
      const boundary = { trigger: text(body['trigger']), ...tokensAround(body), preserved: null }
      return { ...NO_FACTS, kind: 'boundary', author: 'harness', boundary }
    }
    default:
      return null
  }
}

function messageFacts(body: Body): TypeFacts {
  const { blocks, toolUses, toolResults } = contentFacts(body['content'])
  if (body['role'] === 'assistant') {
    const model = text(body['model'])
    const usage = usageOf(body['usage'])
    return { ...NO_FACTS, kind: 'reply', author: 'model', model, usage, blocks, toolUses, toolResults: NONE }
  }
  const { kind, injection, author } = userAuthorship(body, body['content'])
  return { ...NO_FACTS, kind, injection, author, blocks, toolUses: NONE, toolResults }
}

function toolUseId(body: Body): string {
  return text(body['toolUseId']) ?? text(body['tool_use_id']) ?? text(body['id']) ?? ''
}

function sessionLinks(body: Body): Links | null {
  const parentSessionId = text(body['resumedFrom']) ?? text(body['parentSessionId'])
  return parentSessionId === null ? null : { parentSessionId }
}
