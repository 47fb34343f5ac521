// Blocks that were unpacked lately. What is read of an archive is mostly near what was read before.

export class BlockCache {
  readonly #sizeBytesMax: number
  readonly #blocks = new Map<string, Buffer>()
  #sizeBytes = 0

  constructor(sizeBytesMax: number) {
    this.#sizeBytesMax = sizeBytesMax
  }

  get(key: string): Buffer | undefined {
    const bytes = this.#blocks.get(key)
    if (bytes === undefined) return undefined
    // A Map remembers the order in which its keys came: the first is the one that was not used for longest.
    this.#blocks.delete(key)
    this.#blocks.set(key, bytes)
    return bytes
  }

  set(key: string, bytes: Buffer): void {
    this.#blocks.set(key, bytes)
    this.#sizeBytes += bytes.length
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#sizeBytes <= this.#sizeBytesMax || oldest === key) break
      this.#blocks.delete(oldest)
      this.#sizeBytes -= length
    }
  }
}
