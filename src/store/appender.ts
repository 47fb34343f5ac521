// Lines to the end of one file. Producers wait together: what they hand over while one sync is under way is written by
// the next write and made to last by the next sync. A line counts as written when its promise is kept, never before.

import { dirname } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { writeAll } from '../disk/durable.ts'
import { doubt, doubtCount } from './doubt.ts'
import type { HeldLock, SessionLock } from './session-lock.ts'
import { StoreError, writeError } from './store-error.ts'

/** `group`: one sync for all who wait; `each`: one for every append; `none`: the system decides when. */
export type SyncRule = 'group' | 'each' | 'none'

export interface AppenderOptions {
  readonly disk: Disk
  readonly lock: SessionLock
  readonly syncRule: SyncRule
}

interface Waiting {
  readonly lines: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const NEWLINE = Buffer.from('\n')
/** More than this is not gathered into one write. */
const WRITE_LENGTH = 8 << 20
/** While there is more to write the lock is kept, which spares the disk a file for every write; but others wait too. */
const HOLD_MS = 25

export class Appender {
  readonly #path: string
  readonly #options: AppenderOptions
  #fd: number | null = null
  #isFolderSynced = false
  #waiting: Waiting[] = []
  /** In the file, and not yet sure to last. */
  #written: Waiting[] = []
  #syncing: Promise<void> | null = null
  /** How many doubts there were about the file when the first of them was written. */
  #doubts = 0
  #running: Promise<void> | null = null
  #failure: StoreError | null = null
  #held: HeldLock | null = null
  #heldSinceMs = 0

  constructor(path: string, options: AppenderOptions) {
    this.#path = path
    this.#options = options
  }

  /** `lines` are whole, each with its line end; without any, all that was written before is made to last. */
  append(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async close(): Promise<void> {
    while (this.#running !== null) await this.#running
    this.#failure ??= new StoreError('closed', `${this.#path}: the session is closed`)
    const fd = this.#fd
    this.#fd = null
    try {
      if (fd !== null) this.#options.disk.close(fd)
    } catch (error) {
      throw writeError(this.#path, error)
    }
  }

  /** Writes what waits, also while a sync is under way: the next one is for that. */
  async #run(): Promise<void> {
    const { syncRule } = this.#options
    // Those who ask in the same moment are to be in the same write.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      try {
        if (this.#failure !== null) throw this.#failure
        await this.#write(batch.map(({ lines }) => lines).join(''))
        if (syncRule === 'none') for (const { resolve } of batch) resolve()
        else {
          if (this.#written.length === 0) this.#doubts = doubtCount(this.#options.disk, this.#path)
          this.#written.push(...batch)
          this.#syncing ??= this.#syncWritten()
        }
      } catch (error) {
        // Who waits behind a record that was not written may hang below it.
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error)
      }
      if (syncRule === 'each' || this.#waiting.length === 0) await this.#syncing
      // Those who were waiting may have something to say next, all of them in one write; the lock is kept for that.
      if (this.#waiting.length === 0) await new Promise(setImmediate)
    }
    this.#release()
    this.#running = null
  }

  async #syncWritten(): Promise<void> {
    while (this.#written.length > 0) {
      const covered = this.#written.splice(0)
      try {
        await this.#sync(this.#doubts)
        for (const { resolve } of covered) resolve()
      } catch (error) {
        for (const { reject } of [...covered, ...this.#written.splice(0), ...this.#waiting.splice(0)]) reject(error)
      }
    }
    this.#syncing = null
  }

  #nextBatch(): readonly Waiting[] {
    let count = 1
    if (this.#options.syncRule !== 'each') {
      let length = this.#waiting[0]?.lines.length ?? 0
      for (; count < this.#waiting.length; count++) {
        length += this.#waiting[count]?.lines.length ?? 0
        if (length > WRITE_LENGTH) break
      }
    }
    return this.#waiting.splice(0, count)
  }

  async #write(lines: string): Promise<void> {
    try {
      const fd = this.#open()
      while (!(await this.#isLocked())) this.#release()
      this.#writeLines(fd, lines)
      if (performance.now() - this.#heldSinceMs > HOLD_MS) this.#release()
    } catch (error) {
      this.#release()
      throw writeError(this.#path, error)
    }
  }

  async #isLocked(): Promise<boolean> {
    if (this.#held === null) {
      this.#held = await this.#options.lock.take()
      this.#heldSinceMs = performance.now()
    }
    return this.#held.isHeld()
  }

  #release(): void {
    this.#held?.release()
    this.#held = null
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd
    const { disk } = this.#options
    this.#fd = disk.openToAppend(this.#path, false)
    return this.#fd
  }

  /** A line that somebody left unfinished is ended first: else ours would be glued to it, and lost with it. */
  #writeLines(fd: number, lines: string): void {
    if (lines === '') return
    const { disk } = this.#options
    const size = disk.sizeOf(fd)
    const isSure = doubtCount(disk, this.#path) === 0
    const isEnded = size === 0 || (isSure && disk.read(fd, size - 1, 1)[0] === 0x0a)
    const bytes = Buffer.from(isEnded ? lines : `\n${lines}`, 'utf8')
    try {
      writeAll(disk, fd, bytes)
    } catch (error) {
      // Nothing is cut off: the client may have written behind us. The next append would end the line as well.
      if (disk.sizeOf(fd) > size) tryWrite(disk, fd, NEWLINE)
      throw error
    }
  }

  /** After a failed sync the system may call the next one a success though nothing reached the disk. */
  async #sync(doubtsBefore: number): Promise<void> {
    const { disk } = this.#options
    try {
      await disk.sync(this.#open())
      if (doubtCount(disk, this.#path) !== doubtsBefore) throw new Error('another write to it was not confirmed')
      // Also of a file that was there: whoever made it may have been killed before its name was sure to last.
      if (!this.#isFolderSynced) await disk.syncFolder(dirname(this.#path))
      this.#isFolderSynced = true
    } catch (error) {
      // After a crash there may be zeros where the last line end was. The next line must not be glued to them.
      doubt(disk, this.#path)
      if (this.#fd !== null) tryWrite(disk, this.#fd, NEWLINE)
      this.#failure = new StoreError(
        'sync-failed',
        `${this.#path}: the disk did not confirm what was written; open the session again before going on`,
        error,
      )
      throw this.#failure
    }
  }
}

function tryWrite(disk: Disk, fd: number, bytes: Uint8Array): void {
  try {
    disk.write(fd, bytes)
  } catch {
    // The disk is full to the last byte. Whoever appends next ends the line.
  }
}
