// How much of each pack is needed by some versions. Counted in small units, not in bytes: a fork has thousands of
// stretches, and a few bytes at their ends make no difference.

import type { Stretch } from './model.ts'

const UNIT_BYTES = 256

export class PackUse {
  readonly #used = new Map<string, Uint8Array>()
  readonly #bytes = new Map<string, number>()

  /** How many bytes were not needed before, by pack. */
  add(stretches: readonly Stretch[]): ReadonlyMap<string, number> {
    const added = new Map<string, number>()
    for (const { packId, offset, length } of stretches) {
      const to = Math.ceil((offset + length) / UNIT_BYTES)
      const units = this.#unitsOf(packId, to)
      let count = 0
      for (let at = Math.floor(offset / UNIT_BYTES); at < to; at++) {
        if (units[at] === 1) continue
        units[at] = 1
        count++
      }
      if (count > 0) added.set(packId, (added.get(packId) ?? 0) + count * UNIT_BYTES)
    }
    for (const [packId, count] of added) this.#bytes.set(packId, this.bytesOf(packId) + count)
    return added
  }

  bytesOf(packId: string): number {
    return this.#bytes.get(packId) ?? 0
  }

  #unitsOf(packId: string, length: number): Uint8Array {
    const known = this.#used.get(packId) ?? new Uint8Array(0)
    if (known.length >= length) return known
    const units = new Uint8Array(Math.max(length, known.length * 2, 1024))
    units.set(known)
    this.#used.set(packId, units)
    return units
  }
}
