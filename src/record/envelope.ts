// Body → Envelope: the one function that decides what a record is. It runs for every line of every file, so it reads
// each field once and builds one object of one shape. What only some types have is read in the file of that type.

import { isAscii } from '../base/text.ts'
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
  /** The ids of the record before: the next one mostly names them again. */
  previousUuid: string | null
  previousRequestId: string | null
  /** Set when a text of the Envelope was not plain ASCII; the quick reading must not be trusted with those. */
  sawOtherThanAscii: boolean
  readonly eventLog: EventLogState
  /** In a subagent's own file every record is marked as a sidechain, which there says nothing. */
  readonly isSubagent: boolean
}

export function newReadState(isSubagent: boolean): ReadState {
  return {
    texts: new Map(),
    previousUuid: null,
    previousRequestId: null,
    sawOtherThanAscii: false,
    eventLog: { previousUuid: null },
    isSubagent,
  }
}

export interface Placed {
  readonly line: number
  readonly offset: number
  readonly length: number
}

export function envelopeOf(body: Body, placed: Placed, state: ReadState): Envelope {
  const type = typeof body['type'] === 'string' ? body['type'] : ''
  const facts = factsOf(type, body, placed, state)
  const uuid = facts.uuid ?? idText(body['uuid'], null, state)
  const parentUuid = facts.parentUuid ?? idText(body['parentUuid'], state.previousUuid, state)
  const requestId = idText(body['requestId'], state.previousRequestId, state)
  state.previousUuid = uuid
  state.previousRequestId = requestId
  return {
    line: placed.line,
    offset: placed.offset,
    length: placed.length,
    type: once(type, state),
    subtype: facts.subtype === null ? null : once(facts.subtype, state),
    kind: facts.kind,
    injection: facts.injection,
    author: facts.author,
    uuid,
    parentUuid,
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
    requestId,
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

/** An id, as the same string as the one it repeats: most of what an Envelope holds in memory is ids. */
function idText(value: unknown, previous: string | null, state: ReadState): string | null {
  if (typeof value !== 'string' || value === '') return null
  if (value === previous) return previous
  if (!isAscii(value)) state.sawOtherThanAscii = true
  return value
}

function shared(value: unknown, state: ReadState): string | null {
  return typeof value === 'string' ? once(value, state) : null
}

/** JSON.parse makes a new string each time; a session id repeated 100,000 times should be one string. */
function once(value: string, state: ReadState): string {
  const known = state.texts.get(value)
  if (known !== undefined) return known
  if (!isAscii(value)) {
    state.sawOtherThanAscii = true
    return value
  }
  if (state.texts.size > 4096) state.texts.clear()
  state.texts.set(value, value)
  return value
}
