// Of two transcripts that hold the same records, which one holds the copies (docs/format/forks.md).

import type { Owners, RelatedFile } from './owners.ts'
import { isBeforeForks, sharersOf } from './owners.ts'

export interface Pair {
  /** `file` holds the copies, `other` the originals. */
  readonly isCopy: boolean
  readonly isFork: boolean
}

export function comparePair(files: readonly RelatedFile[], owners: Owners, index: number, other: number): Pair {
  const mine = sideOf(files, owners, index, other)
  const theirs = sideOf(files, owners, other, index)
  // With the old id kept, it is a fork only if both went on: else it is the same conversation under a new name.
  const isFork = !mine.keepsOtherId || (theirs.ownAfterMs !== null && mine.ownAfterMs !== null)
  return { isCopy: isCopyOf(mine, theirs), isFork: isFork && !isBeforeForks(mine.version) }
}

interface Side {
  /** Copied records that still carry the other file's session id, and no id of their own file's. */
  readonly keepsOtherId: boolean
  readonly hasOtherId: boolean
  /** Records of its own that stand before the last shared one. A copy is written in one go and has none. */
  readonly ownBefore: number
  /** A record without uuid that is younger than all that is shared, yet stands before its end. */
  readonly hasYoungerHead: boolean
  /** When the first record of its own after the shared ones was written; null when there is none. */
  readonly ownAfterMs: number | null
  /** When the first shared record was written: some clients gave copies the time of the copying. */
  readonly sharedSinceMs: number
  /** The client that wrote what stands after the shared records, or them. */
  readonly version: string | null
}

function sideOf(files: readonly RelatedFile[], owners: Owners, index: number, against: number): Side {
  const file = files[index] as RelatedFile
  const other = files[against] as RelatedFile
  const isTheirs = new Uint8Array(file.envelopes.length)
  let lastShared = -1
  let sharedEndMs = Number.NEGATIVE_INFINITY
  let withOtherId = 0
  let withOwnId = 0
  let sharedSinceMs = Number.POSITIVE_INFINITY
  let version: string | null = null
  for (const [place, envelope] of file.envelopes.entries()) {
    if (sharersOf(owners, envelope)?.includes(against) !== true) continue
    const { timestampMs, sessionId } = envelope
    isTheirs[place] = 1
    lastShared = place
    version = envelope.version
    sharedSinceMs = Math.min(sharedSinceMs, timestampMs ?? sharedSinceMs)
    sharedEndMs = Math.max(sharedEndMs, timestampMs ?? sharedEndMs)
    if (sessionId === other.sessionId) withOtherId++
    else if (sessionId === file.sessionId) withOwnId++
  }
  let ownBefore = 0
  let hasYoungerHead = false
  let ownAfterMs: number | null = null
  for (const [place, envelope] of file.envelopes.entries()) {
    const { uuid, timestampMs } = envelope
    const isShared = isTheirs[place] === 1
    if (place < lastShared && !isShared && uuid !== null) ownBefore++
    if (place < lastShared && uuid === null && (timestampMs ?? 0) > sharedEndMs) hasYoungerHead = true
    if (place <= lastShared || uuid === null || ownAfterMs !== null) continue
    ownAfterMs = timestampMs ?? 0
    version = envelope.version
  }
  const keepsOtherId = withOtherId > 0 && withOwnId === 0
  const hasOtherId = withOtherId > 0
  return { keepsOtherId, hasOtherId, ownBefore, hasYoungerHead, ownAfterMs, sharedSinceMs, version }
}

function isCopyOf(mine: Side, theirs: Side): boolean {
  if (mine.hasOtherId !== theirs.hasOtherId) return mine.hasOtherId
  if (mine.sharedSinceMs !== theirs.sharedSinceMs) return mine.sharedSinceMs > theirs.sharedSinceMs
  if (mine.hasYoungerHead !== theirs.hasYoungerHead) return mine.hasYoungerHead
  if (mine.ownBefore !== theirs.ownBefore) return mine.ownBefore < theirs.ownBefore
  if (mine.ownAfterMs === null || theirs.ownAfterMs === null)
    return theirs.ownAfterMs === null && mine.ownAfterMs !== null
  return mine.ownAfterMs > theirs.ownAfterMs
}
