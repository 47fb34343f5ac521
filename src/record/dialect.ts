// Which words a transcript is written in: a client's own, or those of a log of events (event-log.ts).

import type { Envelope } from './model.ts'

export type Dialect = 'client' | 'event-log'

/** A client writes none of these. */
const WORDS: ReadonlySet<string> = new Set(['message', 'tool_use', 'tool_result', 'compaction', 'session_end'])

export function dialectOf(envelopes: readonly Envelope[]): Dialect {
  let isLog = false
  for (const { type } of envelopes) {
    if (type === 'user' || type === 'assistant') return 'client'
    isLog ||= type === 'session_start' || WORDS.has(type)
  }
  return isLog ? 'event-log' : 'client'
}
