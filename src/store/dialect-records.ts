// The words that a client's records and the event-log dialect have in common, one way and the other. What only one of
// them can say is not in here: whoever converts keeps it beside the record.

import { list, number, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'

/** What a record of the dialect needs to know of those before it. */
export interface LogState {
  /** When each tool was called, by the id of the call. */
  readonly calledAt: Map<string, string>
  timestamp: string | null
}

/** Ids and the like, for which the dialect has no words. They go along under the key `clew`. */
export interface Kept {
  readonly uuid?: unknown
  readonly parentUuid?: unknown
  readonly messageId?: unknown
  readonly model?: unknown
  readonly usage?: unknown
  readonly recapUuid?: unknown
}

export function newLogState(): LogState {
  return { calledAt: new Map(), timestamp: null }
}

/** In words of the dialect: one client record, a boundary with its recap, or all blocks of one reply. Null: no words. */
export function toDialect(group: readonly Body[], sessionId: string, state: LogState): Body | null {
  const [head] = group
  if (head === undefined) return null
  const timestamp = text(head['timestamp'])
  const around = { sessionId, ...(timestamp === null ? {} : { timestamp }) }
  state.timestamp = timestamp ?? state.timestamp
  if (isBoundary(head)) return { type: 'compaction', ...compactionOf(head, group[1]), ...around }
  if (head['type'] === 'cost-state') {
    const last = state.timestamp === null ? {} : { timestamp: state.timestamp }
    return { type: 'session_end', ...endOf(head), ...last, sessionId }
  }
  const type = text(head['type'])
  const content = contentOf(group)
  if ((type !== 'user' && type !== 'assistant') || content === null) return null
  const only = Array.isArray(content) && content.length === 1 ? object(content[0]) : null
  if (type === 'assistant' && only?.['type'] === 'tool_use') {
    const { id: toolUseId, name: toolName, input: toolInput } = only
    if (typeof toolUseId === 'string' && timestamp !== null) state.calledAt.set(toolUseId, timestamp)
    return { type: 'tool_use', ...present({ toolUseId, toolName, toolInput }), ...around }
  }
  if (type === 'user' && only?.['type'] === 'tool_result') {
    const { tool_use_id: toolUseId, content: result, is_error: isError } = only
    const durationMs = durationOf(head, text(toolUseId), state)
    return { type: 'tool_result', ...present({ toolUseId, content: result, isError, durationMs }), ...around }
  }
  return { type: 'message', role: type, content, ...around }
}

export function keptOf(group: readonly Body[]): Kept {
  const [head = {}, recap] = group
  const { uuid, parentUuid } = head
  if (isBoundary(head)) return present({ uuid, parentUuid, recapUuid: recap?.['uuid'] })
  if (head['type'] !== 'assistant') return present({ uuid, parentUuid })
  const { id: messageId, model, usage } = object(head['message']) ?? {}
  return present({ uuid, parentUuid, messageId, model, usage })
}

/** In words of the client: only what the record of the dialect says, and what was kept of it. */
export function toClient(log: Body, kept: Kept, sessionId: string): readonly Body[] {
  const { uuid, parentUuid, messageId, model, usage, recapUuid } = kept
  const placed = present({ uuid, parentUuid, timestamp: log['timestamp'] })
  const record = (own: Body): Body => ({ ...own, ...placed, sessionId })
  const reply = present({ id: messageId, model, usage })
  switch (log['type']) {
    case 'message': {
      const isReply = log['role'] === 'assistant'
      const message = { role: log['role'], content: log['content'], ...(isReply ? reply : {}) }
      return [record({ type: isReply ? 'assistant' : 'user', message })]
    }
    case 'tool_use': {
      const { toolUseId: id, toolName: name, toolInput: input } = log
      const content = [{ type: 'tool_use', ...present({ id, name, input }) }]
      return [record({ type: 'assistant', message: { role: 'assistant', content, ...reply } })]
    }
    case 'tool_result': {
      const { toolUseId: tool_use_id, content, isError: is_error } = log
      const block = { type: 'tool_result', ...present({ tool_use_id, content, is_error }) }
      return [record({ type: 'user', message: { role: 'user', content: [block] } })]
    }
    case 'compaction': {
      const { trigger, preTokens, postTokens, summary } = log
      const compactMetadata = present({ trigger, preTokens, postTokens })
      const boundary = record({ type: 'system', subtype: 'compact_boundary', compactMetadata })
      if (summary === undefined) return [boundary]
      const message = { role: 'user', content: summary }
      const recap = { ...record({ type: 'user', isCompactSummary: true, message }), parentUuid: uuid }
      return [boundary, { ...recap, ...present({ uuid: recapUuid }) }]
    }
    default:
      return [
        { type: 'cost-state', sessionId, ...present({ totalCostUSD: log['cost'], totalDuration: log['durationMs'] }) },
      ]
  }
}

export function isBoundary(record: Body): boolean {
  return record['type'] === 'system' && record['subtype'] === 'compact_boundary'
}

export function isRecap(record: Body): boolean {
  return record['type'] === 'user' && record['isCompactSummary'] === true && contentOf([record]) !== null
}

/** Without what is not there: a key without a value is no key in JSON. */
export function present(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** A text alone, or all blocks of the group. */
function contentOf(group: readonly Body[]): string | readonly unknown[] | null {
  const contents = group.map((record) => object(record['message'])?.['content'])
  const [first] = contents
  if (typeof first === 'string' && contents.length === 1) return first
  return contents.every((content) => Array.isArray(content)) ? contents.flat() : null
}

function compactionOf(boundary: Body, recap: Body | undefined): Body {
  const { trigger, preTokens, postTokens } = object(boundary['compactMetadata']) ?? {}
  const before = number(preTokens)
  const after = number(postTokens)
  const tokensSaved = before === null || after === null ? undefined : before - after
  return present({ summary: recap && summaryOf(recap), trigger, preTokens, postTokens, tokensSaved })
}

function summaryOf(recap: Body): string {
  const content = contentOf([recap]) ?? ''
  if (typeof content === 'string') return content
  return content.flatMap((block) => text(object(block)?.['text']) ?? []).join('\n')
}

/** What the tool says of itself, else how long its result was waited for. */
function durationOf(record: Body, toolUseId: string | null, { calledAt }: LogState): number | undefined {
  const { durationMs, totalDurationMs } = object(record['toolUseResult']) ?? {}
  const said = number(durationMs) ?? number(totalDurationMs)
  if (said !== null) return said
  const from = Date.parse(calledAt.get(toolUseId ?? '') ?? '')
  const waited = Date.parse(text(record['timestamp']) ?? '') - from
  return waited >= 0 ? waited : undefined
}

const TOKENS = [
  ['input', 'inputTokens'],
  ['output', 'outputTokens'],
  ['cacheRead', 'cacheReadInputTokens'],
  ['cacheCreation', 'cacheCreationInputTokens'],
] as const

function endOf(state: Body): Body {
  const models = Object.values(object(state['modelUsage']) ?? {}).map((usage) => object(usage) ?? {})
  const sum = (key: string): number => models.reduce((total, usage) => total + (number(usage[key]) ?? 0), 0)
  const tokens = models.length === 0 ? undefined : Object.fromEntries(TOKENS.map(([name, key]) => [name, sum(key)]))
  return present({ durationMs: state['totalDuration'], tokens, cost: state['totalCostUSD'] })
}

/** The tokens of a session end, however they are spelled, as the client counts them. */
export function modelUsageOf(log: Body): Body {
  const said = log['tokens'] ?? log['usage']
  if (typeof said === 'number') return { unknown: usageFor({ output: said }) }
  const tokens = object(said)
  return tokens === null ? {} : { unknown: usageFor(tokens) }
}

function usageFor(tokens: Body): Body {
  const counted = TOKENS.map(([name, key]) => [key, number(tokens[name]) ?? number(tokens[SNAKE[name]]) ?? 0])
  return { ...Object.fromEntries(counted), webSearchRequests: 0, costUSD: 0 }
}

const SNAKE = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheCreation: 'cache_creation_input_tokens',
} as const

/** Records of the dialect are spelled in more than one way; this is the one way of this file. */
export function respelled(log: Body): Body {
  const pick = (...keys: readonly string[]): unknown => keys.map((key) => log[key]).find((value) => value !== undefined)
  switch (log['type']) {
    case 'tool_use': {
      const toolUseId = text(pick('toolUseId', 'tool_use_id', 'id')) ?? ''
      const toolName = text(pick('toolName', 'name')) ?? ''
      return { ...log, toolUseId, toolName, toolInput: object(pick('toolInput', 'input')) ?? {} }
    }
    case 'tool_result': {
      const toolUseId = text(pick('toolUseId', 'tool_use_id', 'id')) ?? ''
      const found = pick('content', 'output')
      const content = typeof found === 'string' || list(found) !== null ? found : found && JSON.stringify(found)
      const isError = pick('isError', 'is_error') === true ? true : undefined
      return present({ ...log, toolUseId, content: content ?? '', isError })
    }
    case 'session_end': {
      const cost = number(pick('cost', 'costUSD', 'costUsd', 'totalCost', 'totalCostUSD')) ?? 0
      return { ...log, cost, durationMs: number(pick('durationMs', 'duration')) ?? 0 }
    }
    default:
      return log
  }
}
