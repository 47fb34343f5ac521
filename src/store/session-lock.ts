// One process writes to a session at a time, for the length of one write. The lock is a file that says who has it: a
// process that is gone, or of another run of the machine, has it no more. Should one ever be taken wrongly, no line is
// damaged all the same: each is written by one append.

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { readWhole, writeAll } from '../disk/durable.ts'
import { StoreError } from './store-error.ts'

export interface SessionLock {
  /** Waits for its turn. */
  take(): Promise<HeldLock>
}

export interface HeldLock {
  /** Asked right before writing: another process may have thought us gone. */
  isHeld(): boolean
  release(): void
}

/** For a store that nobody else can reach. */
export const NO_LOCK: SessionLock = {
  take: async () => ({ isHeld: () => true, release: () => undefined }),
}

interface Holder {
  readonly pid: number
  readonly started: string
  readonly boot: string
  readonly turn: number
}

const WAIT_MS = 30_000
const PAUSE_MS = 3
/** A file that was made and not yet filled: its maker may have been killed in between. */
const EMPTY_MS = 2000

let turns = 0
/** What this process has right now. A file that says otherwise could not be removed. */
const TAKEN = new Set<number>()

export function fileLock(disk: Disk, path: string): SessionLock {
  const file = `${path}.lock`
  return {
    take: async () => {
      const own: Holder = { ...thisProcess(), turn: ++turns }
      const text = Buffer.from(JSON.stringify(own))
      for (const untilMs = performance.now() + WAIT_MS; performance.now() < untilMs; ) {
        if (tryTake(disk, file, text)) {
          TAKEN.add(own.turn)
          const isHeld = (): boolean => isSame(readHolder(disk, file), own)
          return { isHeld, release: () => release(disk, file, own, isHeld()) }
        }
        removeIfStale(disk, file)
        await pause(PAUSE_MS * (0.5 + Math.random()))
      }
      throw new StoreError('locked', `${path}: another process has been writing to it for ${WAIT_MS / 1000} seconds`)
    },
  }
}

/** A file that cannot be removed is stale from now on, and removed by whoever comes next. */
function release(disk: Disk, file: string, { turn }: Holder, isHeld: boolean): void {
  TAKEN.delete(turn)
  if (!isHeld) return
  try {
    disk.remove(file)
  } catch (error) {
    if (systemCode(error) === null) throw error
  }
}

function tryTake(disk: Disk, file: string, text: Uint8Array): boolean {
  let fd: number
  try {
    fd = disk.openToAppend(file, true)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeAll(disk, fd, text)
    return true
  } finally {
    disk.close(fd)
  }
}

/** Moved away before it is removed: of two who find it stale, only one can move it. */
function removeIfStale(disk: Disk, file: string): void {
  const holder = readHolder(disk, file)
  if (holder === null ? !isLeftEmpty(disk, file) : isAlive(holder)) return
  const aside = `${file}.${process.pid}.stale`
  try {
    disk.rename(file, aside)
  } catch {
    return
  }
  const moved = readHolder(disk, aside)
  // Somebody else removed the stale one meanwhile and took the lock: it is theirs, and goes back.
  if (moved !== null && !isSame(moved, holder)) {
    if (disk.stat(file) === null) disk.rename(aside, file)
    else disk.remove(aside)
  } else disk.remove(aside)
}

function readHolder(disk: Disk, file: string): Holder | null {
  try {
    return JSON.parse(readWhole(disk, file).toString('utf8')) as Holder
  } catch {
    return null
  }
}

function isLeftEmpty(disk: Disk, file: string): boolean {
  const stat = disk.stat(file)
  return stat !== null && Date.now() - stat.modifiedMs > EMPTY_MS
}

function isSame(one: Holder | null, other: Holder | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isAlive({ pid, started, boot, turn }: Holder): boolean {
  const own = thisProcess()
  if (boot !== own.boot) return false
  if (pid === own.pid && started === own.started) return TAKEN.has(turn)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    if (systemCode(error) !== 'EPERM') return false
  }
  // Numbers of processes are used again.
  return startOf(pid) === started
}

let known: Omit<Holder, 'turn'> | null = null

function thisProcess(): Omit<Holder, 'turn'> {
  known ??= { pid: process.pid, started: startOf(process.pid), boot: bootId() }
  return known
}

/** Empty where the system does not tell: then the number alone decides. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function bootId(): string {
  return readOr('/proc/sys/kernel/random/boot_id').trim()
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
