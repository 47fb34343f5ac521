// Archiving that nobody sees: it prints nothing, lets others go first, and ends neither with the terminal nor with the
// client that started it.

import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { writeLastRun } from '../archive/auto.ts'
import { archiveFolder } from '../archive/open-archive.ts'
import { runAlone } from '../archive/run-alone.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { World } from './command.ts'

const LATER = 10

export async function runUnseen(world: World, work: () => Promise<void>): Promise<number> {
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined)
  goLast()
  const folder = dirname(archiveFolder(world))
  const round = async (): Promise<void> => {
    const failure = await work().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    await writeLastRun(REAL_DISK, folder, { endedMs: Date.now(), failure })
  }
  await runAlone(REAL_DISK, folder, round, { nowMs: world.nowMs }).catch(() => 0)
  return 0
}

function goLast(): void {
  try {
    setPriority(LATER)
  } catch (error) {
    // Not everywhere is that allowed; then it goes among the others.
    if (!(error instanceof Error)) throw error
  }
}
