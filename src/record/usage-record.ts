// Body → what one assistant record says about tokens. Every record of an API message repeats the usage of the whole, so
// nothing may be added up before the records are folded by their key.

import { timeMs } from '../base/time.ts'
import { usageOf } from './assistant.ts'
import { object, text } from './fields.ts'
import type { Body, Usage } from './model.ts'

/** One record, or several of one message that follow each other in a file. */
export interface UsageRecord {
  /** Of the first one. */
  readonly line: number
  readonly records: number
  /** They do not say the same: `usage` has the highest of each field. */
  readonly isRaised: boolean
  /** `message.id`; where there is none the request's id, then the record's own. Shared by all records of one API message. */
  readonly key: string | null
  readonly model: string | null
  readonly timestampMs: number | null
  readonly sessionId: string | null
  readonly agentId: string | null
  /** The type of the subagent, where the client says it in the record. */
  readonly agentType: string | null
  readonly cwd: string | null
  /** A record of a subagent inside the main transcript, or any in the subagent's own. */
  readonly isSidechain: boolean
  /** Copied from another session, and says so. */
  readonly isFork: boolean
  /** False where the client wrote down the tokens before the response had ended. */
  readonly isFinal: boolean
  /** What is not billed at the list price: `fast`, `us`, `batch`; null for the ordinary. */
  readonly rate: string | null
  readonly usage: Usage
}

/** Null for everything that used no tokens: other types, synthetic messages, API errors, copies with their usage zeroed. */
export function usageRecordOf(body: Body, line: number): UsageRecord | null {
  if (body['type'] !== 'assistant') return null
  const message = object(body['message'])
  const said = object(message?.['usage'])
  if (message === null || said === null || message['model'] === '<synthetic>') return null
  const usage = countedUsage(usageOf(said))
  if (usage === null) return null
  return {
    line,
    records: 1,
    isRaised: false,
    key: idText(message['id']) ?? idText(body['requestId']) ?? idText(body['uuid']),
    model: text(message['model']),
    timestampMs: timeMs(body['timestamp']),
    sessionId: text(body['sessionId']),
    agentId: text(body['agentId']),
    agentType: text(body['attributionAgent']),
    cwd: text(body['cwd']),
    isSidechain: body['isSidechain'] === true,
    isFork: object(body['forkedFrom']) !== null,
    isFinal: typeof message['stop_reason'] === 'string',
    rate: rateOf(said),
    usage,
  }
}

/** Null for none at all. Writes for an hour are a part of all writes, also where somebody left the sum out. */
export function countedUsage(usage: Usage | null): Usage | null {
  if (usage === null || !hasTokens(usage)) return null
  if (usage.cacheWriteTokens >= usage.cacheWrite1hTokens) return usage
  return { ...usage, cacheWriteTokens: usage.cacheWrite1hTokens }
}

/** `one` itself where nothing of `other` is higher. */
export function highestUsage(one: Usage, other: Usage): Usage {
  if (
    one === other ||
    (other.inputTokens <= one.inputTokens &&
      other.outputTokens <= one.outputTokens &&
      other.cacheReadTokens <= one.cacheReadTokens &&
      other.cacheWriteTokens <= one.cacheWriteTokens &&
      other.cacheWrite1hTokens <= one.cacheWrite1hTokens)
  )
    return one
  return {
    inputTokens: Math.max(one.inputTokens, other.inputTokens),
    outputTokens: Math.max(one.outputTokens, other.outputTokens),
    cacheReadTokens: Math.max(one.cacheReadTokens, other.cacheReadTokens),
    cacheWriteTokens: Math.max(one.cacheWriteTokens, other.cacheWriteTokens),
    cacheWrite1hTokens: Math.max(one.cacheWrite1hTokens, other.cacheWrite1hTokens),
  }
}

export function isSameUsage(one: Usage, other: Usage): boolean {
  return (
    one === other ||
    (one.inputTokens === other.inputTokens &&
      one.outputTokens === other.outputTokens &&
      one.cacheReadTokens === other.cacheReadTokens &&
      one.cacheWriteTokens === other.cacheWriteTokens &&
      one.cacheWrite1hTokens === other.cacheWrite1hTokens)
  )
}

function hasTokens(usage: Usage): boolean {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = usage
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens > 0
}

function idText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Which of the three fields leads away from the list price, joined; tools trim them, so only known words count. */
function rateOf(usage: Body): string | null {
  const rates: string[] = []
  if (usage['speed'] === 'fast') rates.push('fast')
  if (usage['inference_geo'] === 'us') rates.push('us')
  const tier = usage['service_tier']
  if (tier === 'batch' || tier === 'priority') rates.push(tier)
  return rates.length === 0 ? null : rates.join(' ')
}
