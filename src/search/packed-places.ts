// The Turn and Branch of every record of a file, as bytes: neighbours mostly share theirs, so runs of them are told. Older
// indexes have two lists of whole numbers, which take a multiple of eight bytes; what is written now never does.

import { ByteReader, ByteWriter } from '../load/packed-bytes.ts'

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
