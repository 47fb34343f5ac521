// Whether somebody is at work where something would be moved. A client that runs writes all it knows again, from memory,
// so moving under its feet loses what was written last.

import type { Disk } from '../disk/disk.ts'
import { openSessions } from '../store/live.ts'
import type { PathMove } from './paths.ts'
import { isWithin } from './paths.ts'
import type { GoingFile } from './project-folder.ts'

export type LiveReason =
  | { readonly kind: 'client'; readonly pid: number; readonly cwd: string | null; readonly sessionId: string }
  | { readonly kind: 'written'; readonly path: string; readonly agoMs: number }
  | { readonly kind: 'locked'; readonly path: string }

/** A client that has a session open need not say so; what was written just now is taken for live. */
const QUIET_MS = 10 * 60_000

export function liveThere(
  disk: Disk,
  root: string,
  move: PathMove,
  going: readonly Pick<GoingFile, 'path' | 'sessionId'>[],
  { nowMs, isRunning }: { readonly nowMs: number; readonly isRunning?: (pid: number) => boolean },
): readonly LiveReason[] {
  const ids = new Set(going.map(({ sessionId }) => sessionId))
  const clients = openSessions(disk, root, isRunning).filter(
    ({ cwd, sessionId }) =>
      ids.has(sessionId) || (cwd !== null && (isWithin(cwd, move.from) || isWithin(cwd, move.to))),
  )
  const written = going.flatMap(({ path }): readonly LiveReason[] => {
    if (path.endsWith('.lock')) return [{ kind: 'locked', path }]
    const agoMs = nowMs - (disk.stat(path)?.modifiedMs ?? 0)
    return agoMs < QUIET_MS ? [{ kind: 'written', path, agoMs }] : []
  })
  return [...clients.map(({ pid, cwd, sessionId }) => ({ kind: 'client' as const, pid, cwd, sessionId })), ...written]
}
