// Files of which the disk once refused to confirm a write. What was written then may be there and not last, whatever
// later syncs say: this process remembers it for as long as it runs.

import type { Disk } from './disk.ts'

const DOUBTED = new WeakMap<Disk, Map<string, Set<string>>>()

export function doubt(disk: Disk, path: string, uuids: readonly string[]): void {
  const paths = DOUBTED.get(disk) ?? new Map<string, Set<string>>()
  DOUBTED.set(disk, paths)
  const known = paths.get(path) ?? new Set<string>()
  paths.set(path, known)
  for (const uuid of uuids) known.add(uuid)
}

/** Records that have to be written again before anybody is told that they last; null for a file without doubts. */
export function doubtsOf(disk: Disk, path: string): Set<string> | null {
  return DOUBTED.get(disk)?.get(path) ?? null
}

/** Those of the uuids in a file that need not be written again. */
export function sure(uuids: readonly string[], disk: Disk, path: string): Set<string> {
  const doubts = doubtsOf(disk, path)
  return new Set(doubts === null ? uuids : uuids.filter((uuid) => !doubts.has(uuid)))
}
