// The rest of the first day: a prompt taken back and put better, two agents sent out, and a whole year checked.

import { agent, bash } from '../tools.mjs'
import { yearCheck } from './tidewatch-files.mjs'

export const rewinding = (disk) => [
  {
    do: 'prompt',
    after: 1840,
    mark: 'before-luxon',
    text: 'The regular expression in offsetAt() bothers me. Can we use luxon there?',
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash(
        'npm install luxon @types/luxon',
        'Add luxon',
        'added 2 packages, and audited 148 packages in 2s\n\nfound 0 vulnerabilities',
        {
          seconds: 2.9,
        },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 5,
    blocks: [
      `Installed. \`offsetAt()\` would shrink to one line:

\`\`\`ts
return DateTime.fromMillis(timeMs, { zone }).offset * 60_000
\`\`\`

It adds about 23 kB (gzip) to the page bundle, because the page imports \`zone.ts\` too. Shall I go on?`,
    ],
  },
  {
    do: 'prompt',
    after: 96,
    rewindTo: 'before-luxon',
    text: 'The regular expression in offsetAt() bothers me. Get rid of it without a new dependency, formatToParts already has the numbers.',
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      disk.edit(
        'src/zone.ts',
        `  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(timeMs)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const match = /GMT([+-])(\\d\\d):(\\d\\d)/.exec(name)
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}
`,
        `  const parts = formatterOf(zone).formatToParts(timeMs)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return local - Math.floor(timeMs / 60_000) * 60_000
}

const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  const formatter = formatters.get(zone) ?? new Intl.DateTimeFormat('en-GB', { ...numeric, timeZone: zone, hourCycle: 'h23' })
  formatters.set(zone, formatter)
  return formatter
}
`,
      ),
      bash(
        'npx vitest run',
        'Run all tests',
        ' ✓ test/day.test.ts (4 tests) 8ms\n ✓ test/harmonic.test.ts (11 tests) 36ms\n ✓ test/pages.test.ts (6 tests) 49ms\n\n Test Files  3 passed (3)\n      Tests  21 passed (21)',
        { seconds: 4.2 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 4,
    blocks: [
      'Done: the offset is now the difference between the wall clock in the zone and UTC, read from `formatToParts()`. `formatterOf()` keeps one formatter per zone, since making them is the slow part. No new dependency, 21 tests pass.',
    ],
  },
]

export const asking = (disk) => [
  {
    do: 'prompt',
    after: 2715,
    text: 'Before I open a pull request, send out two agents: one to look for other places that believe in 24-hour days, one to check that every zone in harbours.json really exists.',
  },
  {
    do: 'reply',
    seconds: 5,
    queued: { text: 'And while they look: is the tide cache keyed by date only?', typedAfter: 14 },
    blocks: [
      'Both can run at the same time.',
      agent({
        type: 'general-purpose',
        description: 'Find 24-hour days',
        prompt:
          'Search /home/ada/tidewatch/src for code that assumes a day has 24 hours (86400000, DAY_MS, + 24 * …, setDate on UTC times). Report file and line and whether it is wrong on a day with a clock change. Do not edit.',
        story: [
          {
            do: 'reply',
            seconds: 4,
            blocks: [
              bash(
                'rg -n "86_?400_?000|DAY_MS|24 \\* 60|setDate" src',
                'Search for day lengths',
                `src/feed/ical.ts:3:const DAY_MS = 86_400_000
src/feed/ical.ts:9:  return note(start, start + DAY_MS)
src/http/cache.ts:5:const KEEP_MS = 86_400_000
src/zone.ts:8:export const nextDate = (isoDate: string) => new Date(Date.parse(isoDate) + 86_400_000)…`,
                { seconds: 0.5 },
              ),
            ],
          },
          {
            do: 'reply',
            seconds: 4,
            blocks: [
              'The feed needs a closer look; I hand that on and judge the other three myself.',
              agent({
                type: 'Explore',
                description: 'Read the calendar feed',
                prompt:
                  'Read /home/ada/tidewatch/src/feed/ical.ts. Is DTEND right on 25 October 2026 in Europe/London? Answer in two sentences.',
                story: [
                  { do: 'reply', seconds: 3, blocks: [disk.read('src/feed/ical.ts')] },
                  {
                    do: 'reply',
                    seconds: 4,
                    blocks: [
                      'No: `DTEND` is `start + DAY_MS`, which is 23:00 on a 25-hour day. Calendars show the note ending an hour before midnight; `startOfDay()` of the next date would be right.',
                    ],
                  },
                ],
              }),
            ],
          },
          {
            do: 'reply',
            seconds: 5,
            blocks: [
              `One place is wrong, the others are fine:

- \`src/feed/ical.ts:9\` **wrong**: the note ends at \`start + DAY_MS\`, an hour early on a 25-hour day and an hour late on a 23-hour day. Line 3 goes with it.
- \`src/http/cache.ts:5\` fine: how long a page is kept, not a calendar day.
- \`src/zone.ts:8\` fine: adds a day to a *date*, in UTC.`,
            ],
          },
        ],
      }),
      agent({
        type: 'Explore',
        description: 'Check the zone names',
        prompt:
          'Check that every "zone" in /home/ada/tidewatch/src/harbours.json is an IANA zone that this Node knows. List the ones that are not.',
        story: [
          {
            do: 'reply',
            seconds: 4,
            blocks: [
              bash(
                `node -e 'const known = new Set(Intl.supportedValuesOf("timeZone")); for (const h of require("./src/harbours.json")) if (!known.has(h.zone)) console.log(h.name, h.zone)'`,
                'Compare with the zones Node knows',
                'cuxhaven Europe/Hamburg',
                { seconds: 0.6 },
              ),
            ],
          },
          {
            do: 'reply',
            seconds: 3,
            blocks: [
              '5 of 6 zones exist. `cuxhaven` has `Europe/Hamburg`, which is not an IANA zone; `Europe/Berlin` is the one it means.',
            ],
          },
        ],
      }),
    ],
  },
  {
    do: 'reply',
    seconds: 7,
    blocks: [
      `Both are back. Two findings, and the answer to the question you added:

1. **Calendar feed**: \`src/feed/ical.ts\` ends spring-tide notes at \`start + DAY_MS\`, an hour early on Sunday.
2. **Zones**: \`cuxhaven\` says \`Europe/Hamburg\`, which does not exist. \`Intl\` throws for it, so that page has been failing all along.
3. **Cache**: the key is \`harbour/date\`, without an offset. That is right now, because a date names exactly one local day.`,
    ],
  },
]

export const checking = (disk) => [
  {
    do: 'prompt',
    after: 3320,
    text: 'Good catch on Cuxhaven, I fixed that one myself. Fix the feed, then run the year check over all harbours. I want to see that only clock-change days differ.',
  },
  {
    do: 'reply',
    seconds: 5,
    thinkingTokens: 141,
    blocks: [
      { thinking: '', milliseconds: 2480 },
      disk.edit(
        'src/feed/ical.ts',
        `import { offsetAt } from '../zone.ts'

const DAY_MS = 86_400_000

/** One all-day calendar note per spring tide. */
export function springTideNote(zone: string, isoDate: string): string {
  const midnight = Date.parse(\`\${isoDate}T00:00:00Z\`)
  const start = midnight - offsetAt(zone, midnight)
  return note(start, start + DAY_MS)
}`,
        `import { nextDate, offsetAt, startOfDay } from '../zone.ts'

/** One all-day calendar note per spring tide. */
export function springTideNote(zone: string, isoDate: string): string {
  return note(startOfDay(zone, isoDate), startOfDay(zone, nextDate(isoDate)))
}`,
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash('npm run check:year', 'Check every day of 2026', '', {
        seconds: 31,
        spill: { id: 'b1a2c3d4e', output: yearCheck() },
      }),
    ],
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      `2190 harbour days, no tide lost, no tide twice. Only the clock-change days have another length:

| Harbour | 23 hours | 25 hours |
|---|---|---|
| Portsmouth, Brest, Cuxhaven | 29 March | 25 October |
| Halifax | 8 March | 1 November |
| Hobart | 4 October | 5 April |
| Reykjavík | never | never |

Halifax is the one to watch: its clocks change this Sunday, so the fix should be live before then.`,
    ],
  },
  { do: 'rename', after: 64, title: 'Local days instead of 24 hours' },
]
