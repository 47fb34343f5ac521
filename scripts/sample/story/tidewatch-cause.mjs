// The first morning: where the lost hour comes from, and the fix, test first.

import { bash, exitPlan } from '../tools.mjs'
import { DAY_TEST } from './tidewatch-files.mjs'

export const looking = (disk) => [
  { do: 'open', at: '2026-10-27T09:12:07Z', title: 'Tides an hour late since the clock change' },
  {
    do: 'prompt',
    after: 38,
    text: "Since the clocks went back on Sunday every harbour page shows high water an hour late. Portsmouth also lists Sunday's 23:41 high water on Monday. Find out why, start in src/tides. Don't change anything yet.",
  },
  {
    do: 'reply',
    seconds: 6,
    thinkingTokens: 96,
    blocks: [
      {
        thinking:
          'An hour late since 25 October smells like an offset that was read once and then kept. The tide that moved to Monday is a second symptom: Sunday had 25 hours in Europe/London, so a window of exactly 24 hours loses the last one. Three look-ups that do not depend on each other: the day function, every use of the offset, and whether a test covers clock changes.',
        milliseconds: 3140,
      },
      "I'll look at the day window, at everything that uses the offset, and at whether a test covers the clock change.",
      disk.read('src/tides/day.ts'),
      bash(
        'rg -n "utcOffsetMs|DAY_MS" src',
        'Find uses of the offset and the day length',
        `src/harbours.ts:14:    utcOffsetMs: offsetAt(row.zone, Date.now()),
src/model.ts:9:  readonly utcOffsetMs: number
src/tides/day.ts:4:const DAY_MS = 24 * 60 * 60 * 1000
src/tides/day.ts:8:  const start = Date.parse(\`\${isoDate}T00:00:00Z\`) - harbour.utcOffsetMs
src/tides/day.ts:9:  return turningPoints(harbour.constituents, start, start + DAY_MS).map((point) => ({
src/tides/day.ts:12:    localTime: clock(point.timeMs + harbour.utcOffsetMs),`,
        { seconds: 0.4 },
      ),
      bash(
        'npx vitest run test/clock.test.ts',
        'Run the clock change tests',
        'No test files found, exiting with code 1\n\nfilter: test/clock.test.ts\ninclude: **/*.{test,spec}.?(c|m)[jt]s?(x)',
        { exit: 1, seconds: 1.8 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 9,
    blocks: [
      `Two separate mistakes add up:

1. **The offset is frozen at start-up.** \`src/harbours.ts:14\` asks for it once, with \`Date.now()\`. The server has been running since 3 September, so it still adds the hour of summer time.
2. **A day is always 24 hours.** \`tidesOfDay()\` ends its window at \`start + DAY_MS\`. Sunday had 25 hours in \`Europe/London\`, so its last hour ends up on Monday's page.

| Date | The local day, in UTC | The window we use |
|---|---|---|
| 24 Oct | 23 Oct 23:00 – 24 Oct 23:00 | the same |
| 25 Oct | 24 Oct 23:00 – **26 Oct 00:00** | ends at 25 Oct 23:00 |
| 26 Oct | 26 Oct 00:00 – 27 Oct 00:00 | begins an hour early |

A restart would hide the first one until March; the second one would stay. No test covers either of them: \`test/clock.test.ts\` does not exist.`,
    ],
  },
]

export const fixing = (disk) => [
  { do: 'open', at: '2026-10-27T09:24:30Z' },
  {
    do: 'prompt',
    after: 41,
    permissionMode: 'plan',
    slug: 'quiet-harbour',
    text: 'Right. Plan the fix: a day is a local calendar day, 23 or 25 hours long if it has to be. tidesOfDay() keeps its signature, and I want to see a failing test first.',
  },
  { do: 'reply', seconds: 3, blocks: [disk.read('src/zone.ts')] },
  {
    do: 'reply',
    seconds: 8,
    blocks: [
      exitPlan(
        `# Local days instead of 24 hours

1. \`test/day.test.ts\`: 25 October 2026 has 25 hours in Portsmouth and keeps its 23:41 high water; 28 March 2027 has 23.
2. \`src/zone.ts\`: add \`startOfDay(zone, isoDate)\`, which asks for the offset *at that instant*.
3. \`src/tides/day.ts\`: the window runs from the start of the day to the start of the next one.
4. Drop \`utcOffsetMs\` from \`Harbour\`.

Not in this change: the calendar feed and the cache. I have not looked at them yet.`,
        '/home/ada/.claude/plans/quiet-harbour.md',
      ),
    ],
  },
  { do: 'reply', seconds: 5, blocks: ['The test first.', disk.write('test/day.test.ts', DAY_TEST)] },
  {
    do: 'reply',
    seconds: 2,
    blocks: [
      bash(
        'npx vitest run test/day.test.ts',
        'Run the new test',
        ` ❯ test/day.test.ts (4 tests | 4 failed) 21ms
   × local days > 2026-10-24 lasts until 2026-10-25, 24 hours
     → startOfDay is not a function
   × local days > 2026-10-25 lasts until 2026-10-26, 25 hours
     → startOfDay is not a function
   × local days > 2027-03-28 lasts until 2027-03-29, 23 hours
     → startOfDay is not a function
   × local days > the evening high water stays on Sunday
     → expected [ '06:02', '12:19', '18:29' ] to deeply equal [ '05:02', '11:19', '17:29', …(1) ]

 Test Files  1 failed (1)
      Tests  4 failed (4)`,
        { exit: 1, seconds: 2.3 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      'Red for the right reasons: the last one shows both mistakes at once, an hour late and one tide short. Now `startOfDay()`.',
      disk.edit(
        'src/zone.ts',
        '/** Milliseconds that `zone` is ahead',
        `/** The instant at which a calendar day begins in \`zone\`. */
export function startOfDay(zone: string, isoDate: string): number {
  const midnightUtc = Date.parse(\`\${isoDate}T00:00:00Z\`)
  const guess = midnightUtc - offsetAt(zone, midnightUtc)
  return midnightUtc - offsetAt(zone, guess)
}

export const nextDate = (isoDate: string) => new Date(Date.parse(isoDate) + 86_400_000).toISOString().slice(0, 10)

/** Milliseconds that \`zone\` is ahead`,
        {
          hook: {
            hookName: 'PostToolUse:Edit',
            hookEvent: 'PostToolUse',
            content: '',
            stdout: 'Formatted 1 file in 4ms. No fixes applied.\n',
            stderr: '',
            exitCode: 0,
            command: 'npx biome format --write "$CLAUDE_FILE_PATHS"',
            durationMs: 212,
          },
        },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      disk.edit(
        'src/tides/day.ts',
        `import { turningPoints } from './harmonic.ts'

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
`,
        `import { nextDate, offsetAt, startOfDay } from '../zone.ts'
import { turningPoints } from './harmonic.ts'

/** High and low waters of one local calendar day, which has 23, 24 or 25 hours. */
export function tidesOfDay(harbour: Harbour, isoDate: string): Tide[] {
  const start = startOfDay(harbour.zone, isoDate)
  const end = startOfDay(harbour.zone, nextDate(isoDate))
  return turningPoints(harbour.constituents, start, end).map((point) => ({
    kind: point.isHigh ? 'high' : 'low',
    heightMetres: point.height,
    localTime: clock(point.timeMs + offsetAt(harbour.zone, point.timeMs)),
  }))
}
`,
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 2,
    blocks: [
      bash(
        'npx vitest run && npx tsc --noEmit',
        'Run all tests and the type checker',
        ` ✓ test/day.test.ts (4 tests) 9ms
 ✓ test/harmonic.test.ts (11 tests) 38ms
 ✓ test/pages.test.ts (6 tests) 51ms

 Test Files  3 passed (3)
      Tests  21 passed (21)`,
        { seconds: 6.1 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 5,
    blocks: [
      `Green, and the type checker agrees. What changed:

- \`startOfDay()\` asks for the offset twice: once at midnight UTC, once at its own first guess. On the day of a change the two can differ.
- \`tidesOfDay()\` has the same signature. Its window is as long as the day is.
- Local times use the offset *of that tide*, so a tide just before the change and one just after it are both right.

\`utcOffsetMs\` is now unused; I left it in place until you have seen this.`,
    ],
  },
]
