// The index under a running server: found broken it is begun anew, and everybody turns to the new one.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { Report } from '../../src/server/keep-archive.ts'
import { ServedIndex } from '../../src/server/served-index.ts'
import { sample } from '../cli/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-served-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const done = (reports: readonly Report[]): number => reports.filter(({ kind }) => kind === 'done').length

test('a broken index is set aside and made again; another mistake changes nothing', async () => {
  const indexPath = join(folder, 'index.sqlite')
  const archive = findTranscripts([sample])
  const served = new ServedIndex({ archive, copies: null, indexPath, hasWorker: false })
  const reports: Report[] = []
  served.start((report) => reports.push(report))
  await expect.poll(() => done(reports)).toBe(1)
  const first = served.index
  expect(first.stamps().size).toBe(2)
  served.heal(new Error('something else'))
  expect(served.index).toBe(first)
  served.heal(Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR', errcode: 11 }))
  await expect.poll(() => served.index !== first && done(reports) >= 2).toBe(true)
  expect(existsSync(`${indexPath}.aside`)).toBe(true)
  expect(await served.index.access().list(served.archive)).toHaveLength(5)
  await served.close()
})

test('in memory it works the same, without a file', async () => {
  const served = new ServedIndex({ archive: findTranscripts([sample]), copies: null, indexPath: null, hasWorker: true })
  const reports: Report[] = []
  served.start((report) => reports.push(report))
  await expect.poll(() => done(reports)).toBeGreaterThan(0)
  expect(served.index.stamps().size).toBe(2)
  await served.close()
  const heard = reports.length
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(reports).toHaveLength(heard)
})
