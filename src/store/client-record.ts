// Records as the client writes them: the fields around a message, and what each kind has in it. What is left out here
// (request logs, listings of tools) the client writes again by itself when it resumes.

import type { Body } from '../record/model.ts'

/** What all records of a session say alike. */
export interface Surroundings {
  readonly sessionId: string
  readonly cwd: string
  readonly gitBranch: string
  /** Of the client whose format this is. */
  readonly version: string
  /** For the file of a subagent. */
  readonly agentId: string | null
}

/** The newest client whose sessions were compared with what is written here. */
export const FORMAT_VERSION = '2.1.325'

export interface Placed {
  readonly uuid: string
  readonly parentUuid: string | null
  readonly timestamp: string
}

export interface ApiUsage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_creation_input_tokens?: number
  readonly cache_read_input_tokens?: number
}

export interface ReplyFacts {
  readonly messageId: string
  readonly model: string
  readonly stopReason: string | null
  readonly usage: ApiUsage
}

const NO_USAGE: ApiUsage = { input_tokens: 0, output_tokens: 0 }

export const DEFAULT_REPLY = { model: 'unknown', stopReason: null, usage: NO_USAGE } as const

export function chainRecord(around: Surroundings, { uuid, parentUuid, timestamp }: Placed, own: Body): Body {
  const { sessionId, cwd, gitBranch, version, agentId } = around
  return {
    parentUuid,
    isSidechain: agentId !== null,
    ...(agentId === null ? {} : { agentId }),
    ...own,
    uuid,
    timestamp,
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version,
    gitBranch,
  }
}

/** In a subagent's file the model wrote the prompt. */
export function promptBody(content: unknown, promptId: string, isHuman = true): Body {
  const spoken = isHuman ? { promptSource: 'typed', turnOrigin: 'human', origin: { kind: 'human' } } : {}
  return { type: 'user', promptId, message: { role: 'user', content }, ...spoken }
}

/** One record for each Block, as the client does it; the whole usage stands in each of them. */
export function replyBodies(blocks: readonly unknown[], facts: ReplyFacts): readonly Body[] {
  const { messageId, model, stopReason, usage } = facts
  return blocks.map((block, index) => ({
    type: 'assistant',
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
      stop_reason: stopReason,
      stop_sequence: null,
      usage,
    },
    apiBlockIndex: index,
  }))
}

export interface ToolResult {
  readonly toolUseId: string
  readonly content: unknown
  readonly isError?: boolean
  /** What the client keeps for itself beside what the model sees. */
  readonly toolUseResult?: unknown
}

export function resultBody(result: ToolResult, assistantUuid: string, promptId: string): Body {
  const { toolUseId, content, isError, toolUseResult } = result
  const block = {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content,
    ...(isError === true ? { is_error: true } : {}),
  }
  return {
    type: 'user',
    promptId,
    message: { role: 'user', content: [block] },
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
    sourceToolAssistantUUID: assistantUuid,
  }
}

export interface BoundaryFacts {
  readonly trigger: 'manual' | 'auto'
  readonly preTokens: number
  readonly logicalParentUuid: string | null
  /** Messages that stay word for word, in order; they stand before the boundary and are read behind the Recap. */
  readonly preserved: readonly string[]
  readonly recapUuid: string
}

export function boundaryBody({ trigger, preTokens, logicalParentUuid, preserved, recapUuid }: BoundaryFacts): Body {
  const kept =
    preserved.length === 0
      ? {}
      : {
          preservedSegment: { headUuid: preserved[0], anchorUuid: recapUuid, tailUuid: preserved.at(-1) },
          preservedMessages: { anchorUuid: recapUuid, uuids: preserved, allUuids: preserved },
        }
  return {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    logicalParentUuid,
    compactMetadata: { trigger, preTokens, ...kept },
  }
}

export function recapBody(summary: string, promptId: string): Body {
  const message = { role: 'user', content: summary }
  return { type: 'user', promptId, message, isVisibleInTranscriptOnly: true, isCompactSummary: true }
}

/** Says which session this one goes on from. The client passes over it, and our own reading joins the two. */
export function startBody({ sessionId, cwd }: Surroundings, parent: string | null, timestamp: string): Body {
  const from = parent === null ? {} : { parentSessionId: parent, resumedFrom: parent }
  return { type: 'session_start', sessionId, ...from, cwd, timestamp }
}

export function titleBody(sessionId: string, title: string): Body {
  return { type: 'custom-title', customTitle: title, sessionId }
}

/** Tokens by model, in the client's own words. */
export function modelUsage(usage: Readonly<Record<string, ApiUsage>>): Body {
  return Object.fromEntries(
    Object.entries(usage).map(([model, one]) => [
      model,
      {
        inputTokens: one.input_tokens,
        outputTokens: one.output_tokens,
        cacheReadInputTokens: one.cache_read_input_tokens ?? 0,
        cacheCreationInputTokens: one.cache_creation_input_tokens ?? 0,
      },
    ]),
  )
}
