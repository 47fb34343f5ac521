// A side path taken with /branch before anything is changed: the same fix with Temporal, and what it would cost.

import { bash } from '../tools.mjs'

export const temporalBranch = [
  {
    do: 'prompt',
    after: 46,
    text: 'Before we touch anything: how would the fix look with Temporal? Try it in a scratch folder, a polyfill is fine.',
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      'Let me write it next to the real thing, with one test for Sunday.',
      bash(
        'cd scratch && npm install --no-save temporal-polyfill && npx vitest run',
        'Try the polyfill in a scratch folder',
        'added 2 packages in 1s\n\n ✓ sunday.test.ts (2 tests) 14ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)',
        { seconds: 5.3 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 6,
    blocks: [
      `It works, and the window takes three lines:

\`\`\`ts
const day = Temporal.PlainDate.from(isoDate)
const start = day.toZonedDateTime(harbour.zone).epochMilliseconds
const end = day.add({ days: 1 }).toZonedDateTime(harbour.zone).epochMilliseconds
\`\`\`

It reads like the sentence one would say: *the day, in that zone, until the next day*. Sunday comes out with 25 hours and its 23:41 high water.`,
    ],
  },
  { do: 'prompt', after: 95, text: 'Lovely. What does it cost in the page bundle?' },
  {
    do: 'reply',
    seconds: 3,
    blocks: [
      bash(
        'npm run build -- --report | grep "page.js"',
        'Compare the bundle sizes',
        'main     dist/page.js   31.4 kB │ gzip: 12.1 kB\nscratch  dist/page.js   84.9 kB │ gzip: 32.6 kB',
        { seconds: 7.7 },
      ),
    ],
  },
  {
    do: 'reply',
    seconds: 5,
    blocks: [
      `20.5 kB more after gzip: the page goes from 12.1 to 32.6 kB, to save some ten lines.

I would write those lines with \`Intl\` and come back when the browsers we support bring Temporal along. A test for Sunday does not care which one it is.`,
    ],
  },
  { do: 'close', after: 15 },
]
