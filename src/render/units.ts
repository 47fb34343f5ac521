/** `3m`, `5h`, `2d`, `6w`, `14mo`: how long ago, in one glance. */
export function age(thenMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - thenMs) / 60_000))
  if (minutes < 60) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 21) return `${days}d`
  if (days < 120) return `${Math.floor(days / 7)}w`
  return days < 730 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}y`
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

export function iso(ms: number | null): string | null {
  if (ms === null || Math.abs(ms) > 8.64e15) return null
  return new Date(ms).toISOString()
}

/** `1 turn`, `2 turns`. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : plural}`
}

/** `40 s`, `12 min`, `3 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
