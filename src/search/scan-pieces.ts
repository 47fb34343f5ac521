// Text too long for one string, piece by piece. Each piece comes with the beginning of the next one, so that a match
// across the cut is found; it counts where it begins.

import { decodeUtf8 } from '../base/text.ts'
import { readBytes } from '../source/lines.ts'

export interface TextPiece {
  /** File offset of `bytes`, which are those of the piece without what is read ahead. */
  readonly offset: number
  readonly bytes: Buffer
  readonly text: string
  /** Characters of `text` that are the piece's own. */
  readonly length: number
}

/** How much is taken at once and how much is read ahead; only tests set it. */
export interface PieceSizes {
  readonly pieceBytes: number
  readonly aheadBytes: number
}

const SIZES: PieceSizes = { pieceBytes: 1 << 26, aheadBytes: 1 << 16 }

export function* textPieces(
  fd: number,
  from: number,
  length: number,
  { pieceBytes, aheadBytes }: PieceSizes = SIZES,
): Generator<TextPiece, void, void> {
  const end = from + length
  let offset = from
  while (offset < end) {
    const read = readBytes(fd, offset, Math.min(pieceBytes + aheadBytes, end - offset))
    if (read.length === 0) return
    const cut = read.length <= pieceBytes ? read.length : characterStart(read, pieceBytes)
    const bytes = read.subarray(0, cut)
    const own = decodeUtf8(bytes)
    yield { offset, bytes, text: own + decodeUtf8(read.subarray(cut)), length: own.length }
    offset += cut
  }
}

/** A cut inside a character would make two wrong ones of it. Four bytes back there is no character that began before. */
function characterStart(bytes: Buffer, at: number): number {
  for (let back = 0; back < 4 && at - back > 0; back++) if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back
  return at
}
