// The Turn and Branch of every record of a file, as bytes: neighbours mostly share theirs, so runs of them are told.

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
  return to.finish()
}

export function unpackPlaces(packed: Uint8Array): Places {
  const from = new ByteReader(packed)
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
