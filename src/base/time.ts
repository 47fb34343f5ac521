/** Milliseconds since 1970 from an ISO text or an epoch number; null when it is neither. */
export function timeMs(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** `7d`, `2w`, `12h`, `30m` before `nowMs`, or a date; null when it is neither. */
export function sinceMs(text: string, nowMs: number): number | null {
  const span = /^(\d+)\s*([mhdw])$/.exec(text.trim())
  if (span === null) return timeMs(text.trim())
  const unit = UNIT_MS[span[2] ?? '']
  return unit === undefined ? null : nowMs - Number(span[1]) * unit
}
