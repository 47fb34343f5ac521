// Numbers as people read them. What is shown in a list is short; the exact value is its title.

/** `now`, `3 min`, `5 h`, `2 d`, `6 w`, `14 mo`, `2 y`: how long ago, in one glance. */
export function age(thenMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.floor((nowMs - thenMs) / 60_000))
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h`
  const days = Math.floor(hours / 24)
  if (days < 21) return `${days} d`
  if (days < 120) return `${Math.floor(days / 7)} w`
  return days < 730 ? `${Math.floor(days / 30)} mo` : `${Math.floor(days / 365)} y`
}

/** `1.2 MB`, in thousands as disks are sold. */
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

/** `12,345` */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** `1 turn`, `2 turns` */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : plural}`
}

/** `$3.20`, `$1,204`; `<$0.01` for what is more than nothing, and a dash for what nobody knows. */
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return '–'
  if (usd === 0) return '$0'
  if (usd < 0.005) return '<$0.01'
  return usd < 999.995 ? `$${usd.toFixed(2)}` : `$${count(Math.round(usd))}`
}

/** `opus-4-1` of `claude-opus-4-1-20250805` */
export function shortModel(model: string): string {
  return model.replace(/^claude-/, '').replace(/-\d{8}$/, '')
}

/** `clew` of `/home/ada/code/clew` */
export function lastName(path: string): string {
  return path.split(/[/\\]/).findLast((name) => name !== '') ?? path
}

/** `/home/ada/code` of `/home/ada/code/clew`; nothing where there is nothing before the last name. */
export function folderOf(path: string): string {
  const last = lastName(path)
  return path.slice(0, path.lastIndexOf(last)).replace(/(?<=.)[/\\]$/, '')
}

/** `Sat, 14 Nov 2026, 15:32` in a time zone. */
export function exactTime(ms: number, timeZone: string): string {
  return formatIn(timeZone).format(ms)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}
