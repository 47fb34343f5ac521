// What somebody does while a session is packed or unpacked: nothing of theirs is replaced, and no file is made that nobody
// could import.

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { fileSha256 } from '../../src/disk/file-pieces.ts'
import { filesBelow } from '../../src/disk/folder-files.ts'
import { REAL_DISK } from '../../src/disk/real-disk.ts'
import { sessionFiles } from '../../src/relocate/carry-files.ts'
import { TRANSCRIPT } from '../../src/relocate/carry-format.ts'
import { applyImport, importConflicts, planImport } from '../../src/relocate/carry-in.ts'
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

test('a disk that is full while it is unpacked says so too', async () => {
  const { file, root } = await packed(randomBytes(1 << 20))
  const plan = await planImport(REAL_DISK, root, file, CHOICE)
  const write = (): never => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  await expect(applyImport({ ...REAL_DISK, write }, root, file, plan)).rejects.toThrow('full')
  expect(Object.keys(filesOf(root))).toEqual(['projects/-x/README'])
})

/** A session with all that belongs to it, in one file; and an empty Claude directory. */
async function packed(
  spill = Buffer.from(''),
): Promise<{ readonly file: string; readonly root: string; readonly place: string }> {
  const { path } = session()
  writeFileSync(join(dirname(path), MAIN, 'tool-results', 'b5.txt'), spill)
  const { files } = sessionFiles(REAL_DISK, join(path, '..', '..', '..'), path)
  const file = join(newFolder('carried'), 'one.clew')
  await carryOut(REAL_DISK, files, HEAD, file)
  const root = writeBelow(newFolder('to'), { 'projects/-x/README': 'there' })
  return { file, root, place: join(root, 'projects', key(NEW), `${MAIN}.jsonl`) }
}

const filesOf = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesBelow(REAL_DISK, root).files.map(({ path }) => [relative(root, path), fileSha256(REAL_DISK, path)]),
  )

test.each([
  ['while it is unpacked', (path: string) => path.includes('clew-carry')],
  ['while its neighbours are written', (path: string) => path.endsWith('b1234.txt.clew-next')],
  ['while its transcript is written', (path: string) => path.endsWith(`${MAIN}.jsonl.clew-next`)],
])('a transcript that is made %s', async (_, isNow) => {
  const { file, root, place } = await packed()
  const plan = await planImport(REAL_DISK, root, file, CHOICE)
  const disk = busy('openToAppend', (path) => {
    if (isNow(path)) writeBelow(root, { [`projects/${key(NEW)}/${MAIN}.jsonl`]: 'mine' })
  })
  await expect(applyImport(disk, root, file, plan)).rejects.toThrow(/is there already|was made meanwhile/)
  expect(readFileSync(place, 'utf8')).toBe('mine')
  expect(existsSync(join(root, 'clew-carry'))).toBe(false)
})

test.each([
  ['link', (path: string) => symlinkSync('/nowhere', path)],
  ['folder', (path: string) => mkdirSync(path)],
])('a %s in the way is one like any other file', async (_, make) => {
  const { file, root, place } = await packed()
  const inTheWay = join(root, 'projects', key(NEW), MAIN, 'tool-results', 'b1234.txt')
  mkdirSync(dirname(inTheWay), { recursive: true })
  make(inTheWay)
  expect(importConflicts(REAL_DISK, await planImport(REAL_DISK, root, file, CHOICE))).toEqual([inTheWay])
  make(place)
  expect(await planImport(REAL_DISK, root, file, CHOICE)).toMatchObject({ isRenamed: true, isThere: false })
})

test('what was cut off anywhere is brought in by the next run', async () => {
  const { file, root } = await packed()
  const plan = await planImport(REAL_DISK, root, file, CHOICE)
  await applyImport(REAL_DISK, root, file, plan)
  const whole = filesOf(root)
  for (let place = 1; place < plan.files.length; place++) {
    const other = writeBelow(newFolder('to'), { 'projects/-x/README': 'there' })
    let left = place
    const rename = (from: string, to: string): void => {
      if (left-- === 0) throw Object.assign(new Error('cut off'), { code: 'EIO' })
      REAL_DISK.rename(from, to)
    }
    const first = await planImport(REAL_DISK, other, file, CHOICE)
    await expect(applyImport({ ...REAL_DISK, rename }, other, file, first)).rejects.toThrow('cut off')
    const again = await planImport(REAL_DISK, other, file, CHOICE)
    expect(importConflicts(REAL_DISK, again)).toEqual([])
    await applyImport(REAL_DISK, other, file, again)
    expect(filesOf(other)).toEqual(whole)
  }
})

test('projects may lie on another disk, and there may be more files than can be open', async () => {
  const { file, root, place } = await packed()
  let open = 0
  const rename = (from: string, to: string): void => {
    if (from.includes('clew-carry')) throw Object.assign(new Error('another disk'), { code: 'EXDEV' })
    REAL_DISK.rename(from, to)
  }
  const openToAppend: Disk['openToAppend'] = (path, isNew) => {
    if (++open > 1) throw Object.assign(new Error('too many'), { code: 'EMFILE' })
    return REAL_DISK.openToAppend(path, isNew)
  }
  const close = (fd: number): void => {
    open = 0
    REAL_DISK.close(fd)
  }
  const disk = { ...REAL_DISK, rename, openToAppend, close }
  await applyImport(disk, root, file, await planImport(REAL_DISK, root, file, CHOICE))
  expect(existsSync(place)).toBe(true)
})
