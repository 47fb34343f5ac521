// A pack while it is made. Bytes come in, are gathered into blocks and compressed on the thread pool; blocks that are
// done go to a file under a name of its own, which becomes the hash of all of it at the end. What was written can be
// read again at once: the second file of a snapshot is often a fork of the first.

import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { writeAll } from '../disk/durable.ts'
import type { Archive } from './open-archive.ts'
import { discard, packFolder, unfinishedPath } from './open-archive.ts'
import type { Landmark, PackBlock } from './pack-format.ts'
import { BLOCK_BYTES, PACK_HEAD, packTail, unpackBlock } from './pack-format.ts'

/** Besides the one that comes next: as many as keep a small machine busy, because each takes several blocks of memory. */
const WAITING_MAX = 1

export class PackWriter {
  readonly landmarks: Landmark[] = []
  readonly #archive: Archive
  readonly #path: string
  readonly #fd: number
  readonly #hash: Hash = createHash('sha256')
  readonly #blocks: PackBlock[] = []
  /** Blocks that are not in the file yet, by their number. */
  readonly #waiting = new Map<number, { readonly bytes: Buffer; readonly done: Promise<void> }>()
  #current = Buffer.allocUnsafe(BLOCK_BYTES)
  #filled = 0
  #number = 0
  #storedBytes = 0
  #written: Promise<void> = Promise.resolve()
  #failure: unknown = null

  constructor(archive: Archive) {
    this.#archive = archive
    this.#path = unfinishedPath(packFolder(archive))
    this.#fd = archive.disk.openToAppend(this.#path, true)
    try {
      this.#write(PACK_HEAD)
    } catch (error) {
      archive.disk.close(this.#fd)
      discard(archive.disk, this.#path)
      throw error
    }
  }

  get sizeBytes(): number {
    return this.#number * BLOCK_BYTES + this.#filled
  }

  append(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      const count = bytes.copy(this.#current, this.#filled, from)
      from += count
      this.#filled += count
      if (this.#filled === BLOCK_BYTES) this.#endBlock()
    }
  }

  /** Waits while more is in memory than there should be. */
  async room(): Promise<void> {
    while (this.#failure === null) {
      if (this.#waiting.size <= WAITING_MAX) return
      for (const { done } of this.#waiting.values()) {
        await done
        break
      }
    }
    throw this.#failure
  }

  /** A block as it was; the last one only as far as it goes. */
  block(number: number): Buffer {
    if (number === this.#number) return this.#current.subarray(0, this.#filled)
    const waiting = this.#waiting.get(number)
    if (waiting !== undefined) return waiting.bytes
    const { at, storedBytes, sizeBytes } = this.#blocks[number] ?? { at: 0, storedBytes: 0, sizeBytes: 0 }
    return unpackBlock(this.#archive.disk.read(this.#fd, at, storedBytes), sizeBytes, this.#path)
  }

  /** A block that no more bytes come to. */
  isWhole(number: number): boolean {
    return number < this.#number
  }

  /** Its id, once it is on disk for good. */
  async seal(): Promise<string> {
    if (this.#filled > 0) this.#endBlock()
    const { disk } = this.#archive
    try {
      await this.#written
      if (this.#failure !== null) throw this.#failure
      this.#write(packTail({ blockBytes: BLOCK_BYTES, blocks: this.#blocks }, this.landmarks))
      await disk.sync(this.#fd)
    } catch (error) {
      await this.abandon()
      throw error
    }
    disk.close(this.#fd)
    const id = this.#hash.digest('hex')
    disk.rename(this.#path, packPath(this.#archive, id))
    await disk.syncFolder(packFolder(this.#archive))
    return id
  }

  get storedBytes(): number {
    return this.#storedBytes
  }

  async abandon(): Promise<void> {
    this.#failure ??= new Error('abandoned')
    await this.#written
    this.#archive.disk.close(this.#fd)
    discard(this.#archive.disk, this.#path)
  }

  #endBlock(): void {
    const number = this.#number++
    const bytes = this.#current.subarray(0, this.#filled)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      // No larger than a block: the compressor takes several times as much.
      [constants.BROTLI_PARAM_LGWIN]: 23,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    const compressed = promisify(brotliCompress)(bytes, { params })
    // Blocks are compressed side by side and written one after another.
    this.#written = Promise.all([compressed, this.#written]).then(
      ([stored]) => this.#keep(number, stored, bytes.length),
      (error) => this.#fail(error),
    )
    this.#waiting.set(number, { bytes, done: this.#written })
    this.#current = Buffer.allocUnsafe(BLOCK_BYTES)
    this.#filled = 0
  }

  #keep(number: number, stored: Buffer, sizeBytes: number): void {
    if (this.#failure !== null) return
    try {
      const at = this.#storedBytes
      this.#write(stored)
      this.#blocks.push({ at, storedBytes: stored.length, sizeBytes })
      this.#waiting.delete(number)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error
  }

  #write(bytes: Uint8Array): void {
    writeAll(this.#archive.disk, this.#fd, bytes)
    this.#hash.update(bytes)
    this.#storedBytes += bytes.length
  }
}

export function packPath(archive: Archive, id: string): string {
  return join(packFolder(archive), `${id}.pack`)
}
