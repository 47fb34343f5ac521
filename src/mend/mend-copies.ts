// Records that were written again under the same uuid. Official readers believe the last copy, whatever its parent is:
// that makes cycles (CC#22245) and cuts conversations short (CC#40487). The first one stays; a copy that says something
// else stays too, under an id of its own, as a branch nobody follows.

import type { ThreadNode } from '../graph/thread.ts'
import type { Boundary, Envelope } from '../record/model.ts'
import { isChainType, isMessage } from '../record/roles.ts'
import type { Draft } from './draft.ts'
import {
  addStep,
  dropRow,
  envelopeAt,
  moveRow,
  placeBeside,
  rowOf,
  setEnvelope,
  setField,
  setParent,
  shown,
  threadOf,
} from './draft.ts'

export function mendCopies(draft: Draft): void {
  const copied = threadOf(draft).nodes.filter(({ copies }) => copies.length > 0)
  if (copied.length === 0) return
  const kept: KeptCopy[] = []
  for (const node of copied) mendNode(draft, node, kept)
  keepBehindBoundaries(draft, kept)
}

/** A copy that was dropped, and where it stood. */
interface KeptCopy {
  readonly first: Envelope
  readonly copy: Envelope
}

function mendNode(draft: Draft, { first, copies }: ThreadNode, kept: KeptCopy[]): void {
  const all = [first, ...copies]
  // Others mean the message when they name the uuid.
  const best = Math.max(...all.map(rank))
  const chosen = all.find((one) => rank(one) === best) ?? first
  const head = rowOf(draft, chosen)
  const known = new Map([[sortOf(draft, chosen), chosen]])
  for (const copy of all) {
    if (copy === chosen) continue
    const row = rowOf(draft, copy)
    const key = sortOf(draft, copy)
    const same = known.get(key)
    known.set(key, same ?? copy)
    if (same !== undefined) {
      const before = [shown(draft, rowOf(draft, same), parentOf(same)), shown(draft, row, parentOf(copy))]
      dropRow(draft, row, 'copy')
      if (same === chosen) kept.push({ first: chosen, copy })
      addStep(draft, ['chain', 'copy', 'take out a second copy of a record', COPY_WHY], before, before.slice(0, 1))
    } else if (copy.type !== chosen.type) renamed(draft, row, head)
    else setAside(draft, row, head)
  }
}

const COPY_WHY = 'readers believe the last copy, and with it a parent that leads elsewhere'

/** The same for records that are of one kind and say the same. */
function sortOf(draft: Draft, envelope: Envelope): string {
  const { type, kind, subtype } = envelope
  return `${type} ${kind} ${subtype} ${draft.survey.saidKeys[rowOf(draft, envelope)] ?? 0}`
}

function rank(envelope: Envelope): number {
  return isMessage(envelope) ? 2 : isChainType(envelope) ? 1 : 0
}

function renamed(draft: Draft, row: number, other: number): void {
  const before = [shown(draft, other, envelopeAt(draft, other).type), shown(draft, row, envelopeAt(draft, row).type)]
  const uuid = draft.newId()
  setField(draft, row, ['uuid'], uuid)
  setEnvelope(draft, row, { uuid })
  const why = 'two records of different kinds have one uuid, and readers find only one of them'
  addStep(draft, ['chain', 'uuid-collision', 'give a record a uuid of its own', why], before, [
    shown(draft, row, envelopeAt(draft, row).type),
  ])
}

/** Right before the first copy, and below the same parent: so it is on nobody's way and never the last in the file. */
function setAside(draft: Draft, row: number, head: number): void {
  const before = [shown(draft, head, 'the first copy'), shown(draft, row, parentOf(envelopeAt(draft, row)))]
  const first = envelopeAt(draft, head)
  const uuid = draft.newId()
  setField(draft, row, ['uuid'], uuid)
  setEnvelope(draft, row, { uuid })
  setParent(draft, row, first.parentUuid)
  moveRow(draft, row, placeBeside(draft, first, 'before'))
  const what = 'keep a copy that says something else as a branch of its own'
  addStep(draft, ['chain', 'copy-differs', what, COPY_WHY], before, [shown(draft, row, parentOf(first))])
}

function parentOf({ parentUuid }: Envelope): string {
  return `parentUuid: ${parentUuid ?? 'null'}`
}

/**
 * Some clients wrote what a compaction kept once more behind it (CC#92089). The compaction itself can say so, and then
 * every reader puts the first copies in that place.
 */
function keepBehindBoundaries(draft: Draft, kept: readonly KeptCopy[]): void {
  if (kept.length === 0) return
  const boundaries = threadOf(draft).nodes.filter(({ first }) => first.kind === 'boundary')
  if (boundaries.length === 0) return
  const copiesOf = new Map<Envelope, KeptCopy[]>()
  for (const one of kept) {
    const boundary = lastBefore(boundaries, one.copy.offset)
    if (boundary === null || boundary.offset < one.first.offset || one.first.kind === 'boundary') continue
    copiesOf.set(boundary, [...(copiesOf.get(boundary) ?? []), one])
  }
  for (const [boundary, copies] of copiesOf) keepBehind(draft, boundary, copies)
}

function lastBefore(boundaries: readonly ThreadNode[], offset: number): Envelope | null {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((boundaries[middle] as ThreadNode).first.offset < offset) low = middle + 1
    else high = middle
  }
  return boundaries[low - 1]?.first ?? null
}

function keepBehind(draft: Draft, boundary: Envelope, copies: readonly KeptCopy[]): void {
  const anchorUuid = copies[0]?.copy.parentUuid ?? null
  const thread = threadOf(draft)
  const anchor = anchorUuid === null ? undefined : thread.nodes[thread.byUuid.get(anchorUuid) ?? -1]
  if (anchorUuid === null || anchor === undefined || anchor.first.offset < boundary.offset) return
  const uuids = copies.flatMap(({ first }) => first.uuid ?? [])
  if (boundary.boundary?.preserved != null) return
  const row = rowOf(draft, boundary)
  const before = [shown(draft, row, 'nothing kept')]
  setField(draft, row, ['compactMetadata', 'preservedMessages'], { anchorUuid, uuids })
  const preserved = { anchorUuid, uuids, headUuid: null, tailUuid: null }
  setEnvelope(draft, row, { boundary: { ...(boundary.boundary as Boundary), preserved } })
  const why = 'what it kept was written a second time behind it, and only the first copy stays'
  addStep(draft, ['chain', 'kept-by-copy', 'let a compaction name what it kept', why], before, [
    shown(draft, row, `keeps ${uuids.length}`),
  ])
}
