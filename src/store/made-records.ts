// Client records for a record of the event-log dialect that no client ever wrote: one for each Block of a reply, each
// below the one before it, with all the fields around them that a client expects.

import { list, number, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import type { ApiUsage, Surroundings } from './client-record.ts'
import {
  boundaryBody,
  chainRecord,
  DEFAULT_REPLY,
  promptBody,
  recapBody,
  replyBodies,
  resultBody,
} from './client-record.ts'
import { modelUsageOf, respelled } from './dialect-records.ts'

export interface MakingOptions {
  readonly sessionId: string
  readonly cwd: string
  readonly newId: () => string
  /** Of the client whose format it is. */
  readonly version: string
}

export interface MadeState {
  previousUuid: string | null
  timestamp: string
  promptId: string | null
  /** Null when the model is not speaking: what it says next is another message. */
  messageId: string | null
  blocks: number
  /** Which record called a tool, by the id of the call. */
  readonly callers: Map<string, string>
}

export function newMadeState(): MadeState {
  const timestamp = new Date(0).toISOString()
  return { previousUuid: null, timestamp, promptId: null, messageId: null, blocks: 0, callers: new Map() }
}

/** A call that stood in a message before is not made again: the API refuses two of one id. */
export function isConvertible(log: Body, { callers }: MadeState): boolean {
  switch (log['type']) {
    case 'message':
      return log['role'] === 'user' || log['role'] === 'assistant'
    case 'tool_use':
      return !callers.has(text(respelled(log)['toolUseId']) ?? '')
    default:
      return ['tool_result', 'compaction', 'session_end'].includes(text(log['type']) ?? '')
  }
}

export function makeRecords(given: Body, state: MadeState, options: MakingOptions): readonly Body[] {
  const log = respelled(given)
  state.timestamp = text(log['timestamp']) ?? state.timestamp
  if (log['type'] === 'session_end') return [costState(log, options.sessionId)]
  if (log['type'] === 'compaction') return compaction(log, state, options)
  if (log['type'] === 'tool_use') {
    const block = { type: 'tool_use', id: log['toolUseId'], name: log['toolName'], input: log['toolInput'] }
    return reply(log, [block], state, options)
  }
  if (log['type'] === 'message' && log['role'] === 'assistant') {
    state.messageId = null
    const content = log['content']
    return reply(log, list(content) ?? [{ type: 'text', text: textOf(content) }], state, options)
  }
  state.messageId = null
  const promptId = state.promptId ?? options.newId()
  state.promptId = promptId
  if (log['type'] === 'tool_result') {
    const toolUseId = text(log['toolUseId']) ?? ''
    const result = { toolUseId, content: log['content'], isError: log['isError'] === true }
    const caller = state.callers.get(toolUseId) ?? state.previousUuid ?? ''
    return [place(resultBody(result, caller, promptId), state, options)]
  }
  const content = list(log['content']) ?? textOf(log['content'])
  if (Array.isArray(content) && content.some((block) => object(block)?.['type'] === 'tool_result'))
    return [place({ type: 'user', promptId, message: { role: 'user', content } }, state, options)]
  state.promptId = options.newId()
  return [place(promptBody(content, state.promptId, true), state, options)]
}

function reply(log: Body, blocks: readonly unknown[], state: MadeState, options: MakingOptions): readonly Body[] {
  if (state.messageId === null) state.blocks = 0
  state.messageId ??= text(log['messageId']) ?? `msg_${options.newId()}`
  const model = text(log['model']) ?? DEFAULT_REPLY.model
  const usage = (object(log['usage']) as ApiUsage | null) ?? DEFAULT_REPLY.usage
  const facts = { ...DEFAULT_REPLY, messageId: state.messageId, model, usage }
  const bodies = replyBodies(blocks, facts)
  if (bodies.length > 0) {
    return bodies.map((body, at) => {
      const record = place({ ...body, apiBlockIndex: state.blocks++ }, state, options)
      const block = object(blocks[at])
      const id = block?.['type'] === 'tool_use' ? text(block['id']) : null
      if (id !== null) state.callers.set(id, text(record['uuid']) ?? '')
      return record
    })
  }
  // A message without Blocks is one all the same.
  const { messageId: id } = state
  return [
    place(
      { type: 'assistant', message: { id, type: 'message', role: 'assistant', model, content: [], usage } },
      state,
      options,
    ),
  ]
}

function compaction(log: Body, state: MadeState, options: MakingOptions): readonly Body[] {
  state.messageId = null
  const preTokens = number(log['preTokens']) ?? 0
  const saved = number(log['tokensSaved'])
  const postTokens = number(log['postTokens']) ?? (saved === null ? null : preTokens - saved)
  const summary = text(log['summary'])
  const recapUuid = options.newId()
  const body = boundaryBody({
    trigger: log['trigger'] === 'manual' ? 'manual' : 'auto',
    preTokens,
    logicalParentUuid: state.previousUuid,
    preserved: [],
    recapUuid,
  })
  const compactMetadata = { ...object(body['compactMetadata']), ...(postTokens === null ? {} : { postTokens }) }
  state.previousUuid = null
  const boundary = place({ ...body, compactMetadata }, state, options)
  if (summary === null) return [boundary]
  state.promptId ??= options.newId()
  return [boundary, place(recapBody(summary, state.promptId), state, options, recapUuid)]
}

function costState(log: Body, sessionId: string): Body {
  return {
    type: 'cost-state',
    sessionId,
    totalCostUSD: log['cost'],
    totalAPIDuration: 0,
    totalAPIDurationWithoutRetries: 0,
    totalToolDuration: 0,
    totalLinesAdded: 0,
    totalLinesRemoved: 0,
    totalDuration: log['durationMs'],
    modelUsage: modelUsageOf(log),
    hasUnknownModelCost: false,
  }
}

function place(body: Body, state: MadeState, options: MakingOptions, uuid = options.newId()): Body {
  const { sessionId, cwd, version } = options
  const around: Surroundings = { sessionId, cwd, gitBranch: '', version, agentId: null }
  const { previousUuid: parentUuid, timestamp } = state
  state.previousUuid = uuid
  return chainRecord(around, { uuid, parentUuid, timestamp }, body)
}

function textOf(content: unknown): string {
  return text(content) ?? (content === undefined || content === null ? '' : JSON.stringify(content))
}
