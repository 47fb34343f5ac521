// What lies nowhere else any more goes only when that is said, however it came into the archive.

import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { snapshotIds } from '../../src/archive/catalogue.ts'
import { archiveFolder, openArchive } from '../../src/archive/open-archive.ts'
import { takeSnapshot } from '../../src/archive/snapshot.ts'
import { sourceFiles } from '../../src/archive/source-files.ts'
import { sessionId, transcript, transcriptName } from '../archive/made-tree.ts'
import { randomOf } from '../random.ts'
import type { Ran } from './run.ts'
import { clew, newFolder } from './run.ts'

const TWO_YEARS = 2 * 365 * 86_400
const id = sessionId(1)
const bytes = transcript(randomOf(5), id, 5)
let home = ''
let root = ''
let path = ''
const run = (...words: readonly string[]): Ran => clew(words, { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })
const prune = (): Ran => run('archive', 'prune', '--older-than', '365d', '--apply')

beforeEach(() => {
  home = newFolder('home')
  root = join(home, 'claude')
  path = join(root, transcriptName(id))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  const time = Date.now() / 1000 - TWO_YEARS
  utimesSync(path, time, time)
})

test.each([1, 2])('archived by %d processes at once, then deleted', async (count) => {
  const archive = await openArchive(archiveFolder({ environment: {}, home }))
  await Promise.all(
    Array.from({ length: count }, (_, at) => takeSnapshot(archive, sourceFiles(root), { takenMs: Date.now() + at })),
  )
  expect(snapshotIds(archive)).toHaveLength(count)
  rmSync(path)
  expect(prune()).toMatchObject({ status: 1, err: expect.stringContaining('1 file lies nowhere else') })
  expect(run('archive', 'restore', id).status).toBe(0)
  expect(readFileSync(path)).toEqual(bytes)
})

test.each([
  ['emptied', () => truncateSync(path, 0), 1],
  ['cut', () => truncateSync(path, bytes.length - 1), 1],
  ['written over', () => writeFileSync(path, Buffer.alloc(bytes.length + 9, 'x')), 1],
  ['as it was', () => undefined, 0],
  ['gone on', () => appendFileSync(path, '{"type":"more"}\n'), 0],
])('the file on disk is %s', (_, change, status) => {
  expect(run('archive').status).toBe(0)
  change()
  expect(prune().status).toBe(status)
})
