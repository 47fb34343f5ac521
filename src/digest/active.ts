import type { PlacedRecord, ToolCall, Turn } from '../conversation/model.ts'

export interface WorkTimes {
  readonly times: readonly number[]
  /** From a call to its result: a build that takes an hour is an hour of work. */
  readonly spans: readonly (readonly [number, number])[]
}

/** A person who says nothing for longer has gone for a coffee. */
const PAUSE_MS = 5 * 60_000

/** Time in which something was done: from one Record to the next unless that is a pause, and while a tool was running. */
export function activeTime(works: readonly WorkTimes[]): number {
  const times = works.flatMap((work) => work.times).sort((one, other) => one - other)
  const stretches = works.flatMap((work) => work.spans.map(([from, to]): [number, number] => [from, to]))
  for (let at = 1; at < times.length; at++) {
    const from = times[at - 1] as number
    const to = times[at] as number
    if (to - from <= PAUSE_MS) stretches.push([from, to])
  }
  stretches.sort(([one], [other]) => one - other)
  let total = 0
  let end = Number.NEGATIVE_INFINITY
  for (const [from, to] of stretches) {
    if (to > end) total += to - Math.max(from, end)
    end = Math.max(end, to)
  }
  return total
}

const WORKING: ReadonlySet<string> = new Set(['prompt', 'reply', 'tool-result'])

export function activeTimeOf(turns: readonly Turn[]): number {
  return activeTime(turns.map(({ records, toolCalls }) => workTimes(records, toolCalls)))
}

export function workTimes(records: readonly PlacedRecord[], calls: readonly ToolCall[]): WorkTimes {
  return {
    // What the client notes down while nobody works (a setting, a title) is no work.
    times: records.flatMap(({ envelope }) => (WORKING.has(envelope.kind) ? (envelope.timestampMs ?? []) : [])),
    spans: calls.flatMap(({ call, result }) => {
      const from = call.envelope.timestampMs
      const to = result?.envelope.timestampMs ?? null
      return from === null || to === null || to <= from ? [] : [[from, to] as const]
    }),
  }
}
