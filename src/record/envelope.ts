// Body → Envelope: the one function that decides what a record is. It runs for every line of every file, so it reads
// each field once and builds one object of one shape. What only some types have is read in the file of that type.

import { timeMs } from '../base/time.ts'
import { assistantFacts } from './assistant.ts'
import { attachmentFacts } from './attachment.ts'
import type { EventLogState } from './event-log.ts'
import { eventLogFacts } from './event-log.ts'
import { metadataFacts } from './metadata.ts'
import type { Body, Envelope } from './model.ts'
import { progressFacts } from './progress.ts'
import { systemFacts } from './system.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { userFacts } from './user.ts'

/** What stays the same from record to record of one file: repeated texts, and where the event-log dialect stands. */
export interface ReadState {
  readonly texts: Map<string, string>
  readonly eventLog: EventLogState
  /** In a subagent's own file every record is marked as a sidechain, which there says nothing. */
  readonly isSubagent: boolean
}

export function newReadState(isSubagent: boolean): ReadState {
  return { texts: new Map(), eventLog: { previousUuid: null }, isSubagent }
}

export interface Placed {
  readonly line: number
  readonly offset: number
  readonly length: number
}

export function envelopeOf(body: Body, placed: Placed, state: ReadState): Envelope {
  const type = typeof body['type'] === 'string' ? body['type'] : ''
  const facts = factsOf(type, body, placed, state)
  return {
    line: placed.line,
    offset: placed.offset,
    length: placed.length,
    type: once(type, state),
    subtype: facts.subtype === null ? null : once(facts.subtype, state),
    kind: facts.kind,
    injection: facts.injection,
    author: facts.author,
    uuid: facts.uuid ?? ownText(body['uuid']),
    parentUuid: facts.parentUuid ?? ownText(body['parentUuid']),
    sessionId: shared(body['sessionId'], state),
    agentId: shared(body['agentId'], state),
    timestampMs: timeMs(body['timestamp']),
    // A team member's records stand in the file of the team's lead and are no more part of its chain than a subagent's.
    isSidechain: !state.isSubagent && (body['isSidechain'] === true || typeof body['teamName'] === 'string'),
    isMeta: body['isMeta'] === true || facts.isMeta,
    cwd: shared(body['cwd'], state),
    gitBranch: shared(body['gitBranch'], state),
    version: shared(body['version'], state),
    messageId: facts.messageId === null ? null : once(facts.messageId, state),
    requestId: ownText(body['requestId']),
    blockIndex: typeof body['apiBlockIndex'] === 'number' ? body['apiBlockIndex'] : null,
    model: facts.model === null ? null : once(facts.model, state),
    stopReason: facts.stopReason === null ? null : once(facts.stopReason, state),
    blocks: facts.blocks,
    toolUses: facts.toolUses,
    toolResults: facts.toolResults,
    usage: facts.usage,
    boundary: facts.boundary,
    links: facts.links,
  }
}

function factsOf(type: string, body: Body, placed: Placed, state: ReadState): TypeFacts {
  switch (type) {
    case 'user':
      return userFacts(body)
    case 'assistant':
      return assistantFacts(body)
    case 'system':
      return systemFacts(body)
    case 'attachment':
      return attachmentFacts(body)
    case 'progress':
      return progressFacts(body)
    default:
      return eventLogFacts(type, body, placed.offset, state.eventLog) ?? metadataFacts(type, body) ?? NO_FACTS
  }
}

function ownText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function shared(value: unknown, state: ReadState): string | null {
  return typeof value === 'string' ? once(value, state) : null
}

/** JSON.parse makes a new string each time; a session id repeated 100,000 times should be one string. */
function once(value: string, state: ReadState): string {
  const known = state.texts.get(value)
  if (known !== undefined) return known
  if (state.texts.size > 4096) state.texts.clear()
  state.texts.set(value, value)
  return value
}
