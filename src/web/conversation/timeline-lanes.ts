// Spans that overlap in time go into lanes of their own. What a Subagent did stands below what the conversation did.

import type { Span, Timeline } from '../../server/api/timeline.ts'

export interface Lane {
  /** The Subagent whose calls these are; null for the conversation. */
  readonly owner: string | null
  readonly spans: readonly Span[]
}

const LANES_PER_OWNER = 6
const LANES_MAX = 40

export function lanesOf(calls: Timeline['calls']): readonly Lane[] {
  const owners = new Map<string | null, Span[]>([[null, []]])
  for (const span of calls) {
    const own = owners.get(span.owner)
    if (own === undefined) owners.set(span.owner, [span])
    else own.push(span)
  }
  return [...owners]
    .flatMap(([owner, spans]) => packed(spans).map((lane) => ({ owner, spans: lane })))
    .filter(({ spans }) => spans.length > 0)
    .slice(0, LANES_MAX)
}

/** Each span into the first lane that is free again; into the last one when none is. */
function packed(spans: readonly Span[]): readonly (readonly Span[])[] {
  const lanes: Span[][] = []
  const ends: number[] = []
  for (const span of [...spans].sort((a, b) => a.startedMs - b.startedMs)) {
    const free = ends.findIndex((endedMs) => endedMs <= span.startedMs)
    const lane = free !== -1 ? free : Math.min(lanes.length, LANES_PER_OWNER - 1)
    if (lanes[lane] === undefined) lanes[lane] = []
    lanes[lane].push(span)
    ends[lane] = Math.max(ends[lane] ?? 0, span.endedMs)
  }
  return lanes
}
