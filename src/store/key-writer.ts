// Appends to the one transcript that a key of the official SDK names. A uuid is written once, also when two processes
// bring it at the same moment: what the file has is looked up under the lock, and the write follows under the same one.
// Those who wait while a write is under way are written together by the next.

import { dirname } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders } from '../disk/durable.ts'
import type { SyncRule } from './appender.ts'
import { Appender } from './appender.ts'
import { fileLock, NO_LOCK } from './session-lock.ts'
import { StoreError, writeError } from './store-error.ts'
import { linesOf } from './stored-lines.ts'

/** A record in its written form, with its line end. */
export interface WrittenRecord {
  readonly uuid: string | null
  readonly line: string
}

interface Waiting {
  readonly records: readonly WrittenRecord[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** So much of what we know is compared, to see that the file is still the one we know. */
const COMPARED_BYTES = 4096
/** A folder may be deleted between making it and writing into it; more often than this it is no coincidence. */
const TRIES_MAX = 5

export class KeyWriter {
  readonly #disk: Disk
  readonly #path: string
  readonly #syncRule: SyncRule
  #waiting: Waiting[] = []
  #running: Promise<void> | null = null
  #appender: Appender | null = null
  #uuids = new Set<string>()
  /** Up to here, always behind a line end, the file is known. */
  #knownBytes = 0
  #knownTail: Uint8Array = Buffer.alloc(0)
  /** Written, but the disk did not confirm it. They are written again. */
  readonly #doubtful = new Set<string>()

  constructor(disk: Disk, path: string, syncRule: SyncRule) {
    this.#disk = disk
    this.#path = path
    this.#syncRule = syncRule
  }

  /** Nobody waits, and nothing has to be remembered: this one can be closed and made again. */
  get isIdle(): boolean {
    return this.#running === null && this.#doubtful.size === 0
  }

  append(records: readonly WrittenRecord[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Runs `work` when no append is under way here or in another process. */
  async alone(work: () => Promise<void>): Promise<void> {
    while (this.#running !== null) await this.#running
    const working = this.#aloneNow(work)
    // Whoever waits for its turn is not to be told of a failure that is not its own.
    this.#running = working.catch(() => undefined)
    await working
  }

  async close(): Promise<void> {
    while (this.#running !== null) await this.#running
    await this.#forget()
  }

  async #aloneNow(work: () => Promise<void>): Promise<void> {
    try {
      await this.#forget()
      await makeFolders(this.#disk, dirname(this.#path))
      const held = await fileLock(this.#disk, this.#path).take()
      try {
        await work()
      } finally {
        held.release()
      }
    } finally {
      this.#doubtful.clear()
      this.#running = this.#waiting.length > 0 ? this.#run() : null
    }
  }

  async #run(): Promise<void> {
    // Those who ask in the same moment are to be in the same write.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#syncRule === 'each' ? 1 : this.#waiting.length)
      try {
        await this.#write(batch.flatMap(({ records }) => records))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(writeError(this.#path, error))
      }
    }
    this.#running = null
  }

  async #write(records: readonly WrittenRecord[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        if (await this.#tryWrite(records)) return
      } catch (error) {
        await this.#forget()
        if (error instanceof StoreError && error.code === 'sync-failed')
          for (const { uuid } of records) if (uuid !== null) this.#doubtful.add(uuid)
        if (this.#disk.stat(dirname(this.#path)) !== null) throw error
      }
      if (tries === TRIES_MAX)
        throw new StoreError('write-failed', `${this.#path}: is taken away again and again while it is written`)
    }
  }

  /** False when somebody deleted the file while it was open: what was written is gone with it. */
  async #tryWrite(records: readonly WrittenRecord[]): Promise<boolean> {
    await makeFolders(this.#disk, dirname(this.#path))
    const held = await fileLock(this.#disk, this.#path).take()
    try {
      await this.#learn()
      const fresh = this.#freshOf(records)
      if (!held.isHeld()) return false
      if (fresh.length === 0) {
        await this.#syncKnown()
        return true
      }
      const sizeBytes = this.#disk.stat(this.#path)?.sizeBytes ?? 0
      const lines = fresh.map(({ line }) => line).join('')
      this.#appender ??= new Appender(this.#path, { disk: this.#disk, lock: NO_LOCK, syncRule: this.#syncRule })
      await this.#appender.append(lines)
      if ((this.#disk.stat(this.#path)?.sizeBytes ?? 0) < sizeBytes + Buffer.byteLength(lines)) {
        await this.#forget()
        return false
      }
      for (const { uuid } of fresh) if (uuid !== null) this.#doubtful.delete(uuid)
      return true
    } finally {
      held.release()
    }
  }

  #freshOf(records: readonly WrittenRecord[]): readonly WrittenRecord[] {
    const own = new Set<string>()
    return records.filter(({ uuid }) => {
      if (uuid === null) return true
      if (own.has(uuid) || (this.#uuids.has(uuid) && !this.#doubtful.has(uuid))) return false
      own.add(uuid)
      return true
    })
  }

  /** Reads what was added since, by us or by others; all of it when the file is another one. */
  async #learn(): Promise<void> {
    const stat = this.#disk.stat(this.#path)
    if (stat === null) return this.#forget()
    const fd = this.#disk.openToRead(this.#path)
    try {
      const tail = this.#knownTail
      if (tail.length > 0 && !Buffer.from(tail).equals(this.#read(fd, this.#knownBytes - tail.length, tail.length)))
        await this.#forget()
      const added = this.#read(fd, this.#knownBytes, this.#disk.sizeOf(fd) - this.#knownBytes)
      if (added.length === 0) return
      for (const { record } of linesOf(added)) if (isUuid(record['uuid'])) this.#uuids.add(record['uuid'])
      const ended = added.lastIndexOf(0x0a) + 1
      this.#knownBytes += ended
      const start = Math.max(0, this.#knownBytes - COMPARED_BYTES)
      this.#knownTail = this.#read(fd, start, this.#knownBytes - start)
    } finally {
      this.#disk.close(fd)
    }
  }

  /** A read may be short. */
  #read(fd: number, offset: number, length: number): Buffer {
    const parts: Uint8Array[] = []
    for (let got = 0; got < length; ) {
      const part = this.#disk.read(fd, offset + got, Math.min(length - got, 1 << 24))
      if (part.length === 0) break
      parts.push(part)
      got += part.length
    }
    return Buffer.concat(parts)
  }

  /** What is in the file already may have been written by a process that was killed before it could sync. */
  async #syncKnown(): Promise<void> {
    if (this.#syncRule === 'none') return
    const fd = this.#disk.openToAppend(this.#path, false)
    try {
      await this.#disk.sync(fd)
      await this.#disk.syncFolder(dirname(this.#path))
    } catch (error) {
      throw new StoreError('sync-failed', `${this.#path}: the disk did not confirm what was written`, error)
    } finally {
      this.#disk.close(fd)
    }
  }

  async #forget(): Promise<void> {
    const appender = this.#appender
    this.#appender = null
    this.#uuids = new Set()
    this.#knownBytes = 0
    this.#knownTail = Buffer.alloc(0)
    await appender?.close()
  }
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
