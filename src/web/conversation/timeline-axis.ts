// Time on a line. Hours in which nothing happened are made short, so that the minutes in which something did can be seen.

export interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

export interface Axis {
  /** From a moment to a place on the line, which is `length` long, and back. */
  readonly placeOf: (ms: number) => number
  readonly msOf: (place: number) => number
  readonly length: number
  readonly gaps: readonly Gap[]
}

const IDLE_MS = 10 * 60_000
/** What a shortened gap counts as, whatever it was. */
const SHORT_MS = 30_000
const SHORT_SHARE = 0.03

export interface Lasting {
  readonly startedMs: number
  readonly endedMs: number
}

/** A Turn lasts until the next one begins to somebody, so only its ends count; a call is work from end to end. */
export function axisOf(turns: readonly Lasting[], calls: readonly Lasting[]): Axis {
  const spans = [...turns.flatMap(({ startedMs, endedMs }) => [momentOf(startedMs), momentOf(endedMs)]), ...calls]
  const sorted = [...spans].filter(isTime).sort((a, b) => a.startedMs - b.startedMs)
  const first = sorted[0]
  if (first === undefined) return { placeOf: () => 0, msOf: () => 0, length: 1, gaps: [] }
  const gaps: Gap[] = []
  let reached = first.endedMs
  for (const { startedMs, endedMs } of sorted) {
    if (startedMs - reached > IDLE_MS) gaps.push({ fromMs: reached, toMs: startedMs })
    reached = Math.max(reached, endedMs)
  }
  const start = first.startedMs
  const activeMs = gaps.reduce((left, { fromMs, toMs }) => left - (toMs - fromMs), reached - start)
  const shortMs = Math.max(SHORT_MS, activeMs * SHORT_SHARE)
  const cutOf = ({ fromMs, toMs }: Gap): number => toMs - fromMs - shortMs
  const placeOf = (ms: number): number => {
    let cut = 0
    for (const gap of gaps) {
      if (ms <= gap.fromMs) break
      const inside = Math.min(1, (ms - gap.fromMs) / (gap.toMs - gap.fromMs))
      cut += cutOf(gap) * inside
    }
    return ms - start - cut
  }
  const msOf = (place: number): number => {
    let ms = start + place
    for (const gap of gaps) {
      const from = placeOf(gap.fromMs)
      if (place <= from) break
      const width = placeOf(gap.toMs) - from
      ms += cutOf(gap) * Math.min(1, width === 0 ? 1 : (place - from) / width)
    }
    return ms
  }
  return { placeOf, msOf, length: Math.max(1, placeOf(reached)), gaps }
}

function momentOf(ms: number): Lasting {
  return { startedMs: ms, endedMs: ms }
}

function isTime({ startedMs, endedMs }: Lasting): boolean {
  return Number.isFinite(startedMs) && Number.isFinite(endedMs)
}
