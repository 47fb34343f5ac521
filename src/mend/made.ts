// Records that a repair makes. Each says itself that it was made, both in its text and in a field of its own.

import { envelopeOf, newReadState } from '../record/envelope.ts'
import type { Body, Envelope } from '../record/model.ts'
import { MARK } from './said.ts'

export interface MadeRecord {
  readonly body: Body
  readonly envelope: Envelope
}

/** Where it stands and whose it is: a record beside it lends the fields that every record of the session has. */
type Beside = Pick<
  Envelope,
  'line' | 'offset' | 'sessionId' | 'cwd' | 'version' | 'gitBranch' | 'timestampMs' | 'isSidechain'
>

export function madeBoundary(beside: Beside, uuid: string, logicalParentUuid: string): MadeRecord {
  return made(beside, {
    parentUuid: null,
    logicalParentUuid,
    type: 'system',
    subtype: 'compact_boundary',
    content: `${MARK} Conversation compacted`,
    level: 'info',
    compactMetadata: { trigger: 'auto', preTokens: 0 },
    uuid,
  })
}

export const NO_RESULT = `${MARK} No result of this call was recorded. The session was interrupted and repaired.`

export interface Answered {
  readonly parentUuid: string
  readonly callUuid: string
  readonly callId: string
}

/** For a call that nobody answered. */
export function madeResult(beside: Beside, { parentUuid, callUuid, callId }: Answered, uuid: string): MadeRecord {
  return made(beside, {
    parentUuid,
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: callId, content: NO_RESULT, is_error: true }],
    },
    toolUseResult: `Error: ${NO_RESULT}`,
    sourceToolAssistantUUID: callUuid,
    toolDenialKind: 'interrupted',
    uuid,
  })
}

/** The tip the client is to go on from. The text is the one the last pointer had, because listings show it. */
export function madePointer(beside: Beside, leafUuid: string, lastPrompt: string | null): MadeRecord {
  const { sessionId, line, offset } = beside
  const body = {
    type: 'last-prompt',
    ...(lastPrompt === null ? {} : { lastPrompt }),
    leafUuid,
    ...(sessionId === null ? {} : { sessionId }),
    clewRepair: true,
  }
  return { body, envelope: envelopeOf(body, { line, offset, length: 0 }, newReadState(false)) }
}

function made(beside: Beside, own: Body): MadeRecord {
  const { line, offset, sessionId, cwd, version, gitBranch, timestampMs, isSidechain } = beside
  const optional = Object.entries({ cwd, sessionId, version, gitBranch }).filter(([, value]) => value !== null)
  const body = {
    ...own,
    isSidechain,
    ...(timestampMs === null ? {} : { timestamp: new Date(timestampMs).toISOString() }),
    userType: 'external',
    ...Object.fromEntries(optional),
    clewRepair: true,
  }
  return { body, envelope: envelopeOf(body, { line, offset, length: 0 }, newReadState(false)) }
}
