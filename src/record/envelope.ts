// Body → Envelope: the one function that decides what a record is. It runs for every line of every file, so it reads
// each field once and builds one object of one shape. What only some types have is read in the file of that type.

import { timeMs } from '../base/time.ts'
import { assistantFacts } from './assistant.ts'
import { attachmentFacts } from './attachment.ts'
import type { EventLogState } from './event-log.ts'
import { eventLogFacts } from './event-log.ts'
import { metadataFacts } from './metadata.ts'
import type { Body, Envelope, Links } from './model.ts'
import { progressFacts } from './progress.ts'
import { systemFacts } from './system.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { userFacts } from './user.ts'

/** What stays the same from record to record of one file: repeated texts, and where the event-log dialect stands. */
export interface ReadState {
  readonly texts: Map<string, string>
  /** The record before: the next one mostly repeats its texts and names its ids. */
  previous: Envelope | null
  readonly eventLog: EventLogState
  /** In a subagent's own file every record is marked as a sidechain, which there says nothing. */
  readonly isSubagent: boolean
}

export function newReadState(isSubagent: boolean): ReadState {
  return {
    texts: new Map(),
    previous: null,
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
  const { previous } = state
  const envelope: Envelope = {
    line: placed.line,
    offset: placed.offset,
    length: placed.length,
    type: again(type, previous?.type, state),
    subtype: facts.subtype === null ? null : again(facts.subtype, previous?.subtype, state),
    kind: facts.kind,
    injection: facts.injection,
    author: facts.author,
    uuid: facts.uuid ?? idText(body['uuid'], null),
    parentUuid: facts.parentUuid ?? idText(body['parentUuid'], previous?.uuid),
    sessionId: textOf(body['sessionId'], previous?.sessionId, state),
    agentId: textOf(body['agentId'], previous?.agentId, state),
    timestampMs: timeMs(body['timestamp']),
    isSidechain: !state.isSubagent && body['isSidechain'] === true,
    isMeta: body['isMeta'] === true || facts.isMeta,
    cwd: textOf(body['cwd'] ?? (type === 'session_start' ? body['projectPath'] : null), previous?.cwd, state),
    gitBranch: textOf(body['gitBranch'], previous?.gitBranch, state),
    version: textOf(body['version'], previous?.version, state),
    messageId: facts.messageId === null ? null : again(facts.messageId, previous?.messageId, state),
    requestId: idText(body['requestId'], previous?.requestId),
    blockIndex: typeof body['apiBlockIndex'] === 'number' ? body['apiBlockIndex'] : null,
    model: facts.model === null ? null : again(facts.model, previous?.model, state),
    stopReason: facts.stopReason === null ? null : again(facts.stopReason, previous?.stopReason, state),
    blocks: facts.blocks,
    toolUses: facts.toolUses,
    toolResults: facts.toolResults,
    usage: facts.usage,
    boundary: facts.boundary,
    links: state.isSubagent || typeof body['teamName'] !== 'string' ? facts.links : ofTeam(facts.links),
  }
  state.previous = envelope
  return envelope
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

/** Behind the other links, whichever way a record is read: a page stores them in the order in which they were found. */
export function ofTeam(links: Links | null): Links {
  return { ...links, isOfTeam: true }
}

/** An id, as the same string as the one it repeats: most of what an Envelope holds in memory is ids. */
function idText(value: unknown, previous: string | null | undefined): string | null {
  if (typeof value !== 'string' || value === '') return null
  return value === previous ? previous : value
}

function textOf(value: unknown, previous: string | null | undefined, state: ReadState): string | null {
  return typeof value === 'string' ? again(value, previous, state) : null
}

/** JSON.parse makes a new string each time; a session id repeated 100,000 times should be one string. */
function again(value: string, previous: string | null | undefined, state: ReadState): string {
  if (value === previous) return previous
  const known = state.texts.get(value)
  if (known !== undefined) return known
  if (state.texts.size > TEXTS_MAX) state.texts.clear()
  state.texts.set(value, value)
  return value
}

const TEXTS_MAX = 4096
