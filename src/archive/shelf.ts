// The packs of an archive, to read from: those that are there and those that are being written. A pack has a number
// here, because thousands of stretches name it.

import { ArchiveError } from './archive-error.ts'
import { BlockCache } from './block-cache.ts'
import type { Archive } from './open-archive.ts'
import { packFolder } from './open-archive.ts'
import type { PackTable } from './pack-format.ts'
import { BLOCK_BYTES, damaged, readTable, unpackBlock } from './pack-format.ts'
import type { PackWriter } from './pack-writer.ts'
import { packPath } from './pack-writer.ts'

/** Five blocks. */
const CACHE_BYTES = 5 * BLOCK_BYTES
const NOTHING = Buffer.alloc(0)

interface OpenPack {
  readonly fd: number
  readonly table: PackTable
}

export class Shelf {
  readonly #archive: Archive
  readonly #cache = new BlockCache(CACHE_BYTES)
  readonly #ids: (string | null)[] = []
  readonly #numbers = new Map<string, number>()
  readonly #writers = new Map<number, PackWriter>()
  readonly #open = new Map<number, OpenPack>()

  constructor(archive: Archive) {
    this.#archive = archive
  }

  numberOf(packId: string): number {
    const known = this.#numbers.get(packId)
    if (known !== undefined) return known
    this.#numbers.set(packId, this.#ids.length)
    return this.#ids.push(packId) - 1
  }

  idOf(number: number): string {
    return this.#ids[number] ?? ''
  }

  addWriter(writer: PackWriter): number {
    const number = this.#ids.push(null) - 1
    this.#writers.set(number, writer)
    return number
  }

  /** A pack that was being written has got its id. */
  settle(number: number, packId: string): void {
    this.#writers.delete(number)
    this.#ids[number] = packId
    this.#numbers.set(packId, number)
  }

  /** What follows an offset, as far as its block goes; nothing at the end of a pack. */
  view(number: number, offset: number): Buffer {
    const writer = this.#writers.get(number)
    const blockBytes = writer === undefined ? this.#pack(number).table.blockBytes : BLOCK_BYTES
    const index = Math.floor(offset / blockBytes)
    const key = `${number}/${index}`
    let bytes = this.#cache.get(key)
    if (bytes === undefined) {
      bytes = writer === undefined ? this.#unpack(number, index) : writer.block(index)
      if (writer === undefined || writer.isWhole(index)) this.#cache.set(key, bytes)
    }
    return bytes.subarray(offset - index * blockBytes)
  }

  /** What comes before an offset, back to where its block begins. */
  viewBefore(number: number, offset: number): Buffer {
    if (offset === 0) return NOTHING
    const writer = this.#writers.get(number)
    const blockBytes = writer === undefined ? this.#pack(number).table.blockBytes : BLOCK_BYTES
    const begin = Math.floor((offset - 1) / blockBytes) * blockBytes
    return this.view(number, begin).subarray(0, offset - begin)
  }

  close(): void {
    for (const { fd } of this.#open.values()) this.#archive.disk.close(fd)
    this.#open.clear()
  }

  #unpack(number: number, index: number): Buffer {
    const { fd, table } = this.#pack(number)
    const block = table.blocks[index]
    if (block === undefined) return NOTHING
    const name = `packs/${this.idOf(number)}.pack`
    return unpackBlock(this.#archive.disk.read(fd, block.at, block.storedBytes), block.sizeBytes, name)
  }

  #pack(number: number): OpenPack {
    const known = this.#open.get(number)
    if (known !== undefined) return known
    const { disk } = this.#archive
    const path = packPath(this.#archive, this.idOf(number))
    if (disk.stat(path) === null)
      throw new ArchiveError('missing', `${path} is missing from ${packFolder(this.#archive)}`)
    const fd = disk.openToRead(path)
    try {
      const pack = { fd, table: readTable(disk, fd, path) }
      if (pack.table.blockBytes === 0) throw damaged(path)
      this.#open.set(number, pack)
      return pack
    } catch (error) {
      disk.close(fd)
      throw error
    }
  }
}
