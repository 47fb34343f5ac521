// The index for a search, which cannot do without one: where none may be kept, one in memory serves.

import { setTimeout } from 'node:timers/promises'
import type { FoundTranscripts } from '../load/found.ts'
import { counted } from '../render/units.ts'
import { Index } from '../search/open-index.ts'
import type { World } from './command.ts'
import { orElse, withIndex } from './indexed.ts'

export async function openedIndex<Value>(
  noIndex: boolean,
  world: World,
  use: (index: Index) => Promise<Value>,
): Promise<Value> {
  const inMemory = async (): Promise<Value> => {
    const index = new Index(null)
    try {
      return await use(index)
    } finally {
      index.close()
    }
  }
  if (noIndex) return inMemory()
  return orElse(world, () => withIndex((path) => new Index(path), world, use), inMemory)
}

/** Brings it up to date, and says what it could not wait for. */
export async function bringUp(index: Index, archive: FoundTranscripts, world: World): Promise<void> {
  const behind = await refreshed(index, archive, world)
  world.progress.clear()
  if (behind > 0)
    world.output.note(`clew: another clew is indexing; ${counted(behind, 'file')} could not be looked into yet`)
}

const WAIT_MS = 5000
const STEP_MS = 200

/** How many files are not in the index yet. Where another process is at it, it is given a little time, and no more. */
async function refreshed(index: Index, archive: FoundTranscripts, world: World): Promise<number> {
  const options = { nowMs: world.nowMs, onProgress: world.progress.show }
  let state = await index.refresh(archive, options)
  for (let waitedMs = 0; state === 'busy' && waitedMs < WAIT_MS; waitedMs += STEP_MS) {
    if (index.behind(archive) === 0) return 0
    await setTimeout(STEP_MS)
    state = await index.refresh(archive, options)
  }
  return state === 'busy' ? index.behind(archive) : 0
}
