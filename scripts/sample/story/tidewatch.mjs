// Two days on the tide tables: why every harbour page is an hour late since the clocks went back, and the way to the fix.

import { openDisk } from '../tools.mjs'
import { temporalBranch } from './temporal-branch.mjs'
import { fixing, looking } from './tidewatch-cause.mjs'
import { asking, checking, rewinding } from './tidewatch-checks.mjs'
import { FILES } from './tidewatch-files.mjs'
import { nextMorning, releasing } from './tidewatch-release.mjs'

const cwd = '/home/ada/tidewatch'
// The parts are told in order, because each one edits the files the next one finds.
const disk = openDisk(cwd, FILES)

export const tidewatch = {
  seed: 'tidewatch',
  cwd,
  gitBranch: 'main',
  story: [
    ...looking(disk),
    { do: 'branch', after: 240, story: temporalBranch },
    ...fixing(disk),
    ...rewinding(disk),
    ...asking(disk),
    ...checking(disk),
    ...releasing(disk),
    ...nextMorning(disk),
  ],
}
