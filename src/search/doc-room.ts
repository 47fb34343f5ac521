// Where docs stand on their way from the thread that reads to the one that writes. Memory of its own for each of them would
// make V8 look through its whole heap every ten megabytes, so they go round in one piece of memory that both threads see.

export interface DocRoom {
  take(bytes: number): DocPlace
}

export interface DocPlace {
  readonly buffer: ArrayBufferLike
  /** A multiple of eight. */
  readonly offset: number
  /** What is free again when the docs are written. */
  readonly taken: number
}

/** Where nobody else reads them. */
export const OWN_ROOM: DocRoom = { take: (bytes) => ({ buffer: new ArrayBuffer(bytes), offset: 0, taken: 0 }) }

const STEP = 8

/** Filled by one thread, and emptied by another in the same order. */
export class RingRoom implements DocRoom {
  readonly #buffer: SharedArrayBuffer
  readonly #taken: Int32Array
  #at = 0

  constructor({ buffer, taken }: Ring) {
    this.#buffer = buffer
    this.#taken = taken
  }

  take(bytes: number): DocPlace {
    const size = this.#buffer.byteLength
    const length = Math.ceil(bytes / STEP) * STEP
    // It stands in one piece: where what is left at the end is too little, it begins again at the beginning.
    const isAgain = this.#at + length > size
    const taken = length + (isAgain ? size - this.#at : 0)
    if (Atomics.load(this.#taken, 0) + taken > size) return OWN_ROOM.take(bytes)
    Atomics.add(this.#taken, 0, taken)
    const offset = isAgain ? 0 : this.#at
    this.#at = offset + length
    return { buffer: this.#buffer, offset, taken }
  }
}

export interface Ring {
  readonly buffer: SharedArrayBuffer
  readonly taken: Int32Array
}

export function newRing(bytes: number): Ring {
  return { buffer: new SharedArrayBuffer(bytes), taken: new Int32Array(new SharedArrayBuffer(4)) }
}

export function giveBack({ taken }: Ring, bytes: number): void {
  Atomics.sub(taken, 0, bytes)
}
