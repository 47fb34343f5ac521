// Which sessions a client has open right now. A client says so in `sessions/<pid>.json`, and the file stays behind when
// it is killed, so the process must live too. The file may name an older session after a /clear: whoever must be sure
// also looks at when the transcript was written last.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'
import { processRuns } from '../source/process-runs.ts'

/** Session ids with the process that has them open. */
export function liveSessions(
  disk: Disk,
  root: string,
  isRunning: (pid: number) => boolean = processRuns,
): ReadonlyMap<string, number> {
  const live = new Map<string, number>()
  for (const { sessionId, pid } of openSessions(disk, root, isRunning)) {
    if (!live.has(sessionId)) live.set(sessionId, pid)
  }
  return live
}

export interface OpenSession {
  readonly sessionId: string
  readonly pid: number
  /** As the client calls it: busy, waiting, idle, shell. Older clients do not say. */
  readonly status: string | null
  readonly cwd: string | null
  readonly startedMs: number | null
}

export function openSessions(
  disk: Disk,
  root: string,
  isRunning: (pid: number) => boolean = processRuns,
): readonly OpenSession[] {
  const folder = join(root, 'sessions')
  return disk.names(folder).flatMap((name) => {
    const said = name.endsWith('.json') ? readObject(disk, join(folder, name)) : null
    const sessionId = said?.['sessionId']
    const pid = said?.['pid'] ?? Number(/^(?:pid-)?(\d+)\.json$/.exec(name)?.[1])
    if (said === null || typeof sessionId !== 'string' || typeof pid !== 'number') return []
    // Zero and below would mean groups of processes.
    if (!Number.isSafeInteger(pid) || pid <= 0 || !isRunning(pid)) return []
    const { status, cwd, startedAt } = said
    return [
      {
        sessionId,
        pid,
        status: typeof status === 'string' ? status : null,
        cwd: typeof cwd === 'string' ? cwd : null,
        startedMs: typeof startedAt === 'number' ? startedAt : null,
      },
    ]
  })
}

const SIZE_BYTES_MAX = 1 << 20

function readObject(disk: Disk, path: string): Readonly<Record<string, unknown>> | null {
  try {
    const stat = disk.stat(path)
    if (stat === null || stat.isFolder || stat.sizeBytes > SIZE_BYTES_MAX) return null
    const value: unknown = JSON.parse(readWhole(disk, path).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    // Being rewritten at this moment, or damaged: then the age of the transcript alone decides.
    return null
  }
}
