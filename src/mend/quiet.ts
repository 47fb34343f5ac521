// Whether a transcript is left alone: no client has the session open, no process has the file open, and nobody has
// written to it for a while. A client that was killed leaves its note behind, and one that waits writes nothing: all
// three are asked.

import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import type { Disk } from '../disk/disk.ts'
import { liveSessions } from '../store/live.ts'
import { RepairRefused } from './repair-refused.ts'

export interface QuietQuestion {
  readonly root: string
  readonly path: string
  readonly sessionId: string
  readonly nowMs: number
  readonly isRunning?: (pid: number) => boolean
  readonly holders?: (path: string) => readonly number[]
}

const QUIET_MS = 120_000

/** Throws when it is not. */
export function demandQuiet(disk: Disk, question: QuietQuestion): void {
  const { root, path, sessionId, nowMs, isRunning, holders = holdersOf } = question
  const pid = liveSessions(disk, root, isRunning).get(sessionId) ?? holders(path)[0]
  const advice = 'Close it first, or repair into a new session: --out new'
  if (pid !== undefined) throw new RepairRefused('live', `process ${pid} has this session open. ${advice}`)
  if (disk.stat(`${path}.lock`) !== null)
    throw new RepairRefused('live', `another clew is writing to it (${path}.lock). ${advice}`)
  const stat = disk.stat(path)
  if (stat === null || nowMs - stat.modifiedMs >= QUIET_MS) return
  const seconds = Math.max(0, Math.round((nowMs - stat.modifiedMs) / 1000))
  const wait = `a file must be quiet for ${QUIET_MS / 60_000} minutes`
  throw new RepairRefused(
    'recent',
    `it was written to ${seconds} s ago; ${wait}. Or repair into a new session: --out new`,
  )
}

/** Processes that have a file open, where the system tells: only Linux does without a program of its own. */
function holdersOf(path: string): readonly number[] {
  // The system names what is behind all links, and a Claude directory may be one.
  const real = realPath(path)
  return names('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => names(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === real))
    .map(Number)
}

/** Processes end while they are looked at, and those of others may not be looked at. */
function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}
