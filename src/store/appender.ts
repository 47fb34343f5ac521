// Lines to the end of one file. Producers wait together: what they hand over while one sync is under way is written by
// the next write and made to last by the next sync. A line counts as written when its promise is kept, never before.

import { dirname } from 'node:path'
import type { Disk } from './disk.ts'
import { writeAll } from './durable.ts'
import type { SessionLock } from './session-lock.ts'
import { StoreError, writeError } from './store-error.ts'

/** `group`: one sync for all who wait; `each`: one for every append; `none`: the system decides when. */
export type SyncRule = 'group' | 'each' | 'none'

export interface AppenderOptions {
  readonly disk: Disk
  readonly lock: SessionLock
  readonly syncRule: SyncRule
}

interface Waiting {
  readonly bytes: Uint8Array
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

const NEWLINE = Buffer.from('\n')
/** More than this is not gathered into one write. */
const WRITE_BYTES = 8 << 20

export class Appender {
  readonly #path: string
  readonly #options: AppenderOptions
  #fd: number | null = null
  #isNew = false
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null
  #failure: StoreError | null = null

  constructor(path: string, options: AppenderOptions) {
    this.#path = path
    this.#options = options
  }

  /** `bytes` are whole lines, each with its line end. */
  append(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async close(): Promise<void> {
    while (this.#running !== null) await this.#running
    this.#failure ??= new StoreError('closed', `${this.#path}: the session is closed`)
    if (this.#fd !== null) this.#options.disk.close(this.#fd)
    this.#fd = null
  }

  async #run(): Promise<void> {
    // Those who ask in the same moment are to be in the same write.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      try {
        if (this.#failure !== null) throw this.#failure
        await this.#write(batch.map(({ bytes }) => bytes))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        // Who waits behind a record that was not written may hang below it.
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error)
      }
    }
    this.#running = null
  }

  #nextBatch(): readonly Waiting[] {
    let count = 1
    if (this.#options.syncRule !== 'each') {
      let bytes = this.#waiting[0]?.bytes.length ?? 0
      for (; count < this.#waiting.length; count++) {
        bytes += this.#waiting[count]?.bytes.length ?? 0
        if (bytes > WRITE_BYTES) break
      }
    }
    return this.#waiting.splice(0, count)
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    const { lock, syncRule } = this.#options
    try {
      const fd = this.#open()
      for (let isWritten = false; !isWritten; ) {
        const held = await lock.take()
        try {
          isWritten = held.isHeld()
          if (isWritten) this.#writeLines(fd, parts)
        } finally {
          held.release()
        }
      }
      if (syncRule !== 'none') await this.#sync(fd)
    } catch (error) {
      throw writeError(this.#path, error)
    }
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd
    const { disk } = this.#options
    this.#isNew = disk.stat(this.#path) === null
    this.#fd = disk.openToAppend(this.#path, false)
    return this.#fd
  }

  /** A line that somebody left unfinished is ended first: else ours would be glued to it, and lost with it. */
  #writeLines(fd: number, parts: readonly Uint8Array[]): void {
    const { disk } = this.#options
    const size = disk.sizeOf(fd)
    const isEnded = size === 0 || disk.read(fd, size - 1, 1)[0] === 0x0a
    const bytes = Buffer.concat(isEnded ? parts : [NEWLINE, ...parts])
    try {
      writeAll(disk, fd, bytes)
    } catch (error) {
      // Nothing is cut off: the client may have written behind us. The next append would end the line as well.
      if (disk.sizeOf(fd) > size) tryWrite(disk, fd, NEWLINE)
      throw error
    }
  }

  /** After a failed sync the system may call the next one a success though nothing reached the disk. */
  async #sync(fd: number): Promise<void> {
    const { disk } = this.#options
    try {
      await disk.sync(fd)
      if (this.#isNew) await disk.syncFolder(dirname(this.#path))
      this.#isNew = false
    } catch (error) {
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
