// A sketch of the scanner → what it says about tokens, as usageRecordOf tells of a parsed record.

import * as layout from './scan-layout.ts'
import type { Sketch } from './sketch.ts'
import { usageOfSketch } from './sketch-envelope.ts'
import type { UsageRecord } from './usage-record.ts'
import { countedUsage } from './usage-record.ts'

export function usageRecordOfSketch(sketch: Sketch, line: number): UsageRecord | null {
  if (sketch.number(layout.SKETCH_KIND) !== layout.REPLY) return null
  const model = sketch.name(layout.NAME_MODEL)
  const usage = model === '<synthetic>' ? null : countedUsage(usageOfSketch(sketch))
  if (usage === null) return null
  return {
    line,
    records: 1,
    isRaised: false,
    key: sketch.id(layout.ID_MESSAGE) || sketch.id(layout.ID_REQUEST) || sketch.id(layout.ID_UUID) || null,
    model,
    timestampMs: sketch.timestampMs,
    sessionId: sketch.name(layout.NAME_SESSION),
    agentId: sketch.name(layout.NAME_AGENT),
    agentType: sketch.name(layout.NAME_AGENT_TYPE),
    cwd: sketch.name(layout.NAME_CWD),
    isSidechain: sketch.hasFlag(layout.FLAG_SIDECHAIN),
    isFork: sketch.hasFlag(layout.FLAG_FORK),
    isFinal: sketch.number(layout.NAME_STOP) >= 0,
    rate: RATES[sketch.number(layout.RATES)] ?? null,
    usage,
  }
}

/** By the bits of the layout; what is not billed at the list price, joined. */
const RATES = Array.from({ length: 16 }, (_, bits) => {
  const named = [
    [layout.RATE_FAST, 'fast'],
    [layout.RATE_US, 'us'],
    [layout.RATE_BATCH, 'batch'],
    [layout.RATE_PRIORITY, 'priority'],
  ] as const
  const rates = named.filter(([bit]) => (bits & bit) !== 0).map(([, name]) => name)
  return rates.length === 0 ? null : rates.join(' ')
})
