// How figures are said on this page.

export function tokensOf(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return tokens < 1e6 ? `${Math.round(tokens / 1000)} k` : `${(tokens / 1e6).toFixed(1)} M`
}

export function durationOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min${minutes < 10 ? ` ${Math.round(seconds % 60)} s` : ''}`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.round(hours / 24)} days`
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const SECONDS = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const WHOLE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

export function timeOf(ms: number): string {
  return TIME.format(ms)
}

export function secondsOf(ms: number): string {
  return SECONDS.format(ms)
}

export function dayOf(ms: number): string {
  return DAY.format(ms)
}

export function wholeTimeOf(ms: number): string {
  return WHOLE.format(ms)
}

/** 14 Nov 2026, 13:02 – 15:40, with the second day where it is another. */
export function spanOf(startedMs: number | null, endedMs: number | null): string {
  if (startedMs === null) return endedMs === null ? '' : `${dayOf(endedMs)}, ${timeOf(endedMs)}`
  const start = `${dayOf(startedMs)}, ${timeOf(startedMs)}`
  if (endedMs === null) return start
  return dayOf(startedMs) === dayOf(endedMs)
    ? `${start} – ${timeOf(endedMs)}`
    : `${start} – ${dayOf(endedMs)}, ${timeOf(endedMs)}`
}
