// Somebody writes while a project is moved or moved back: at every sync, for that is where time passes. Nothing they wrote
// is replaced, removed or put where they would not look for it, and the undo can go on.

import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Disk } from '../../src/disk/disk.ts'
import { makeFolders, readWhole, replaceFile } from '../../src/disk/durable.ts'
import { filesBelow } from '../../src/disk/folder-files.ts'
import { applyMove } from '../../src/relocate/apply-move.ts'
import { planMove } from '../../src/relocate/move-plan.ts'
import { readMoveReceipt } from '../../src/relocate/move-receipt.ts'
import type { UndoneMove } from '../../src/relocate/undo-move.ts'
import { undoMove } from '../../src/relocate/undo-move.ts'
import { projectKeyOf as key } from '../../src/store/project-key.ts'
import { randomOf } from '../random.ts'
import { SimulatedDisk } from '../store/simulated-disk.ts'
import { homeFiles, MAIN, NEW, OLD } from './fixture.ts'

const HOME = '/home/ada'
const ROOT = `${HOME}/.claude`
const OLD_PLACE = `${ROOT}/projects/${key(OLD)}/${MAIN}.jsonl`
const NEW_PLACE = `${ROOT}/projects/${key(NEW)}/${MAIN}.jsonl`
const THEIRS = '{"type":"user","uuid":"theirs"}\n'
const options = { id: 'r1', nowMs: 1_890_000_000_000, isRunning: (): boolean => false }
type Act = (disk: Disk) => boolean

/** Each says whether there was anything to do. */
const goOnAt =
  (path: string): Act =>
  (disk) =>
    disk.stat(path) !== null && write(disk, path)
const makeAt =
  (path: string): Act =>
  (disk) =>
    disk.stat(path) === null && disk.stat(dirname(path)) !== null && write(disk, path)

function write(disk: Disk, path: string): true {
  const fd = disk.openToAppend(path, false)
  disk.write(fd, Buffer.from(THEIRS))
  disk.close(fd)
  return true
}

/** A disk that does something else first when it syncs for the n-th time. */
function busy(disk: Disk, nth: number, act: () => void): Disk & { readonly syncs: () => number } {
  let syncs = 0
  const count = (): void => {
    if (syncs++ === nth) act()
  }
  const own = {
    syncs: () => syncs,
    sync: (fd: number): Promise<void> => {
      count()
      return disk.sync(fd)
    },
    syncFolder: (path: string): Promise<void> => {
      count()
      return disk.syncFolder(path)
    },
  }
  return new Proxy(disk, {
    get: (_, name) => Reflect.get(own, name) ?? (Reflect.get(disk, name) as () => unknown).bind(disk),
  }) as ReturnType<typeof busy>
}

async function newDisk(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk(randomOf(1))
  for (const [name, text] of Object.entries(homeFiles())) {
    await makeFolders(disk, dirname(`${HOME}/${name}`))
    await replaceFile(disk, `${HOME}/${name}`, Buffer.from(text))
  }
  return disk
}

async function move(disk: Disk, rewritesCwd: boolean): Promise<unknown> {
  return await applyMove(disk, planMove(disk, ROOT, { from: OLD, to: NEW }, { ...options, rewritesCwd }), options)
}

async function moveBack(disk: Disk): Promise<UndoneMove | null> {
  const receipt = readMoveReceipt(disk, ROOT, options.id)
  return receipt === null ? null : await undoMove(disk, ROOT, receipt)
}

function isThere(disk: Disk): boolean {
  const files = filesBelow(disk, `${ROOT}/projects`).files
  return files.some(({ path }) => readWhole(disk, path).includes(THEIRS))
}

/** `isSolved`: the undo ends without a conflict. Else both files stay, for only a person knows which one it shall be. */
describe.each<[string, Act, boolean]>([
  ['goes on at the old place', goOnAt(OLD_PLACE), true],
  ['goes on at the new place', goOnAt(NEW_PLACE), true],
  ['makes a file at the old place', makeAt(OLD_PLACE), false],
  ['makes a file at the new place', makeAt(NEW_PLACE), true],
])('somebody %s', (_, act, isSolved) => {
  test.each([
    ['moved, with a record added', false, false],
    ['moved, with records changed', true, false],
    ['moved back, with a record added', false, true],
    ['moved back, with records changed', true, true],
  ])('while it is %s', { timeout: 60_000 }, async (__, rewritesCwd, isBack) => {
    const wrong: string[] = []
    for (let nth = 0; ; nth++) {
      const disk = await newDisk()
      if (isBack) await move(disk, rewritesCwd)
      let hasActed = false
      const other = busy(disk, nth, () => {
        hasActed = act(disk)
      })
      await (isBack ? moveBack(other) : move(other, rewritesCwd))
      if (other.syncs() <= nth) break
      if (!hasActed) continue
      if (!isThere(disk)) wrong.push(`sync ${nth}: it is gone`)
      const undone = await moveBack(disk)
      if (!isThere(disk)) wrong.push(`sync ${nth}: it is gone after the undo`)
      if (isSolved && undone?.conflicts.length) wrong.push(`sync ${nth}: ${undone.conflicts[0]?.why}`)
    }
    expect(wrong).toEqual([])
  })
})
