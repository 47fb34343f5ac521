// Evening and next morning: an answer cut short, a release, a compaction, a pull request.

import { bash } from '../tools.mjs'

export const releasing = (disk) => [
  { do: 'prompt', after: 1260, text: 'Drop utcOffsetMs, add a changelog line and prepare the release.' },
  {
    do: 'reply',
    seconds: 4,
    isAborted: true,
    blocks: [
      "I'll prepare **2.4.0**: `Harbour` loses its public field `utcOffsetMs`, so a new minor version is the honest choice. First the changelog, then `package.json`, then I'll ta",
    ],
  },
  {
    do: 'prompt',
    after: 12,
    text: 'Patch release please, 2.3.1. Nobody outside used that field. Own branch, one commit.',
  },
  {
    do: 'reply',
    seconds: 5,
    blocks: [
      disk.edit(
        'CHANGELOG.md',
        '## 2.3.0',
        `## 2.3.1

- Tide times are right again after a clock change: a day is a local calendar day of 23, 24 or 25 hours.
- Spring-tide notes in the calendar feed end at midnight on those days too.

## 2.3.0`,
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash(
        "sed -i '/utcOffsetMs/d' src/model.ts src/harbours.ts && git switch -q -c fix/local-days && npm version patch --no-git-tag-version && git add -A && git commit -qm 'Fix tide times after a clock change' && git show --stat --oneline HEAD",
        'Commit on a branch of its own',
        `v2.3.1
8c1f2ae Fix tide times after a clock change
 CHANGELOG.md       |  5 +++++
 package.json       |  2 +-
 src/feed/ical.ts   |  8 ++------
 src/harbours.json  |  2 +-
 src/harbours.ts    |  1 -
 src/model.ts       |  1 -
 src/tides/day.ts   | 12 ++++++------
 src/zone.ts        | 28 ++++++++++++++++++++++------
 test/day.test.ts   | 23 +++++++++++++++++++++++
 9 files changed, 60 insertions(+), 22 deletions(-)`,
        { seconds: 2.4, switchesTo: 'fix/local-days' },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: ['Committed as `8c1f2ae` on `fix/local-days`, version 2.3.1. Not pushed yet.'],
  },
  { do: 'close', after: 4 },
]

export const nextMorning = (disk) => [
  { do: 'open', at: '2026-10-28T08:47:15Z' },
  {
    do: 'compact',
    after: 9,
    args: 'keep the file names and what is still open',
    recap: `1. Request: tide times were an hour late after the clock change of 25 October 2026; find the cause, fix it, release it as 2.3.1.

2. Causes: the UTC offset was read once at start-up, and a day was always 24 hours long.

3. Files:
   - src/zone.ts: startOfDay() and nextDate() added; offsetAt() reads formatToParts(), no regular expression, no new dependency
   - src/tides/day.ts: the window runs from the start of the day to the start of the next
   - src/feed/ical.ts: DTEND is the start of the next day
   - test/day.test.ts: 24, 25 and 23 hours, and the 23:41 high water of Sunday
   - src/model.ts, src/harbours.ts: utcOffsetMs removed
   - CHANGELOG.md, package.json: 2.3.1

4. Checked: 21 tests, the type checker, and all 2190 harbour days of 2026.

5. Still open: push fix/local-days (commit 8c1f2ae), open the pull request, deploy before Halifax changes its clocks on 1 November.`,
  },
  { do: 'prompt', after: 20, text: 'Morning. Push it and open the pull request, mention the calendar feed.' },
  {
    do: 'reply',
    seconds: 4,
    blocks: [
      bash(
        'git push -q -u origin fix/local-days && gh pr create --title "Fix tide times after a clock change" --body-file .git/pr.md',
        'Push and open the pull request',
        'https://github.com/ada-example/tidewatch/pull/57',
        {
          seconds: 4.6,
          pullRequest: {
            prNumber: 57,
            prUrl: 'https://github.com/ada-example/tidewatch/pull/57',
            prRepository: 'ada-example/tidewatch',
          },
          result: {
            gitOperation: {
              pr: { number: 57, url: 'https://github.com/ada-example/tidewatch/pull/57', action: 'created' },
            },
          },
        },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      'Opened [#57](https://github.com/ada-example/tidewatch/pull/57). The description names both causes, the calendar feed, and that Halifax changes its clocks on Sunday.',
    ],
  },
  { do: 'prompt', after: 420, text: 'CI is red. Have a look?' },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash(
        'gh run view --log-failed | tail -n 8',
        'Read the failed job',
        `lint  src/feed/ical.ts:1:20 lint/correctness/noUnusedImports
lint    × This import is unused.
lint    > 1 │ import { nextDate, offsetAt, startOfDay } from '../zone.ts'
lint        │                    ^^^^^^^^
lint  Found 1 error.`,
        { seconds: 2.2 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 4,
    blocks: [
      'Only the linter: the feed no longer needs `offsetAt`.',
      disk.edit('src/feed/ical.ts', 'import { nextDate, offsetAt, startOfDay }', 'import { nextDate, startOfDay }'),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash(
        'npx biome check src && npx vitest run && git commit -qam "Remove an unused import" && git push -q && gh pr checks --watch',
        'Check, commit, push and wait for CI',
        `Checked 19 files in 21ms. No fixes applied.
 Test Files  3 passed (3)
      Tests  21 passed (21)
lint   pass  18s
test   pass  41s
build  pass  33s`,
        { seconds: 58 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      'All three checks pass now. I should have run the linter before the push; it is part of my last step from here on.',
    ],
  },
  {
    do: 'prompt',
    after: 260,
    text: "Merged, thanks. Last thing: two sentences for the harbour masters' mailing list, no jargon please.",
  },
  {
    do: 'reply',
    seconds: 5,
    blocks: [
      `> Since Sunday's clock change our tide tables showed high and low water one hour late, and one tide on the wrong day. This was corrected on Wednesday morning; please throw away any tables printed between 25 and 28 October.

Shall I add that the printed yearbook is not affected? It is made from the same numbers, but in UTC.`,
    ],
  },
  { do: 'close', after: 30 },
]
