// The bytes of ids → ids. All of them are written as one text, which is cut into pieces.

import type { ColumnReader } from './page-column.ts'
import type { TextReader } from './page-texts.ts'
import { unpackSixBits } from './six-bits.ts'

interface Shapes {
  /** What ids begin with, as bytes. */
  readonly starts: readonly Buffer[]
  readonly lengths: readonly number[]
  /** By the number of an id. */
  readonly of: readonly number[]
}

export function unpackIds(packedShapes: ColumnReader, packed: Uint8Array, texts: TextReader): readonly string[] {
  const shapes = unpackShapes(packedShapes, texts)
  const text = writeIds(shapes, unpackSixBits(packed))
  const ids: string[] = []
  let at = 0
  for (const shape of shapes.of) {
    const end = at + (shapes.lengths[shape] as number)
    ids.push(text.slice(at, end))
    at = end
  }
  return ids
}

function unpackShapes(from: ColumnReader, texts: TextReader): Shapes {
  const starts: Buffer[] = []
  const lengths: number[] = []
  for (let left = from.whole(); left > 0; left--) {
    starts.push(Buffer.from(texts.text(from.whole()) as string, 'latin1'))
    lengths.push(from.whole())
  }
  const of: number[] = []
  for (let left = from.whole(); left > 0; left--) of.push(from.whole())
  return { starts, lengths, of }
}

function writeIds({ starts, lengths, of }: Shapes, ends: Buffer): string {
  let room = 0
  let needed = 0
  for (const shape of of) {
    room += lengths[shape] as number
    needed += (lengths[shape] as number) - (starts[shape] as Buffer).length
  }
  if (needed > ends.length) throw new RangeError('the ids of a page are longer than their bytes')
  const written = Buffer.allocUnsafe(room)
  let from = 0
  let to = 0
  for (const shape of of) {
    const start = starts[shape] as Buffer
    const end = to + (lengths[shape] as number)
    for (let at = 0; at < start.length; at++) written[to++] = start[at] as number
    while (to < end) written[to++] = ends[from++] as number
  }
  return written.toString('latin1')
}
