// Which landmark is where, in all packs. Typed arrays and open addressing: half a million of them take twelve megabytes.

const START_SIZE = 1 << 12

export class LandmarkIndex {
  #keys = new Uint32Array(START_SIZE)
  /** The pack's number and one; zero for an empty place. */
  #packs = new Uint32Array(START_SIZE)
  #offsets = new Uint32Array(START_SIZE)
  #count = 0
  /** Of the last one that was found. */
  pack = 0
  offset = 0

  /** The first of a key stays: what comes later is mostly a copy of it. */
  add(key: number, pack: number, offset: number): void {
    if (this.#count * 2 > this.#keys.length) this.#grow()
    let at = this.#placeOf(key)
    while (this.#packs[at] !== 0) {
      if (this.#keys[at] === key) return
      at = (at + 1) & (this.#keys.length - 1)
    }
    this.#keys[at] = key
    this.#packs[at] = pack + 1
    this.#offsets[at] = offset
    this.#count++
  }

  find(key: number): boolean {
    let at = this.#placeOf(key)
    while (this.#packs[at] !== 0) {
      if (this.#keys[at] === key) {
        this.pack = (this.#packs[at] ?? 1) - 1
        this.offset = this.#offsets[at] ?? 0
        return true
      }
      at = (at + 1) & (this.#keys.length - 1)
    }
    return false
  }

  #placeOf(key: number): number {
    return (Math.imul(key, 0x9e3779b1) >>> 7) & (this.#keys.length - 1)
  }

  #grow(): void {
    const [keys, packs, offsets] = [this.#keys, this.#packs, this.#offsets]
    this.#keys = new Uint32Array(keys.length * 2)
    this.#packs = new Uint32Array(keys.length * 2)
    this.#offsets = new Uint32Array(keys.length * 2)
    this.#count = 0
    for (let at = 0; at < keys.length; at++) {
      const pack = packs[at] ?? 0
      if (pack !== 0) this.add(keys[at] ?? 0, pack - 1, offsets[at] ?? 0)
    }
  }
}
