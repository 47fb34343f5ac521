// Bytes that are in an archive already, woven into another pack: of the same archive or of another one.

import type { WovenStretch } from './file-weaver.ts'
import type { Weaving } from './weaving.ts'

const WINDOW_BYTES = 1 << 22

/** Pieces are gathered: a fork comes in thousands of them, and landmarks are found in windows. */
export async function weavePieces(weaving: Weaving, pieces: Iterable<Buffer>): Promise<readonly WovenStretch[]> {
  const weaver = weaving.weaver()
  const window = Buffer.allocUnsafe(WINDOW_BYTES)
  let filled = 0
  const flush = async (): Promise<void> => {
    // The weaver keeps nothing of a window, so it can be filled again.
    if (filled > 0) weaver.push(window.subarray(0, filled))
    filled = 0
    await weaving.room()
  }
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const count = piece.copy(window, filled, from)
      from += count
      filled += count
      if (filled === WINDOW_BYTES) await flush()
    }
  }
  await flush()
  return weaver.stretches
}
