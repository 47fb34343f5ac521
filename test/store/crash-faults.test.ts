// Power cuts and kills on a simulated disk: what the store has promised is there afterwards. `npm run faults` runs many
// more of them; CLEW_STORE_CRASHES sets how many, CLEW_STORE_SEED where to begin. A failure names the seed it came from.

import { describe, expect, test } from 'vitest'
import { Violation } from './crash-model.ts'
import { MUTANTS } from './crash-mutants.ts'
import type { ScenarioFigures } from './crash-scenario.ts'
import { runFixed, runScenario } from './crash-scenario.ts'
import type { Operation } from './simulated-disk.ts'

const crashes = Number(process.env['CLEW_STORE_CRASHES'] ?? 1000)
const seed = Number(process.env['CLEW_STORE_SEED'] ?? 1)
const LIVES = 10

test(`${crashes} crashes, from seed ${seed}`, { timeout: 14_400_000 }, async () => {
  const startedMs = performance.now()
  const total: Partial<Record<keyof ScenarioFigures, number>> = {}
  let scenarios = 0
  for (; scenarios * LIVES < crashes; scenarios++) {
    const figures = await runScenario({ seed: seed + scenarios, lives: LIVES }).catch((error: Error) => {
      const again = `CLEW_STORE_SEED=${seed + scenarios} CLEW_STORE_CRASHES=1`
      throw new Error(`${error.message}\nagain with: ${again} npx vitest run test/store/crash-faults.test.ts`)
    })
    for (const [name, count] of Object.entries(figures) as [keyof ScenarioFigures, number][])
      total[name] = (total[name] ?? 0) + count
  }
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  console.log(`store crashes: ${JSON.stringify({ scenarios, ...total, seconds })}`)
})

test('one seed is one run', async () => {
  const run = (): Promise<ScenarioFigures> => runScenario({ seed: 4, lives: LIVES })
  expect(await run()).toEqual(await run())
})

const ANY = `openToAppend openToRead write read sizeOf sync close syncFolder makeFolder names stat rename remove`
const FAULTS: readonly [string, string, string][] = [
  ['EIO', 'any operation', ANY],
  ['ENOSPC', 'what needs room', 'openToAppend write makeFolder rename'],
  ['EIO', 'a sync', 'sync syncFolder'],
]

test.each(FAULTS)('%s once, at every place: %s', async (code, _, words) => {
  const on = new Set(words.split(' ')) as ReadonlySet<string> as ReadonlySet<Operation>
  const count = await runFixed({ nth: 0, on, code })
  const broken: string[] = []
  for (let nth = 1; nth <= count; nth++) {
    await runFixed({ nth, on, code }).catch((error: Error) => broken.push(`${nth}: ${error.message}`))
  }
  console.log(`store faults: ${code} at each of ${count} places, ${broken.length} broken promises`)
  expect(broken).toEqual([])
  expect(count).toBeGreaterThan(20)
})

describe('a store that', () => {
  test.each(Object.entries(MUTANTS))('%s is caught', async (_, front) => {
    let caught: unknown = null
    let scenarios = 0
    for (; caught === null && scenarios < 2000; scenarios++) {
      await runScenario({ seed: 1 + scenarios, lives: LIVES, front }).catch((error) => {
        caught = error
      })
    }
    expect(caught).toBeInstanceOf(Violation)
    console.log(`store mutant: caught in scenario ${scenarios}: ${(caught as Violation).message}`)
  })
})
