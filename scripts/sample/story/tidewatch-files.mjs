// The files of Ada's tide tables as they stand before the first session, and the long table one check prints.

export const FILES = {
  'src/tides/day.ts': `import type { Harbour, Tide } from '../model.ts'
import { turningPoints } from './harmonic.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** High and low waters of one day, in the harbour's own time. */
export function tidesOfDay(harbour: Harbour, isoDate: string): Tide[] {
  const start = Date.parse(\`\${isoDate}T00:00:00Z\`) - harbour.utcOffsetMs
  return turningPoints(harbour.constituents, start, start + DAY_MS).map((point) => ({
    kind: point.isHigh ? 'high' : 'low',
    heightMetres: point.height,
    localTime: clock(point.timeMs + harbour.utcOffsetMs),
  }))
}

const clock = (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16)
`,
  'src/zone.ts': `/** Milliseconds that \`zone\` is ahead of UTC at that instant. */
export function offsetAt(zone: string, timeMs: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(timeMs)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\\d\\d):(\\d\\d)/.exec(name)
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}
`,
  'src/feed/ical.ts': `import { offsetAt } from '../zone.ts'

const DAY_MS = 86_400_000

/** One all-day calendar note per spring tide. */
export function springTideNote(zone: string, isoDate: string): string {
  const midnight = Date.parse(\`\${isoDate}T00:00:00Z\`)
  const start = midnight - offsetAt(zone, midnight)
  return note(start, start + DAY_MS)
}

function note(start: number, end: number): string {
  return ['BEGIN:VEVENT', \`DTSTART:\${stamp(start)}\`, \`DTEND:\${stamp(end)}\`, 'END:VEVENT'].join('\\r\\n')
}

const stamp = (timeMs: number) => new Date(timeMs).toISOString().replace(/[-:]|\\.\\d+/g, '')
`,
  'CHANGELOG.md': `# Changelog

## 2.3.0

- Harbour pages show the height of the next spring tide.
`,
}

export const DAY_TEST = `import { beforeAll, describe, expect, test, vi } from 'vitest'
import { loadHarbour } from '../src/harbours.ts'
import { tidesOfDay } from '../src/tides/day.ts'
import { startOfDay } from '../src/zone.ts'

// The day the server was last started: summer time, one hour ahead of UTC.
beforeAll(() => vi.setSystemTime('2026-09-03T08:00:00Z'))

describe('local days', () => {
  test.each([
    ['2026-10-24', '2026-10-25', 24],
    ['2026-10-25', '2026-10-26', 25],
    ['2027-03-28', '2027-03-29', 23],
  ])('%s lasts until %s, %i hours', (date, next, hours) => {
    const lengthMs = startOfDay('Europe/London', next) - startOfDay('Europe/London', date)
    expect(lengthMs / 3_600_000).toBe(hours)
  })

  test('the evening high water stays on Sunday', () => {
    const tides = tidesOfDay(loadHarbour('portsmouth'), '2026-10-25')
    expect(tides.map((tide) => tide.localTime)).toEqual(['05:02', '11:19', '17:29', '23:41'])
  })
})
`

const HARBOURS = [
  { name: 'portsmouth', shorter: '2026-03-29', longer: '2026-10-25' },
  { name: 'brest', shorter: '2026-03-29', longer: '2026-10-25' },
  { name: 'cuxhaven', shorter: '2026-03-29', longer: '2026-10-25' },
  { name: 'halifax', shorter: '2026-03-08', longer: '2026-11-01' },
  { name: 'hobart', shorter: '2026-10-04', longer: '2026-04-05' },
  { name: 'reykjavik', shorter: null, longer: null },
]
/** Hours from one turn of the tide to the next. */
const TURN_HOURS = 6.2103

/** A line for each day of 2026: hours and number of tides at six harbours. */
export function yearCheck() {
  const lines = ['> tidewatch@2.3.0 check:year', '> node scripts/check-year.ts 2026', '']
  lines.push(`hours/tides: ${HARBOURS.map(({ name }) => name).join(', ')}`)
  const elapsed = HARBOURS.map((_, index) => index * 1.31)
  for (let day = 0; day < 365; day++) {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
    const cells = HARBOURS.map(({ shorter, longer }, index) => {
      const hours = date === shorter ? 23 : date === longer ? 25 : 24
      const tides = Math.floor((elapsed[index] + hours) / TURN_HOURS) - Math.floor(elapsed[index] / TURN_HOURS)
      elapsed[index] += hours
      return `${hours}/${tides}`
    })
    const isPlain = cells.every((cell) => cell.startsWith('24'))
    lines.push(`${date.slice(5)} ${cells.join(' ')}${isPlain ? '' : ' (clock change)'}`)
  }
  return `${lines.join('\n')}\n\n2190 harbour days, 10 with a clock change, 0 tides lost, 0 tides twice`
}
