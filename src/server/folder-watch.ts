// Watches many folders, each by itself: to watch a tree at once is not something every system can do.

import type { FSWatcher } from 'node:fs'
import { watch } from 'node:fs'

const FOLDERS_MAX = 1024

export class FolderWatch {
  readonly #onChange: () => void
  readonly #watchers = new Map<string, FSWatcher>()
  #isBlind = false

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Something that should be watched is not. */
  get isBlind(): boolean {
    return this.#isBlind
  }

  /** From now on these; the first ones where there are too many. */
  follow(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, FOLDERS_MAX))
    this.#isBlind = folders.length > FOLDERS_MAX
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#drop(folder)
    for (const folder of wanted) {
      if (!this.#watchers.has(folder) && !this.#add(folder)) this.#isBlind = true
    }
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.#drop(folder)
  }

  #add(folder: string): boolean {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#onChange())
      // A folder that was deleted, say.
      watcher.on('error', () => this.#drop(folder))
      this.#watchers.set(folder, watcher)
      return true
    } catch (error) {
      // A root need not have a folder `projects`.
      return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}
