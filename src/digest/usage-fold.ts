// Usage records of all files → API messages, each counted once. One response is several records that repeat its usage, a
// fork or a continuation copies them into other files, and an old client writes some before the numbers are final: so
// records are folded by key over everything, and the highest of each field counts.

import type { UsageRecord } from '../record/usage-record.ts'
import { highestUsage, isSameUsage } from '../record/usage-record.ts'

/** A transcript and what its records say. The digest needs no more of a file than this. */
export interface UsageSource {
  readonly path: string
  readonly role: 'main' | 'subagent'
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly projectKey: string
  /** Deleted since; only an index remembers it. */
  readonly isGone: boolean
  readonly records: readonly UsageRecord[]
}

/** One request to the API and its answer, whoever wrote it down however often. */
export interface CountedMessage {
  /**
   * All its records in one: whose it is, and where, as its owner says; the earliest time, the highest of each field;
   * final if any of them is.
   */
  readonly folded: UsageRecord
  /** Where the first record of its owner stands. */
  readonly source: UsageSource
  /** What else was folded into it; what the owner wrote is the first where there is any. */
  readonly copies: readonly UsageCopy[]
}

export interface UsageCopy {
  readonly source: UsageSource
  readonly record: UsageRecord
}

/**
 * Who owns a message that stands in several sessions: of its records those that are not marked as forked come first, then
 * those in a file of the session they name, then the earliest, then those in the file that ended first (a copy is made
 * later than what it copies), then by path and line. The order of the files does not matter.
 */
export function foldUsage(sources: readonly UsageSource[]): readonly CountedMessage[] {
  const byKey = new Map<string, Folding>()
  const messages: Folding[] = []
  for (const source of sources) {
    for (const record of source.records) {
      const { key } = record
      const known = key === null ? undefined : byKey.get(key)
      if (known === undefined) {
        // Most messages are never met again: then their only record is all there is to them.
        const message = { folded: record, source, copies: NONE }
        if (key !== null) byKey.set(key, message)
        messages.push(message)
      } else addTo(known, source, record)
    }
  }
  for (const message of messages) if (message.copies !== NONE) message.folded = foldedOf(message)
  return messages
}

interface Folding {
  folded: UsageRecord
  source: UsageSource
  copies: UsageCopy[]
}

const NONE: UsageCopy[] = []

/** Until all are there, `folded` is the record that tells the owner, and the first copy. */
function addTo(known: Folding, source: UsageSource, record: UsageRecord): void {
  if (known.copies === NONE) known.copies = [{ source: known.source, record: known.folded }]
  if (orderOf(source, record, known.source, known.folded) >= 0) {
    known.copies.push({ source, record })
    return
  }
  known.copies.unshift({ source, record })
  known.source = source
  known.folded = record
}

/** Below zero when the first of the two rather than the second tells who owns the message. */
function orderOf(source: UsageSource, record: UsageRecord, thanSource: UsageSource, than: UsageRecord): number {
  const fork = Number(record.isFork) - Number(than.isFork)
  if (fork !== 0) return fork
  const home = Number(isAtHome(thanSource, than)) - Number(isAtHome(source, record))
  if (home !== 0) return home
  const time = timeOf(record) - timeOf(than)
  if (time !== 0) return time
  if (source === thanSource) return record.line - than.line
  return lastMs(source) - lastMs(thanSource) || (source.path < thanSource.path ? -1 : 1)
}

function isAtHome(source: UsageSource, record: UsageRecord): boolean {
  return source.sessionId === null || source.sessionId === record.sessionId
}

function timeOf({ timestampMs }: UsageRecord): number {
  return timestampMs ?? Number.MAX_SAFE_INTEGER
}

const LAST_MS = new WeakMap<UsageSource, number>()

/** When the last thing happened in a file; asked for only of those with copies in them. */
function lastMs(source: UsageSource): number {
  const known = LAST_MS.get(source)
  if (known !== undefined) return known
  const last = source.records.reduce((latest, { timestampMs }) => Math.max(latest, timestampMs ?? 0), 0)
  LAST_MS.set(source, last)
  return last
}

function foldedOf({ folded: owner, copies }: Folding): UsageRecord {
  let { usage, timestampMs, agentType, isFinal, isRaised } = owner
  let records = 0
  for (const { record } of copies) {
    records += record.records
    isFinal ||= record.isFinal
    agentType ??= record.agentType
    if (record.timestampMs !== null && (timestampMs === null || record.timestampMs < timestampMs)) {
      timestampMs = record.timestampMs
    }
    const highest = highestUsage(usage, record.usage)
    isRaised ||= record.isRaised || highest !== usage || !isSameUsage(highest, record.usage)
    usage = highest
  }
  return { ...owner, usage, timestampMs, agentType, isFinal, isRaised, records }
}

/** Of the session that made the request, not of those that copied it. */
export function sessionOf({ folded, source }: CountedMessage): string {
  return folded.sessionId ?? source.sessionId ?? ''
}

/**
 * Null for the main conversation. Old clients have a subagent's records inside of the main transcript, and do not always
 * say which one it was: then ''.
 */
export function agentOf({ folded, source }: CountedMessage): string | null {
  if (source.role === 'subagent') return source.agentId ?? folded.agentId ?? ''
  return folded.isSidechain ? (folded.agentId ?? '') : null
}

/** Of no use to others where the record has none: then it is its place. */
export function messageName({ folded, source }: CountedMessage): string {
  return folded.key ?? `${source.path}:${folded.line}`
}

/** All transcripts that hold it were deleted. */
export function isGone({ source, copies }: CountedMessage): boolean {
  return source.isGone && copies.every((copy) => copy.source.isGone)
}
