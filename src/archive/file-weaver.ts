// A file becomes stretches: of bytes that some pack has already, and of bytes that are new and go into the pack being
// written. Landmarks, places chosen by a hash of the bytes before them, lead to what is known; there the bytes
// themselves are compared. A fork differs from its origin in an id or two on every line, so where a copy ends it is
// looked for again right behind: after a word of the same length, after something put in, after something left out.

import type { LandmarkIndex } from './landmark-index.ts'
import type { PackWriter } from './pack-writer.ts'
import type { Shelf } from './shelf.ts'

/** A stretch, with the number of its pack on the shelf. */
export interface WovenStretch {
  readonly pack: number
  readonly offset: number
  length: number
}

export interface Loom {
  readonly shelf: Shelf
  readonly index: LandmarkIndex
  /** The pack that new bytes go to, with its number. */
  readonly target: () => { readonly writer: PackWriter; readonly pack: number }
}

/** One byte in 2^11 is a landmark. */
const LANDMARK_BITS = 11
const KEY_BYTES = 64
/** A copy that is shorter is left to the compression. */
const COPY_BYTES_MIN = 96
/** How far behind the end of a copy it is looked for again, by how many bytes, and how many of them leave no doubt. */
const REACH_BYTES = 512
const SAME_BYTES = 24
const SURE_BYTES = 160
const STEPS = [0, 20, 40, 60, 80, 120, 160, 240, 320, 480]

const GEAR = Int32Array.from({ length: 256 }, (_, byte) => mixed(byte + 1))

export class FileWeaver {
  readonly stretches: WovenStretch[] = []
  readonly #loom: Loom
  /** Where the last window ended in the middle of a copy. */
  #copy: { pack: number; offset: number } | null = null
  /** Landmarks in what is new, by their end in the window. */
  #marks: { readonly at: number; readonly key: number }[] = []

  constructor(loom: Loom) {
    this.#loom = loom
  }

  /** The next bytes of the file. */
  push(window: Buffer): void {
    const { index } = this.#loom
    let literalFrom = this.#followCopy(window, 0)
    let hash = 0
    let warmFrom = literalFrom
    for (let at = literalFrom; at < window.length; ) {
      hash = ((hash << 1) + (GEAR[window[at] ?? 0] ?? 0)) | 0
      at++
      if (hash >>> (32 - LANDMARK_BITS) !== 0 || at - warmFrom < KEY_BYTES) continue
      const key = keyBefore(window, at)
      const end = index.find(key) ? this.#takeCopy(window, literalFrom, at, index.pack, index.offset) : 0
      if (end === 0) {
        this.#marks.push({ at, key })
        continue
      }
      literalFrom = end
      warmFrom = end
      at = end
      hash = 0
    }
    this.#addNew(window, literalFrom, window.length)
  }

  /** The end of all copies that begin here, when there is one worth taking; 0 when there is none. */
  #takeCopy(window: Buffer, from: number, at: number, pack: number, offset: number): number {
    const back = this.#sameBefore(window, at, from, pack, offset)
    // The key is a hash: what it leads to may be something else.
    if (back < KEY_BYTES) return 0
    const ahead = this.#sameAfter(window, at, pack, offset)
    if (back + ahead < COPY_BYTES_MIN) return 0
    this.#addNew(window, from, at - back)
    this.#add(pack, offset - back, back + ahead)
    this.#copy = { pack, offset: offset + ahead }
    return this.#followCopy(window, at + ahead)
  }

  /** Goes on with a copy, and with what follows it elsewhere; gives the place behind. */
  #followCopy(window: Buffer, from: number): number {
    const copy = this.#copy
    if (copy === null) return from
    let at = from
    while (at < window.length) {
      const count = this.#sameAfter(window, at, copy.pack, copy.offset)
      if (count > 0) this.#add(copy.pack, copy.offset, count)
      at += count
      copy.offset += count
      if (at >= window.length) return at
      const gap = gapAfter(window, at, this.#loom.shelf.view(copy.pack, copy.offset))
      if (gap === null) break
      this.#addNew(window, at, at + gap.put)
      at += gap.put
      copy.offset += gap.left
    }
    this.#copy = null
    return at
  }

  #addNew(window: Buffer, from: number, to: number): void {
    const marks = this.#marks
    if (to > from) {
      const { writer, pack } = this.#loom.target()
      const offset = writer.sizeBytes
      writer.append(window.subarray(from, to))
      this.#add(pack, offset, to - from)
      for (const { at, key } of marks) {
        if (at - KEY_BYTES < from || at > to) continue
        writer.landmarks.push({ key, offset: offset + at - from })
        this.#loom.index.add(key, pack, offset + at - from)
      }
    }
    if (marks.length > 0) this.#marks = []
  }

  #add(pack: number, offset: number, length: number): void {
    const last = this.stretches.at(-1)
    if (last !== undefined && last.pack === pack && last.offset + last.length === offset) last.length += length
    else this.stretches.push({ pack, offset, length })
  }

  #sameAfter(window: Buffer, from: number, pack: number, offset: number): number {
    let count = 0
    while (from + count < window.length) {
      const known = this.#loom.shelf.view(pack, offset + count)
      const same = sameStart(window, from + count, known)
      count += same
      if (known.length === 0 || same < known.length) break
    }
    return count
  }

  #sameBefore(window: Buffer, to: number, from: number, pack: number, offset: number): number {
    let count = 0
    while (to - count > from) {
      const known = this.#loom.shelf.viewBefore(pack, offset - count)
      const max = Math.min(known.length, to - count - from)
      let same = 0
      while (same < max && window[to - count - same - 1] === known[known.length - same - 1]) same++
      count += same
      if (same < known.length || known.length === 0) break
    }
    return count
  }
}

interface Gap {
  /** So many bytes were put in here that are not there, */
  readonly put: number
  /** and so many left out that are. */
  readonly left: number
}

/** Where two texts that were the same until now are the same again: the first place for a good while, or the best one. */
function gapAfter(window: Buffer, at: number, known: Buffer): Gap | null {
  const here = window.subarray(at, at + REACH_BYTES)
  let best: Gap | null = null
  let bestLength = 0
  for (const step of STEPS) {
    const wanted = known.subarray(step, step + SAME_BYTES)
    if (wanted.length < SAME_BYTES) break
    let [put, left] = [here.indexOf(wanted), step]
    if (put === -1) continue
    while (put > 0 && left > 0 && here[put - 1] === known[left - 1]) {
      put--
      left--
    }
    const length = sameStart(window, at + put, known.subarray(left, left + SURE_BYTES))
    if (length > bestLength) {
      best = { put, left }
      bestLength = length
    }
    if (length === SURE_BYTES) break
  }
  return best
}

function sameStart(window: Buffer, from: number, known: Buffer): number {
  const max = Math.min(known.length, window.length - from)
  let same = 0
  while (same < max && window[from + same] === known[same]) same++
  return same
}

function keyBefore(window: Buffer, end: number): number {
  let key = 0x811c9dc5
  for (let at = end - KEY_BYTES; at < end; at++) key = Math.imul(key ^ (window[at] ?? 0), 0x01000193)
  return mixed(key) >>> 0
}

function mixed(value: number): number {
  let mixing = Math.imul(value, 0x9e3779b1)
  mixing = Math.imul(mixing ^ (mixing >>> 15), 0x85ebca6b)
  return mixing ^ (mixing >>> 13)
}
