// What somebody does while a session is packed or unpacked: nothing of theirs is replaced, and no file is made that nobody
// could import.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { TRANSCRIPT } from '../../src/relocate/carry-format.ts'
import { applyImport, planImport } from '../../src/relocate/carry-in.ts'
import { carryOut } from '../../src/relocate/carry-out.ts'
import { projectKeyOf as key } from '../../src/store/project-key.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { homeFiles, MAIN, NEW, NOW_MS, OLD } from './fixture.ts'

const HEAD = { sessionId: MAIN, title: 'x', cwd: OLD, nowMs: NOW_MS }
const CHOICE = { project: NEW, keepsCwd: false, expiringMs: 0, nowMs: NOW_MS }

function session(): { readonly name: string; readonly path: string } {
  const root = join(writeBelow(newFolder('from'), homeFiles()), '.claude')
  return { name: TRANSCRIPT, path: join(root, 'projects', key(OLD), `${MAIN}.jsonl`) }
}

/** A disk on which something is done right before a file is opened. */
function busy(opening: 'openToRead' | 'openToAppend', act: (path: string, times: number) => void): Disk {
  const times = new Map<string, number>()
  return {
    ...REAL_DISK,
    [opening]: (path: string, isNew: boolean) => {
      times.set(path, (times.get(path) ?? 0) + 1)
      act(path, times.get(path) ?? 0)
      return REAL_DISK[opening](path, isNew)
    },
  }
}

test('a file that is written anew while it is packed', async () => {
  const file = session()
  const to = newFolder('out')
  const disk = busy('openToRead', (path, times) => {
    if (path === file.path && times === 2) writeFileSync(path, readFileSync(path, 'utf8').replaceAll('e', 'a'))
  })
  await expect(carryOut(disk, [file], HEAD, join(to, 'one.clew'))).rejects.toThrow('was written to meanwhile')
  expect(readdirSync(to)).toEqual([])
})

test('a file that is made where the packed one was to go', async () => {
  const path = join(newFolder('out'), 'one.clew')
  const disk = busy('openToAppend', () => writeFileSync(path, 'mine'))
  await expect(carryOut(disk, [session()], HEAD, path)).rejects.toThrow('is there already')
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

test('a disk that is full says so', async () => {
  const to = newFolder('out')
  const write = (): never => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const packing = carryOut({ ...REAL_DISK, write }, [session()], HEAD, join(to, 'one.clew'))
  await expect(packing).rejects.toThrow('full')
  expect(readdirSync(to)).toEqual([])
})

test.each([
  ['while it is unpacked', false],
  ['while its transcript is written', true],
])('a transcript that is made %s', async (_, isLate) => {
  const file = join(newFolder('carried'), 'one.clew')
  await carryOut(REAL_DISK, [session()], HEAD, file)
  const root = writeBelow(newFolder('to'), { 'projects/-x/README': 'there' })
  const place = join(root, 'projects', key(NEW), `${MAIN}.jsonl`)
  const plan = await planImport(REAL_DISK, root, file, CHOICE)
  const disk = busy('openToAppend', (path) => {
    const isNow = isLate ? path === `${place}.clew-next` : path.includes('clew-carry')
    if (isNow) writeBelow(root, { [`projects/${key(NEW)}/${MAIN}.jsonl`]: 'mine' })
  })
  await expect(applyImport(disk, root, file, plan)).rejects.toThrow(/is there already|was made meanwhile/)
  expect(readFileSync(place, 'utf8')).toBe('mine')
  expect(existsSync(join(root, 'clew-carry'))).toBe(false)
})
