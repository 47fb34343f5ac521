// The Turn and Branch of every record of a file, as bytes: neighbours mostly share theirs, so runs of them are told. Older
// indexes have two lists of whole numbers, which take a multiple of eight bytes; what is written now never does.

import { ByteReader, ByteWriter } from '../load/packed-bytes.ts'

/** Where a record belongs; the Branch is -1 for one in none. */
export interface Place {
  readonly branch: number
  readonly turn: number
}

export interface Places {
  readonly branches: Int32Array
  readonly turns: Int32Array
}

export function packPlaces({ branches, turns }: Places): Buffer {
  const to = new ByteWriter()
  to.whole(branches.length)
  for (let from = 0; from < branches.length; ) {
    let end = from + 1
    while (end < branches.length && branches[end] === branches[from] && turns[end] === turns[from]) end++
    to.whole(end - from)
    // Some records are in none, which is told by a number below nought.
    to.whole((branches[from] as number) + 1)
    to.whole((turns[from] as number) + 1)
    from = end
  }
  const packed = to.finish()
  // One byte says how many are added behind, so that the length tells the two apart.
  const added = (STEP - (packed.length % STEP)) % STEP
  return Buffer.concat([Buffer.from([added]), packed, Buffer.alloc(added)])
}

const STEP = 8
const NUMBER_BYTES = 4

export function unpackPlaces(bytes: Uint8Array): Places {
  if (bytes.length % STEP === 0) {
    const numbers = new Int32Array(new Uint8Array(bytes).buffer)
    const half = bytes.length / NUMBER_BYTES / 2
    return { branches: numbers.subarray(0, half), turns: numbers.subarray(half) }
  }
  const from = new ByteReader(bytes.subarray(1, bytes.length - (bytes[0] as number)))
  const count = from.whole()
  const branches = new Int32Array(count)
  const turns = new Int32Array(count)
  for (let at = 0; at < count; ) {
    const end = at + from.whole()
    // Bytes that somebody damaged must not keep us here for ever.
    if (!(end > at)) break
    branches.fill(from.whole() - 1, at, end)
    turns.fill(from.whole() - 1, at, end)
    at = end
  }
  return { branches, turns }
}

/** Of each stretch of records with the same place: how many, the Branch and the Turn, both raised by one. */
export type Runs = readonly number[]

const RUN = 3
/** How many were added, and how long the texts and the ids are, of which there are none. */
const HEAD_BYTES = 9

/** Without the lists of all records: a search asks for two or three of each file. */
export function runsOf(bytes: Uint8Array): Runs {
  if (bytes.length % STEP === 0) {
    const { branches, turns } = unpackPlaces(bytes)
    return Array.from(branches).flatMap((branch, record) => [1, branch + 1, (turns[record] as number) + 1])
  }
  const lengths = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES)
  const numbers: number[] = []
  const end = bytes.length - (bytes[0] as number)
  let value = 0
  let scale = 1
  for (let at = HEAD_BYTES + lengths.getUint32(1, true) + lengths.getUint32(5, true); at < end; at++) {
    const byte = bytes[at] as number
    value += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte >= 0x80) continue
    numbers.push(value)
    value = 0
    scale = 1
  }
  // The first one is how many records there are.
  return numbers.slice(1)
}

/** Null for a record that the runs do not reach. */
export function placeIn(runs: Runs, record: number): Place | null {
  let end = 0
  for (let at = 0; at + RUN <= runs.length; at += RUN) {
    end += runs[at] as number
    if (record < end) return { branch: (runs[at + 1] as number) - 1, turn: (runs[at + 2] as number) - 1 }
  }
  return null
}
