// Files of which the disk once refused to confirm a write. What was written before may be there and not last, whatever
// later syncs say: this process remembers it for as long as it runs.

import type { Disk } from '../disk/disk.ts'

const COUNTS = new WeakMap<Disk, Map<string, number>>()

export function doubt(disk: Disk, path: string): void {
  const counts = COUNTS.get(disk) ?? new Map<string, number>()
  COUNTS.set(disk, counts)
  counts.set(path, (counts.get(path) ?? 0) + 1)
}

/** Zero for a file without doubts. Grows with every write that was not confirmed. */
export function doubtCount(disk: Disk, path: string): number {
  return COUNTS.get(disk)?.get(path) ?? 0
}
