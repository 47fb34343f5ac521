// How Transcripts of one Project descend from each other. Nothing on disk says so for sure: clients have copied prefixes
// with the old session id, with the new one, with a mix, with fresh uuids and `forkedFrom`, or not at all and only
// pointed across with a parentUuid. What all copies share is uuids.

import { comparePair } from './copies.ts'
import type { Owners, RelatedFile } from './owners.ts'
import { nearby, otherOwner, ownersOf, sharersOf, sharingFiles } from './owners.ts'
import { inFileOrder } from './thread.ts'

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
  const nearest = files.map((_, index) => {
    return owners === null || !sharing.has(index) ? null : nearestOf(files, owners, named, index)
  })
  return files.map((file, index) => {
    const declares = named[index] ?? null
    if (declares !== null) return declares
    const copied = owners === null ? null : byCopies(files, owners, nearest, index)
    const found = copied ?? (owners === null ? null : byParent(files, owners, index))
    return found ?? byPrefix(file) ?? UNRELATED
  })
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

interface Nearest {
  /** The file that this one was copied from, or another copy of the same. */
  readonly other: number
  /** How many records it shares with each file. */
  readonly shared: ReadonlyMap<number, number>
}

function nearestOf(
  files: readonly RelatedFile[],
  owners: Owners,
  named: readonly (Relation | null)[],
  index: number,
): Nearest | null {
  const { sessionId: own, envelopes } = files[index] as RelatedFile
  const shared = new Map<number, number>()
  for (const envelope of envelopes) {
    const sharers = sharersOf(owners, envelope)
    if (sharers === null) continue
    for (const other of nearby(sharers, index)) shared.set(other, (shared.get(other) ?? 0) + 1)
  }
  const byCount = [...shared].sort((one, other) => other[1] - one[1] || one[0] - other[0])
  for (const [other] of byCount) {
    // What says itself that it was forked from this file is the copy, however late this file went on.
    if (named[other]?.forkOf === own || named[other]?.continues === own) continue
    if (comparePair(files, owners, index, other).isCopy) return { other, shared }
  }
  return null
}

function byCopies(
  files: readonly RelatedFile[],
  owners: Owners,
  nearest: readonly (Nearest | null)[],
  index: number,
): Relation | null {
  const found = nearest[index] ?? null
  if (found === null) return null
  const { shared } = found
  let origin = found.other
  const passed = new Set([index])
  // Two copies of one file share with each other what they share with that file.
  for (let above = nearest[origin]; above != null && !passed.has(above.other); above = nearest[origin]) {
    if (shared.get(above.other) !== shared.get(origin)) break
    passed.add(origin)
    origin = above.other
  }
  const { sessionId } = files[origin] as RelatedFile
  const { isFork } = comparePair(files, owners, index, origin)
  return isFork ? { continues: null, forkOf: sessionId } : { continues: sessionId, forkOf: null }
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

/** The file it was copied from is gone, but its first records still carry that session's id. */
function byPrefix({ sessionId: own, envelopes }: RelatedFile): Relation | null {
  const first = envelopes.find(({ uuid, sessionId }) => uuid !== null && sessionId !== null)?.sessionId
  if (first === undefined || first === null || first === own) return null
  const goesOn = envelopes.some(({ uuid, sessionId }) => uuid !== null && sessionId === own)
  return goesOn ? { continues: first, forkOf: null } : null
}
