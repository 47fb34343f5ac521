// Archives again a little after something has changed, until Ctrl-C. A session that is written to all the time is not
// waited for longer than a few seconds, and what no watcher saw is found by looking once a minute.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FolderWatch } from '../server/folder-watch.ts'

const QUIET_MS = 2000
const WAIT_MS_MAX = 15_000
const LOOK_MS = 60_000

/** `step` archives, and says which Claude directories to watch. */
export async function watchFolders(
  step: () => Promise<readonly string[]>,
  onFailure: (message: string) => void,
): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const changes = new Changes()
  const watch = new FolderWatch(() => changes.note(Date.now()))
  try {
    while (!stopped.signal.aborted) {
      changes.forget()
      try {
        watch.follow((await step()).flatMap(foldersOf))
      } catch (error) {
        // A full disk may have room again. Who cannot even begin hears of it each time.
        onFailure(error instanceof Error ? error.message : String(error))
      }
      await changes.settled(stopped.signal)
    }
  } finally {
    watch.close()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** When something changed, and whether it is quiet by now. */
class Changes {
  #firstMs: number | null = null
  #lastMs = 0

  note(nowMs: number): void {
    this.#firstMs ??= nowMs
    this.#lastMs = nowMs
  }

  forget(): void {
    this.#firstMs = null
  }

  async settled(signal: AbortSignal): Promise<void> {
    const startedMs = Date.now()
    while (!signal.aborted && !this.#isSettled(Date.now(), startedMs)) await pause(TICK_MS, signal)
  }

  #isSettled(nowMs: number, startedMs: number): boolean {
    if (this.#firstMs === null) return nowMs - startedMs > LOOK_MS
    return nowMs - this.#lastMs > QUIET_MS || nowMs - this.#firstMs > WAIT_MS_MAX
  }
}

const TICK_MS = 250

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Each takes its listener with it: there are four pauses a second, for days.
    const over = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
  })
}

/** Each project by itself, and the folders of sessions in it. */
function foldersOf(root: string): readonly string[] {
  const projects = join(root, 'projects')
  const below = foldersIn(projects)
  return [projects, ...below, ...below.flatMap(foldersIn)]
}

function foldersIn(folder: string): readonly string[] {
  try {
    const found = readdirSync(folder, { withFileTypes: true })
    return found.filter((one) => one.isDirectory()).map(({ name }) => join(folder, name))
  } catch {
    // Deleted meanwhile, or another user's.
    return []
  }
}
