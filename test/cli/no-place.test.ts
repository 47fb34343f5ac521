import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clew, sample } from './run.ts'

// Node's recursive mkdir does not come back from there.
const PLACE = '/proc/nowhere'

test.skipIf(!existsSync('/proc'))('where nothing can be kept, everything works all the same, and nothing hangs', () => {
  const env = { XDG_CACHE_HOME: PLACE, XDG_CONFIG_HOME: PLACE }
  for (const words of [['list'], ['usage'], ['scan'], ['export', '2ab6', '-f', 'txt'], ['brief', '2ab6']])
    expect([words, clew([...words, '--root', sample], { env }).status]).toEqual([words, 0])
})
