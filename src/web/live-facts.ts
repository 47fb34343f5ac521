// What the live stream last said about the machine, for the frame: how far the index is, and which sessions are open.

import type { Indexing } from '../server/api/home.ts'
import type { LiveMessage, RunningSession } from '../server/api/live.ts'

export interface LiveFacts {
  readonly indexing: Indexing | null
  readonly running: readonly RunningSession[]
}

export const NO_FACTS: LiveFacts = { indexing: null, running: [] }

export function factsAfter(facts: LiveFacts, message: LiveMessage): LiveFacts {
  if (message.kind === 'indexing') return { ...facts, indexing: message.indexing }
  if (message.kind === 'sessions') return { ...facts, running: message.running }
  return facts
}
