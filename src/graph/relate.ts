// How Transcripts of one Project descend from each other. Nothing on disk says so for sure: clients have copied prefixes
// with the old session id, with the new one, with a mix, with fresh uuids and `forkedFrom`, or not at all and only
// pointed across with a parentUuid. What all copies share is uuids.

import type { Envelope } from '../record/model.ts'
import { inFileOrder } from './thread.ts'

export interface RelatedFile {
  /** The session the file is named after. */
  readonly sessionId: string
  readonly envelopes: readonly Envelope[]
}

export interface Relation {
  /** Goes on where that Session ended: a Continuation. */
  readonly continues: string | null
  /** Was deliberately started from that Session's history. */
  readonly forkOf: string | null
}

const UNRELATED: Relation = { continues: null, forkOf: null }

export function relate(
  unordered: readonly RelatedFile[],
  owners: Owners | null = unordered.length < 2 ? null : ownersOf(unordered),
): readonly Relation[] {
  const files = unordered.map((file) => ({ ...file, envelopes: inFileOrder(file.envelopes) }))
  const named = files.map(declared)
  const sharing = owners === null ? new Set<number>() : sharingFiles(owners)
  return files.map((file, index) => {
    const declares = named[index] ?? null
    if (declares !== null) return declares
    const copied = owners === null || !sharing.has(index) ? null : byCopies(files, owners, named, index)
    const found = copied ?? (owners === null ? null : byParent(files, owners, index))
    return found ?? byPrefix(file) ?? UNRELATED
  })
}

/** Which files hold a uuid, in their order; a bare number for the usual case of one. */
export type Owners = ReadonlyMap<string, number | readonly number[]>

/** Counted from the file, and so the same in any two of that dialect. */
const MADE_UP = 'event-log:'

export function ownersOf(files: readonly RelatedFile[]): Owners {
  const owners = new Map<string, number | number[]>()
  for (const [index, { envelopes }] of files.entries()) {
    for (const { uuid } of envelopes) {
      if (uuid === null) continue
      const known = owners.get(uuid)
      if (known === undefined) owners.set(uuid, index)
      else if (typeof known === 'number') {
        if (known !== index) owners.set(uuid, [known, index])
      } else if (known.at(-1) !== index) known.push(index)
    }
  }
  return owners
}

/** Those that hold a record which another one holds too. */
function sharingFiles(owners: Owners): ReadonlySet<number> {
  const sharing = new Set<number>()
  for (const known of owners.values()) if (typeof known !== 'number') for (const index of known) sharing.add(index)
  return sharing
}

function declared(file: RelatedFile): Relation | null {
  let relation: Relation | null = null
  for (const { links } of file.envelopes) {
    const forkOf = links?.forkedFromSessionId
    if (forkOf !== undefined && forkOf !== file.sessionId) relation = { continues: null, forkOf }
    const continues = links?.parentSessionId
    if (continues !== undefined && continues !== file.sessionId) relation = { continues, forkOf: null }
  }
  return relation
}

function byCopies(
  files: readonly RelatedFile[],
  owners: Owners,
  named: readonly (Relation | null)[],
  index: number,
): Relation | null {
  const { sessionId: own } = files[index] as RelatedFile
  const shared = new Map<number, number>()
  for (const { uuid } of (files[index] as RelatedFile).envelopes) {
    const known = uuid === null ? undefined : owners.get(uuid)
    if (known === undefined || typeof known === 'number' || uuid?.startsWith(MADE_UP)) continue
    for (const other of nearby(known, index)) shared.set(other, (shared.get(other) ?? 0) + 1)
  }
  // The nearest relative shares the most; of equals, the one whose own part began last.
  const nearest = [...shared].sort((one, other) => other[1] - one[1] || one[0] - other[0])
  for (const [other] of nearest) {
    // What says itself that it was forked from this file is the copy, however late this file went on.
    if (named[other]?.forkOf === own || named[other]?.continues === own) continue
    const pair = comparePair(files, owners, index, other)
    if (!pair.isCopy) continue
    const { sessionId } = files[other] as RelatedFile
    return pair.isFork ? { continues: null, forkOf: sessionId } : { continues: sessionId, forkOf: null }
  }
  return null
}

const COMPARED_MAX = 16

/** Of a record that is in very many files, the first few and those next to this one: all of them would take forever. */
function nearby(owners: readonly number[], index: number): readonly number[] {
  const others =
    owners.length <= COMPARED_MAX
      ? owners
      : [...owners.slice(0, 8), ...owners.slice(Math.max(8, owners.indexOf(index) - 4)).slice(0, 8)]
  return others.filter((other) => other !== index)
}

