// The index for a search, which cannot do without one: where none may be kept, one in memory serves.

import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../base/problem.ts'
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

/** Brings it up to date, and says what it could not wait for. What comes back are the files that nobody may read. */
export async function bringUp(index: Index, archive: FoundTranscripts, world: World): Promise<readonly Problem[]> {
  const { behind, unread } = await refreshed(index, archive, world)
  world.progress.clear()
  if (behind > 0)
    world.output.note(`clew: another clew is indexing; ${counted(behind, 'file')} could not be looked into yet`)
  return unread
}

/** Each file once, whichever way it was met. */
export function noteProblems(problems: readonly Problem[], { output }: World): void {
  const notes = problems.map(
    ({ position, message }) => `clew: ${position?.path}${position?.line ? `:${position.line}` : ''}: ${message}`,
  )
  for (const note of new Set(notes)) output.note(note)
}

const WAIT_MS = 5000
const STEP_MS = 200

interface Refreshed {
  /** How many files are not in the index yet. */
  readonly behind: number
  readonly unread: readonly Problem[]
}

/** Where another process is at it, it is given a little time, and no more. */
async function refreshed(index: Index, archive: FoundTranscripts, world: World): Promise<Refreshed> {
  let unread: readonly Problem[] = []
  const onUnread = (problems: readonly Problem[]): void => {
    unread = problems
  }
  const options = { nowMs: world.nowMs, onProgress: world.progress.show, onUnread }
  let state = await index.refresh(archive, options)
  for (let waitedMs = 0; state === 'busy' && waitedMs < WAIT_MS; waitedMs += STEP_MS) {
    if (index.behind(archive) === 0) return { behind: 0, unread }
    await setTimeout(STEP_MS)
    state = await index.refresh(archive, options)
  }
  return { behind: state === 'busy' ? index.behind(archive) : 0, unread }
}
