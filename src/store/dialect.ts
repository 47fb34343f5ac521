// Which words a session is written in. Inside the store everything is a client's record; the event-log dialect is spoken
// only where lines are written and read.

import type { Dialect } from '../record/dialect.ts'
import { dialectOf } from '../record/dialect.ts'
import { list, object } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import { fromEventLog, toEventLog } from './event-log.ts'
import { StoreError } from './store-error.ts'
import type { ChainedRecord, StoredTranscript } from './stored-transcript.ts'
import { chainedRecords } from './stored-transcript.ts'

export function encoderOf(dialect: Dialect, sessionId: string): (bodies: readonly Body[]) => readonly Body[] {
  if (dialect === 'client') return (bodies) => bodies
  return (bodies) => {
    if (bodies.some(({ type, explicit }) => type === 'last-prompt' && explicit === true))
      throw new StoreError('not-a-record', `${sessionId}: the event-log dialect has no word for going back`)
    // What the session begins with was written when it was made; a pointer to its end needs no word.
    const told = bodies.filter(({ type }) => type !== 'last-prompt')
    return toEventLog(told, { sessionId }).filter((line) => !isMade(line))
  }
}

function isMade({ clew }: Body): boolean {
  return typeof clew === 'object' && clew !== null && 'made' in clew
}

export interface DialectOptions {
  readonly sessionId: string
  readonly cwd: string
  readonly version: string
  readonly newId: () => string
}

/** The records a client would resume from, oldest first, in whichever dialect they stand in the file. */
export function resumedChain(stored: StoredTranscript, options: DialectOptions): readonly ChainedRecord[] {
  return dialectOf(stored.envelopes) === 'client' ? chainedRecords(stored) : dialectChain(stored, options)
}

/** The dialect has no branches: everything since the last compaction is the chain. */
function dialectChain(stored: StoredTranscript, options: DialectOptions): readonly ChainedRecord[] {
  const bodies = stored.envelopes.map(stored.bodyOf).filter((body) => body !== null)
  const records = fromEventLog(bodies, options).flatMap((body) => {
    const { uuid } = body
    return typeof uuid === 'string' ? [{ uuid, body }] : []
  })
  const from = records.findLastIndex(({ body }) => body['subtype'] === 'compact_boundary')
  if (from < 0) return records
  const preserved = new Set(preservedBy(records[from] as ChainedRecord))
  const kept = records.slice(0, from).filter(({ uuid }) => preserved.has(uuid))
  return [...records.slice(from, from + 2), ...kept, ...records.slice(from + 2)]
}

function preservedBy({ body }: ChainedRecord): readonly string[] {
  const metadata = object(body['compactMetadata'])
  return (list(object(metadata?.['preservedMessages'])?.['uuids']) ?? []) as readonly string[]
}
