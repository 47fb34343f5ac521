// A move that is cut off at every single step, by a crash of the machine, of the process, or by a disk that refuses: the
// undo gives back every byte, also when it is cut off itself.

import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolders, readWhole, replaceFile } from '../../src/disk/durable.ts'
import { filesBelow } from '../../src/disk/folder-files.ts'
import { applyMove } from '../../src/relocate/apply-move.ts'
import type { MovePlan } from '../../src/relocate/move-plan.ts'
import { planMove } from '../../src/relocate/move-plan.ts'
import { moveReceiptIds, readMoveReceipt } from '../../src/relocate/move-receipt.ts'
import { undoMove } from '../../src/relocate/undo-move.ts'
import { randomOf } from '../random.ts'
import type { Faults } from '../store/simulated-disk.ts'
import { Crash, SimulatedDisk } from '../store/simulated-disk.ts'
import { homeFiles, NEW, NOW_MS, OLD } from './fixture.ts'

const HOME = '/home/ada'
const ROOT = `${HOME}/.claude`
/** The simulated clock stands later than the time of the test. */
const LATER_MS = 1_890_000_000_000
const options = { id: 'r1', nowMs: LATER_MS, isRunning: (): boolean => false }

async function newDisk(disk = new SimulatedDisk(randomOf(1))): Promise<SimulatedDisk> {
  for (const [name, text] of Object.entries(homeFiles())) {
    const path = `${HOME}/${name}`
    await makeFolders(disk, dirname(path))
    await replaceFile(disk, path, Buffer.from(text))
  }
  expect(LATER_MS).toBeGreaterThan(NOW_MS)
  return disk
}

function bytesBelow(disk: SimulatedDisk): Readonly<Record<string, string>> {
  const files = filesBelow(disk, HOME).files
  return Object.fromEntries(
    files.map(({ path }) => [path, createHash('sha256').update(readWhole(disk, path)).digest('hex')]),
  )
}

const plan = (disk: SimulatedDisk, rewritesCwd: boolean): MovePlan =>
  planMove(disk, ROOT, { from: OLD, to: NEW }, { ...options, rewritesCwd })

/** What happens to an apply that meets a fault; the disk as it is found afterwards. */
async function cutOff(disk: SimulatedDisk, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
  expect(disk).toBeDefined()
}

async function undoAll(disk: SimulatedDisk): Promise<void> {
  for (const id of moveReceiptIds(disk, ROOT)) {
    const receipt = readMoveReceipt(disk, ROOT, id)
    if (disk.isDown) throw new Crash()
    expect(receipt).not.toBeNull()
    if (receipt === null) continue
    const { conflicts, failure } = await undoMove(disk, ROOT, receipt)
    if (failure?.cause instanceof Crash) throw failure.cause
    if (disk.isDown) throw new Crash()
    expect([conflicts, failure]).toEqual([[], null])
  }
}

/** What is left behind by something that was cut off before it had begun does no harm. */
function withoutLeftovers(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes('/clew-moves/')))
}

describe.each([
  ['with a record added', false],
  ['with records changed', true],
])('%s', (_, rewritesCwd) => {
  test.each(['power cut', 'killed'])(
    '%s at every operation',
    async (how) => {
      const whole = await newDisk()
      const before = bytesBelow(whole)
      const planned = plan(whole, rewritesCwd)
      const start = whole.operations
      expect((await applyMove(whole, planned, options)).failure).toBeNull()
      const operations = whole.operations - start
      expect(operations).toBeGreaterThan(200)
      for (let at = 1; at <= operations; at += 1) {
        const first = (await newDisk()).kill({ crashAt: at })
        await cutOff(first, () => applyMove(first, planned, options))
        const random = randomOf(at)
        // The undo is cut off as well, somewhere, and asked again.
        const faults: Faults = at % 2 === 0 ? { crashAt: 1 + random.below(400) } : {}
        const second = how === 'killed' ? first.kill(faults) : first.crash(random, faults)
        await cutOff(second, () => undoAll(second))
        const third = how === 'killed' ? second.kill() : second.crash(random)
        await undoAll(third)
        expect([at, withoutLeftovers(bytesBelow(third))]).toEqual([at, before])
      }
    },
    120_000,
  )

  test('a disk that refuses once, at every operation that can fail', async () => {
    const on = new Set(['write', 'sync', 'syncFolder', 'openToAppend', 'rename', 'makeFolder'] as const)
    const whole = await newDisk()
    const before = bytesBelow(whole)
    const planned = plan(whole, rewritesCwd)
    for (let nth = 1; ; nth++) {
      const disk = (await newDisk()).kill({ failing: { nth, on, code: 'ENOSPC' } })
      const { failure } = await applyMove(disk, planned, options)
      if (disk.failures === 0) {
        expect(nth).toBeGreaterThan(50)
        expect(failure).toBeNull()
        break
      }
      expect(failure).not.toBeNull()
      disk.mend()
      await undoAll(disk)
      expect([nth, withoutLeftovers(bytesBelow(disk))]).toEqual([nth, before])
    }
  }, 120_000)
})

test('the fixture is moved whole', async () => {
  const disk = await newDisk()
  const before = bytesBelow(disk)
  await applyMove(disk, plan(disk, true), options)
  expect(Object.keys(bytesBelow(disk)).length).toBeGreaterThan(Object.keys(before).length)
  await undoAll(disk)
  expect(bytesBelow(disk)).toEqual(before)
})

/** A client writes its .claude.json in the very moment when another is about to take its place. */
class BusyDisk extends SimulatedDisk {
  #next = -1
  #isDone = false

  override openToAppend(path: string, isNew: boolean): number {
    const fd = super.openToAppend(path, isNew)
    if (path === `${SETTINGS}.clew-next`) this.#next = fd
    return fd
  }

  override async sync(fd: number): Promise<void> {
    await super.sync(fd)
    if (this.#isDone || fd !== this.#next) return
    this.#isDone = true
    const client = super.openToAppend(SETTINGS, false)
    super.write(client, Buffer.from('\n'))
    super.close(client)
  }
}

const SETTINGS = `${HOME}/.claude.json`

describe('a client that writes .claude.json meanwhile loses nothing', () => {
  const written = (disk: SimulatedDisk): string => readWhole(disk, SETTINGS).toString('utf8')

  test('by a move, which stops and says why', async () => {
    const disk = await newDisk(new BusyDisk(randomOf(1)))
    const before = written(disk)
    const { failure, receipt } = await applyMove(disk, plan(disk, false), options)
    expect(failure?.message).toBe(`${SETTINGS} was written to meanwhile`)
    expect(receipt?.finishedAt).toBeNull()
    expect(written(disk)).toBe(`${before}\n`)
    await undoAll(disk)
    expect(written(disk)).toBe(`${before}\n`)
  })

  test('by an undo, which goes on when it is asked again', async () => {
    const disk = await newDisk()
    const before = written(disk)
    const { receipt } = await applyMove(disk, plan(disk, false), options)
    if (receipt === null) throw new Error('nothing was moved')
    const busy = new BusyDisk(randomOf(1))
    for (const { path } of filesBelow(disk, HOME).files) {
      await makeFolders(busy, dirname(path))
      await replaceFile(busy, path, readWhole(disk, path))
    }
    const after = written(busy)
    const { failure } = await undoMove(busy, ROOT, receipt)
    expect(failure?.message).toBe(`${SETTINGS} was written to meanwhile`)
    expect(written(busy)).toBe(`${after}\n`)
    await undoAll(busy)
    expect(written(busy)).toBe(`${before}\n`)
  })
})
