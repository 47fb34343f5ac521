// One seed, one run: several lives of a store on one simulated disk, each ended by a power cut or a kill at an operation
// nobody chose. After each, the disk must still have what was promised, and the next life goes on from what is left.

import type { Disk } from '../../src/disk/disk.ts'
import { openStore } from '../../src/store/open-store.ts'
import { NO_LOCK } from '../../src/store/session-lock.ts'
import { StoreError } from '../../src/store/store-error.ts'
import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import type { ModelFigures } from './crash-model.ts'
import { CrashModel, Violation } from './crash-model.ts'
import type { Life } from './crash-steps.ts'
import { again, FIXED_STEPS, group, ROOT, STEPS, single } from './crash-steps.ts'
import type { Faults } from './simulated-disk.ts'
import { SimulatedDisk } from './simulated-disk.ts'

export interface ScenarioOptions {
  readonly seed: number
  readonly lives: number
  /** A disk that is wrong on purpose, in front of the simulated one. */
  readonly front?: (disk: SimulatedDisk, random: Random) => Disk
}

export interface ScenarioFigures extends ModelFigures {
  powerCuts: number
  kills: number
  operations: number
  failures: number
  refused: number
}

/** Throws a Violation at the first promise that was not kept. */
export async function runScenario({ seed, lives, front }: ScenarioOptions): Promise<ScenarioFigures> {
  const random = randomOf(seed)
  const run = newRun(random, front)
  let disk = new SimulatedDisk(random, someFaults(random))
  for (let count = 0; count < lives; count++) {
    const life = run.beginLife(disk)
    for (let steps = 2 + random.below(8); steps > 0 && !disk.isDown; steps--) {
      await random.pick(STEPS)(life)
      if (random.chance(0.1)) disk.mend()
    }
    if (random.chance(0.3)) for (const session of life.open.values()) await life.ask(() => session.close())
    // A process that is killed after a failed sync can tell nobody what became of its bytes.
    const isPowerCut = random.chance(0.75) || disk.failedSyncs > 0
    disk = run.endLife(disk, isPowerCut, someFaults(random))
  }
  return { ...run.figures, ...run.model.figures }
}

/** The same steps each time, once with each fault. Tells how many operations there were that could have failed. */
export async function runFixed(failing: NonNullable<Faults['failing']>): Promise<number> {
  const random = randomOf(7)
  const run = newRun(random)
  const disk = new SimulatedDisk(random, { failing })
  const life = run.beginLife(disk)
  for (const step of FIXED_STEPS) await step(life)
  for (const session of life.open.values()) await life.ask(() => session.close())
  const next = run.endLife(disk, true, {})
  const after = run.beginLife(next)
  for (const step of [again, single, group]) await step(after)
  run.endLife(next, true, {})
  if (run.figures.refused > 0 && disk.failures === 0) throw new Violation('refused although nothing failed')
  return disk.failingSeen
}

interface Run {
  readonly model: CrashModel
  readonly figures: Omit<ScenarioFigures, keyof ModelFigures>
  readonly beginLife: (disk: SimulatedDisk) => Life
  /** What is left of the disk, after a look at it. */
  readonly endLife: (disk: SimulatedDisk, isPowerCut: boolean, faults: Faults) => SimulatedDisk
}

function newRun(random: Random, front?: ScenarioOptions['front']): Run {
  const model = new CrashModel()
  const figures = { powerCuts: 0, kills: 0, operations: 0, failures: 0, refused: 0 }
  let ids = 0
  const newId = (): string => `${(++ids).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  const unkept: Life['unkept'] = new Map()
  const beginLife = (disk: SimulatedDisk): Life => {
    const inFront = front?.(disk, random) ?? disk
    const store = openStore({ root: ROOT, disk: inFront, lock: () => NO_LOCK, nowMs: () => 1_790_000_000_000, newId })
    const ask = askOf(disk, () => figures.refused++)
    return { disk, front: inFront, store, model, random, newId, open: new Map(), unkept, ask }
  }
  const endLife = (disk: SimulatedDisk, isPowerCut: boolean, faults: Faults): SimulatedDisk => {
    figures.operations += disk.operations
    figures.failures += disk.failures
    if (disk.failedSyncs > 0) model.hadFailedSync = true
    if (isPowerCut) figures.powerCuts++
    else figures.kills++
    const next = isPowerCut ? disk.crash(random, faults) : disk.kill(faults)
    model.verify(next.root, ROOT, isPowerCut)
    if (random.chance(0.3)) verifyReading(model, next, random)
    return next
  }
  return { model, figures, beginLife, endLife }
}

/** Most lives end by a crash, some by having nothing more to do; in some the disk is not well either. */
function someFaults(random: Random): Faults {
  const crashAt = random.chance(0.9) ? 1 + random.below(random.pick([15, 40, 100, 200])) : undefined
  return {
    ...(crashAt === undefined ? {} : { crashAt }),
    ...(random.chance(0.2) ? { failShare: random.pick([0.01, 0.05]) } : {}),
    ...(random.chance(0.3) ? { shortShare: 0.3 } : {}),
    ...(random.chance(0.1) ? { roomBytes: random.below(8000) } : {}),
  }
}

/** The store itself must find what it promised. */
function verifyReading(model: CrashModel, { root }: SimulatedDisk, random: Random): void {
  const store = openStore({ root: ROOT, disk: new SimulatedDisk(random, {}, root), lock: () => NO_LOCK })
  const listed = new Set(store.list().map(({ sessionId }) => sessionId))
  for (const { id, promised, places } of model.sessions.values()) {
    if (promised.size === 0 || places.length > 1 || places[0] !== 'projects') continue
    if (!listed.has(id)) throw new Violation(`${id} is not listed`)
    const uuids = new Set(store.load(id).records.map(({ uuid }) => uuid))
    for (const uuid of promised.keys()) if (!uuids.has(uuid)) throw new Violation(`${id}: ${uuid} is not loaded`)
  }
}

/** What no failure of a disk is a reason for. */
const WRONG_REASONS: ReadonlySet<string> = new Set(
  'unknown-session ambiguous-session session-exists unknown-record not-a-record live-session locked'.split(' '),
)

function askOf(disk: SimulatedDisk, onRefused: () => void): Life['ask'] {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Violation) throw error
      if (disk.isDown) return null
      onRefused()
      if (!(error instanceof StoreError)) {
        const { message, stack = '' } = error as Error
        throw new Violation(`not a StoreError: ${message} ${stack.split('\n').find((line) => line.includes('/src/'))}`)
      }
      if (WRONG_REASONS.has(error.code) || disk.failures === 0)
        throw new Violation(`refused for no reason: ${error.code}, ${error.message}`)
      return null
    }
  }
}
