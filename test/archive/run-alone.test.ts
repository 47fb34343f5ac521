// Many ask at once, one works, and nobody's wish is forgotten.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runAlone } from '../../src/archive/run-alone.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-alone-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const nowMs = Date.now()

test('whoever comes meanwhile is served by the one at work', async () => {
  let atWork = 0
  let rounds = 0
  const work = async (): Promise<void> => {
    expect(++atWork).toBe(1)
    rounds++
    if (rounds === 1) {
      const others = await Promise.all([1, 2, 3].map(() => runAlone(REAL_DISK, folder, work, { nowMs })))
      expect(others).toEqual([0, 0, 0])
    }
    atWork--
  }
  expect(await runAlone(REAL_DISK, folder, work, { nowMs })).toBe(2)
  expect(rounds).toBe(2)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['was killed', { nowMs, isRunning: () => false }],
  ['has been at it for a day', { nowMs: nowMs + 86_400_000, isRunning: () => true }],
])('one that %s is not waited for', async (_, options) => {
  writeFileSync(join(folder, 'archive.running'), '4711\n')
  expect(await runAlone(REAL_DISK, folder, async () => undefined, options)).toBe(1)
  expect(existsSync(join(folder, 'archive.running'))).toBe(false)
})

test('one that lives is', async () => {
  writeFileSync(join(folder, 'archive.running'), `${process.pid}\n`)
  expect(await runAlone(REAL_DISK, folder, () => Promise.reject(new Error('no')), { nowMs })).toBe(0)
})

test('a failure leaves no lock behind', async () => {
  rmSync(join(folder, 'archive.running'))
  rmSync(join(folder, 'archive.again'))
  await expect(runAlone(REAL_DISK, folder, () => Promise.reject(new Error('no')), { nowMs })).rejects.toThrow('no')
  expect(readdirSync(folder)).toEqual([])
})