function byParent(files: readonly RelatedFile[], owners: Owners, index: number): Relation | null {
  let before: string | null = null
  for (const { uuid, parentUuid, links } of (files[index] as RelatedFile).envelopes) {
    // Nearly always the record before it, which needs no looking up.
    const parent = parentUuid === before ? null : parentUuid
    before = uuid
    const other = otherOwner(owners, parent, index) ?? otherOwner(owners, links?.logicalParentUuid, index)
    if (other !== null) return { continues: (files[other] as RelatedFile).sessionId, forkOf: null }
  }
  return null
}

/** The first file that holds a record which this one does not. */
function otherOwner(owners: Owners, uuid: string | null | undefined, index: number): number | null {
  const known = uuid === null || uuid === undefined ? undefined : owners.get(uuid)
  if (known === undefined || known === index || uuid?.startsWith(MADE_UP)) return null
  if (typeof known === 'number') return known
  return known.includes(index) ? null : (known[0] ?? null)
}

/** The file it was copied from is gone, but its first records still carry that session's id. */
function byPrefix({ sessionId: own, envelopes }: RelatedFile): Relation | null {
  const first = envelopes.find(({ uuid, sessionId }) => uuid !== null && sessionId !== null)?.sessionId
  if (first === undefined || first === null || first === own) return null
  const goesOn = envelopes.some(({ uuid, sessionId }) => uuid !== null && sessionId === own)
  return goesOn ? { continues: first, forkOf: null } : null
}

interface Pair {
  /** `file` holds the copies, `other` the originals. */
  readonly isCopy: boolean
  readonly isFork: boolean
}

function comparePair(files: readonly RelatedFile[], owners: Owners, index: number, other: number): Pair {
  const mine = sideOf(files, owners, index, other)
  const theirs = sideOf(files, owners, other, index)
  // With the old id kept, it is a fork only if both went on: else it is the same conversation under a new name.
  const isFork = !mine.keepsOtherId || (theirs.ownAfterMs !== null && mine.ownAfterMs !== null)
  return { isCopy: isCopyOf(mine, theirs), isFork }
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
}

function sideOf(files: readonly RelatedFile[], owners: Owners, index: number, against: number): Side {
  const file = files[index] as RelatedFile
  const other = files[against] as RelatedFile
  const isTheirs = new Uint8Array(file.envelopes.length)
  let lastShared = -1
  let sharedEndMs = Number.NEGATIVE_INFINITY
  let withOtherId = 0
  let withOwnId = 0
  for (const [place, { uuid, timestampMs, sessionId }] of file.envelopes.entries()) {
    const known = uuid === null ? undefined : owners.get(uuid)
    if (known === undefined || typeof known === 'number' || !known.includes(against)) continue
    isTheirs[place] = 1
    lastShared = place
    sharedEndMs = Math.max(sharedEndMs, timestampMs ?? sharedEndMs)
    if (sessionId === other.sessionId) withOtherId++
    else if (sessionId === file.sessionId) withOwnId++
  }
  let ownBefore = 0
  let hasYoungerHead = false
  let ownAfterMs: number | null = null
  for (const [place, { uuid, timestampMs }] of file.envelopes.entries()) {
    const isShared = isTheirs[place] === 1
    if (place < lastShared && !isShared && uuid !== null) ownBefore++
    if (place < lastShared && uuid === null && (timestampMs ?? 0) > sharedEndMs) hasYoungerHead = true
    if (place > lastShared && uuid !== null && ownAfterMs === null) ownAfterMs = timestampMs ?? 0
  }
  const keepsOtherId = withOtherId > 0 && withOwnId === 0
  return { keepsOtherId, hasOtherId: withOtherId > 0, ownBefore, hasYoungerHead, ownAfterMs }
}

function isCopyOf(mine: Side, theirs: Side): boolean {
  if (mine.hasOtherId !== theirs.hasOtherId) return mine.hasOtherId
  if (mine.hasYoungerHead !== theirs.hasYoungerHead) return mine.hasYoungerHead
  if (mine.ownBefore !== theirs.ownBefore) return mine.ownBefore < theirs.ownBefore
  if (mine.ownAfterMs === null || theirs.ownAfterMs === null)
    return theirs.ownAfterMs === null && mine.ownAfterMs !== null
  return mine.ownAfterMs > theirs.ownAfterMs
}
