// What files are woven with, as long as a snapshot is taken: the packs there are, the landmarks in them, and the pack that
// is being written.

import { ArchiveError } from './archive-error.ts'
import { FileWeaver, type Loom, type WovenStretch } from './file-weaver.ts'
import { LandmarkIndex } from './landmark-index.ts'
import type { Stretch } from './model.ts'
import type { Archive } from './open-archive.ts'
import { readLandmarks } from './pack-format.ts'
import { packIds } from './pack-list.ts'
import { PackWriter, packPath } from './pack-writer.ts'
import { Shelf } from './shelf.ts'

export class Weaving {
  readonly shelf: Shelf
  readonly #archive: Archive
  readonly #avoided: ReadonlySet<string>
  #index: LandmarkIndex | null = null
  #target: { readonly writer: PackWriter; readonly pack: number } | null = null
  /** Of all packs that were sealed. */
  storedBytes = 0

  constructor(archive: Archive, avoided: ReadonlySet<string>) {
    this.#archive = archive
    this.#avoided = avoided
    this.shelf = new Shelf(archive)
  }

  isAvoided(packId: string): boolean {
    return this.#avoided.has(packId)
  }

  weaver(): FileWeaver {
    const loom: Loom = { shelf: this.shelf, index: this.#landmarks(), target: () => this.#writing() }
    return new FileWeaver(loom)
  }

  /** How much is in the pack that is being written. */
  get newBytes(): number {
    return this.#target?.writer.sizeBytes ?? 0
  }

  async room(): Promise<void> {
    await this.#target?.writer.room()
  }

  /** What was woven so far lasts when this has returned, and only then do stretches have a pack to name. */
  async seal(): Promise<void> {
    const target = this.#target
    if (target === null) return
    this.#target = null
    const packId = await target.writer.seal()
    this.storedBytes += target.writer.storedBytes
    this.shelf.settle(target.pack, packId)
  }

  stretches(woven: readonly WovenStretch[]): readonly Stretch[] {
    return woven.map(({ pack, offset, length }) => ({ packId: this.shelf.idOf(pack), offset, length }))
  }

  async close(): Promise<void> {
    const target = this.#target
    this.#target = null
    await target?.writer.abandon()
    this.shelf.close()
  }

  #writing(): { readonly writer: PackWriter; readonly pack: number } {
    if (this.#target === null) {
      const writer = new PackWriter(this.#archive)
      this.#target = { writer, pack: this.shelf.addWriter(writer) }
    }
    return this.#target
  }

  #landmarks(): LandmarkIndex {
    if (this.#index !== null) return this.#index
    const { disk } = this.#archive
    this.#index = new LandmarkIndex()
    for (const packId of packIds(this.#archive)) {
      if (this.#avoided.has(packId)) continue
      const path = packPath(this.#archive, packId)
      const fd = disk.openToRead(path)
      try {
        const pack = this.shelf.numberOf(packId)
        for (const { key, offset } of readLandmarks(disk, fd, path)) this.#index.add(key, pack, offset)
      } catch (error) {
        // Nothing is taken from a pack that is damaged, and what it holds is kept anew where it is met.
        if (!(error instanceof ArchiveError)) throw error
      } finally {
        disk.close(fd)
      }
    }
    return this.#index
  }
}
