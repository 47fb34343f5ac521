// What is shown inside of a Turn and stands in another file: Spills, and Subagents, each of them once. Whoever makes Views
// hands in how Bodies are read.

import type { Woven } from '../conversation/build.ts'
import type { Subagent, Turn } from '../conversation/model.ts'
import type { BodyOf } from '../conversation/parts.ts'
import { readFull } from '../conversation/reading.ts'
import type { OpenSession } from './session.ts'
import { openSubagent } from './session.ts'
import type { ReadSpill } from './spill.ts'
import { readSpill } from './spill.ts'

export interface Inside {
  readonly spill: (path: string) => ReadSpill | null
  readonly agent: (agentId: string) => InnerAgent | null
}

export interface InnerAgent {
  readonly subagent: Subagent
  readonly turns: readonly Turn[]
  readonly bodyOf: BodyOf
}

/** As much of a Spill as is shown. */
const SPILL_BYTES_MAX = 1_000_000

/** `shown` is the Subagent whose Turns these are, if they are a Subagent's. */
export function insideOf(
  session: OpenSession,
  woven: Woven,
  shown: string | null,
  bodiesOf: (woven: Woven) => BodyOf,
): Inside {
  const told = new Set(shown === null ? [] : [shown])
  return {
    spill: (path) => readSpill(session.main.file.sessionFolder, path, SPILL_BYTES_MAX),
    agent: (agentId) => {
      const subagent = woven.agents.subagents.find((one) => one.agentId === agentId)
      const inner = told.has(agentId) || subagent === undefined ? null : openSubagent(session, agentId, 'resume')
      if (inner === null || subagent === undefined) return null
      told.add(agentId)
      return { subagent, turns: readFull(inner).turns, bodyOf: bodiesOf(inner) }
    },
  }
}
