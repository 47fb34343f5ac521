// What takes a while to find out is found out once for all who ask, as long as the archive is the one it was made from.

import type { FoundTranscripts } from '../load/found.ts'
import type { ServerWorld } from './server-world.ts'

/** The index may learn of deleted files a moment after the archive was found. */
const GOOD_FOR_MS = 30_000
const GOOD_FOR_BEHIND_MS = 2000

export function remembered<Value>(
  world: ServerWorld,
  make: (archive: FoundTranscripts) => Promise<Value>,
): () => Promise<Value> {
  let kept: { readonly archive: FoundTranscripts; readonly untilMs: number; readonly value: Promise<Value> } | null =
    null
  return () => {
    const archive = world.archive()
    const nowMs = world.nowMs()
    if (kept?.archive === archive && nowMs < kept.untilMs) return kept.value
    const goodForMs = world.index.behind(archive) > 0 ? GOOD_FOR_BEHIND_MS : GOOD_FOR_MS
    const made = { archive, untilMs: nowMs + goodForMs, value: make(archive) }
    kept = made
    // What failed is tried again by the next one who asks.
    made.value.catch(() => {
      if (kept === made) kept = null
    })
    return made.value
  }
}
