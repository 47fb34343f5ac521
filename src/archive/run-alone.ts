// Archiving in the background: many sessions may end at once, and one run does for all of them. Whoever finds another one
// at work leaves a word and goes; the one at work looks for it before it ends.

import { join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { makeFolders, readWhole, writeAll } from '../disk/durable.ts'
import { processRuns } from '../source/process-runs.ts'

export interface AloneOptions {
  readonly nowMs: number
  readonly isRunning?: (pid: number) => boolean
}

/** A process number may be given to another program: who has been at work for this long is not. */
const STALE_MS = 6 * 3_600_000

/** How often it was done: not at all when somebody else is at it. */
export async function runAlone(
  disk: Disk,
  folder: string,
  work: () => Promise<void>,
  options: AloneOptions,
): Promise<number> {
  const [lock, again] = [join(folder, 'archive.running'), join(folder, 'archive.again')]
  await makeFolders(disk, folder)
  let rounds = 0
  do {
    if (!takeLock(disk, lock, options)) {
      mark(disk, again)
      // The other one may have ended in between.
      if (isHeld(disk, lock, options)) return rounds
      continue
    }
    try {
      drop(disk, again)
      await work()
      rounds++
    } finally {
      drop(disk, lock)
    }
  } while (disk.stat(again) !== null)
  return rounds
}

/** Null, and nothing done, while another process holds the lock. */
export async function whileLocked<Value>(
  disk: Disk,
  lock: string,
  work: () => Promise<Value>,
  options: AloneOptions,
): Promise<Value | null> {
  if (!takeLock(disk, lock, options)) return null
  try {
    return await work()
  } finally {
    drop(disk, lock)
  }
}

function takeLock(disk: Disk, lock: string, options: AloneOptions): boolean {
  for (const isLast of [false, true]) {
    try {
      const fd = disk.openToAppend(lock, true)
      signLock(disk, lock, fd)
      return true
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
      if (isLast || isHeld(disk, lock, options)) return false
      drop(disk, lock)
    }
  }
  return false
}

/** On a full disk it would stay without a name in it, and keep everybody out for hours. */
function signLock(disk: Disk, lock: string, fd: number): void {
  try {
    writeAll(disk, fd, Buffer.from(`${process.pid}\n`))
  } catch (error) {
    drop(disk, lock)
    throw error
  } finally {
    disk.close(fd)
  }
}

function isHeld(disk: Disk, lock: string, { nowMs, isRunning = processRuns }: AloneOptions): boolean {
  const stat = disk.stat(lock)
  if (stat === null || Math.abs(nowMs - stat.modifiedMs) > STALE_MS) return false
  try {
    const pid = Number(readWhole(disk, lock).toString('latin1'))
    // Empty: it is being written at this moment.
    return pid === 0 || isRunning(pid)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

function mark(disk: Disk, path: string): void {
  disk.close(disk.openToAppend(path, false))
}

function drop(disk: Disk, path: string): void {
  try {
    disk.remove(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
