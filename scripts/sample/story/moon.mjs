// A small feature on its own branch: the moon beside the tide table, with an agent at work in the background.

import { agent, bash, openDisk } from '../tools.mjs'

const CWD = '/home/ada/tidewatch'
const disk = openDisk(CWD, {})

export const moon = {
  seed: 'moon',
  cwd: CWD,
  gitBranch: 'feat/moon-phase',
  story: [
    { do: 'open', at: '2026-10-28T14:03:22Z', title: 'Moon phase beside the tide table' },
    {
      do: 'prompt',
      after: 51,
      text: 'People ask why some high waters are higher. Let us draw the moon next to the table. Have an agent pull the 2027 phases out of docs/almanac-2027.txt in the background, and write moonPhase() meanwhile.',
    },
    { do: 'retry', after: 2, waitsMs: [1000, 2140] },
    {
      do: 'reply',
      seconds: 5,
      blocks: [
        'The agent can start right away.',
        agent({
          type: 'general-purpose',
          description: 'Collect the phases of 2027',
          prompt:
            'Read docs/almanac-2027.txt and write test/fixtures/moon-2027.json: one object per new and full moon, {"kind", "utc"}. Report the count and anything unclear.',
          label: 'phases',
          isBackground: true,
          story: [
            {
              do: 'reply',
              seconds: 6,
              blocks: [
                bash(
                  'grep -nE "New|Full" docs/almanac-2027.txt | head -n 4; grep -cE "New|Full" docs/almanac-2027.txt',
                  'Look at the almanac',
                  '12:New   07 Jan 20:24\n13:Full  22 Jan 12:17\n14:New   06 Feb 15:56\n15:Full  20 Feb 23:23\n25',
                  { seconds: 0.3 },
                ),
              ],
            },
            {
              do: 'reply',
              seconds: 8,
              blocks: [
                bash(
                  'node scripts/almanac.mjs > test/fixtures/moon-2027.json && grep -c utc test/fixtures/moon-2027.json',
                  'Write the fixture',
                  '25',
                  { seconds: 1.1 },
                ),
              ],
            },
            {
              do: 'reply',
              seconds: 25,
              blocks: [
                'Wrote 25 phases to `test/fixtures/moon-2027.json`: 13 new moons, 12 full moons, all in UTC. Nothing was unclear.',
              ],
            },
          ],
        }),
      ],
    },
    {
      do: 'reply',
      seconds: 6,
      blocks: [
        disk.write(
          'src/moon.ts',
          `const SYNODIC_MS = 29.530588853 * 86_400_000
const NEW_MOON_MS = Date.UTC(2000, 0, 6, 18, 14)

/** 0 is new moon, 0.5 is full moon; counted in mean lunations. */
export function moonPhase(timeMs: number): number {
  const age = (timeMs - NEW_MOON_MS) / SYNODIC_MS
  return age - Math.floor(age)
}
`,
        ),
      ],
    },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        '`moonPhase()` is in `src/moon.ts`. It counts mean lunations, which can be off by some hours; as soon as the agent has the phases I will measure how many.',
      ],
    },
    { do: 'notify', label: 'phases' },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        bash(
          'node scripts/compare-moon.mjs',
          'Compare with the almanac',
          'phases 25\nmean difference   7 h 22 min\nlargest          17 h 13 min  (new moon, 29 Oct)',
          { seconds: 0.7 },
        ),
      ],
    },
    {
      do: 'reply',
      seconds: 4,
      blocks: [
        `The almanac is in, 25 phases. \`moonPhase()\` is off by **7 hours on average and 17 at worst**. That is a fortieth of a lunation: fine for a drawing, not for a clock. I would not print a time next to it.`,
      ],
    },
    { do: 'prompt', after: 130, text: 'Agreed, a drawing it is. Commit what we have on this branch.' },
    {
      do: 'reply',
      seconds: 3,
      blocks: [
        bash(
          'git add -A && git commit -qm "Add moonPhase()" && git log --oneline -1',
          'Commit',
          'd04b7e1 Add moonPhase()',
          { seconds: 0.4 },
        ),
      ],
    },
    { do: 'reply', seconds: 2, blocks: ['Committed as `d04b7e1`, with the 25 phases as a fixture.'] },
    { do: 'close', after: 8 },
  ],
}
