// Compactions that lead nowhere: what came before is not there, or what was kept cannot be found. Official readers then
// lose what was kept, or everything before.

import { readContext } from '../graph/context.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { MESSAGE, SIDECHAIN } from '../graph/thread.ts'
import type { Boundary, Preserved } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { addStep, envelopeAt, rowOf, setEnvelope, setField, setParent, shown, threadOf } from './draft.ts'
import { keepNothing, setKept } from './keep.ts'
import { hasOwnUuid } from './live-path.ts'

export function mendBoundaries(draft: Draft): void {
  const thread = threadOf(draft)
  const recaps = recapsOf(thread)
  let previous: ThreadNode | null = null
  for (const [index, node] of thread.nodes.entries()) {
    if (node.last.kind === 'boundary' && !node.last.isSidechain) {
      if (previous !== null) mendLogicalParent(draft, thread, node, previous)
      mendKept(draft, thread, node, index)
      mendAnchor(draft, thread, node, recaps)
      mendCircle(draft, thread, node)
    }
    if (((thread.last.flags[index] as number) & (MESSAGE | SIDECHAIN)) === MESSAGE && hasOwnUuid(node)) previous = node
  }
  freeKept(draft)
}

/** The Recap below each Boundary. */
function recapsOf(thread: Thread): ReadonlyMap<string, string> {
  const recaps = new Map<string, string>()
  for (const { last, uuid } of thread.nodes)
    if (last.kind === 'recap' && last.parentUuid !== null && !recaps.has(last.parentUuid))
      recaps.set(last.parentUuid, uuid)
  return recaps
}

function mendLogicalParent(draft: Draft, thread: Thread, { last }: ThreadNode, previous: ThreadNode): void {
  const named = last.links?.logicalParentUuid
  if (named === undefined || thread.byUuid.has(named)) return
  const row = rowOf(draft, last)
  const before = [shown(draft, row, `logicalParentUuid: ${named}`)]
  setField(draft, row, ['logicalParentUuid'], previous.uuid)
  setEnvelope(draft, row, { links: { ...last.links, logicalParentUuid: previous.uuid } })
  const why = 'it names a record that is not there as the last one before it'
  addStep(draft, ['chain', 'boundary-dangles', 'join a compaction with what came before it', why], before, [
    shown(draft, row, `logicalParentUuid: ${previous.uuid}`),
  ])
}

function mendKept(draft: Draft, thread: Thread, { last }: ThreadNode, place: number): void {
  const preserved = last.boundary?.preserved ?? null
  if (preserved === null) return
  const row = rowOf(draft, last)
  if (preserved.uuids !== null) {
    const present = preserved.uuids.filter((uuid) => thread.byUuid.has(uuid))
    if (present.length === preserved.uuids.length || present.length === 0) return
    const why = 'it names kept messages that are not there, and then readers leave out all of them'
    const before = [shown(draft, row, `keeps ${preserved.uuids.length}`)]
    setKept(draft, row, { ...preserved, uuids: present })
    addStep(draft, ['chain', 'kept-missing', 'name only kept messages that are there', why], before, [
      shown(draft, row, `keeps ${present.length}`),
    ])
    return
  }
  const uuids = segmentOf(thread, preserved, place)
  if (uuids === null) return
  const before = [shown(draft, row, `keeps ${preserved.headUuid} to ${preserved.tailUuid}`)]
  setKept(draft, row, { ...preserved, uuids })
  const why =
    'no way leads from the last kept message to the first; the client leaves out all of them, the SDK may go on above the last'
  addStep(draft, ['chain', 'kept-off-chain', 'name the kept messages one by one', why], before, [
    shown(draft, row, `keeps ${uuids.length}`),
  ])
}

/** The messages of a kept stretch, as far as they are there; null when the stretch is whole or none is there. */
function segmentOf(thread: Thread, { headUuid, tailUuid }: Preserved, place: number): readonly string[] | null {
  const head = headUuid === null ? undefined : thread.byUuid.get(headUuid)
  const tail = tailUuid === null ? undefined : thread.byUuid.get(tailUuid)
  if (tail === undefined) return head === undefined ? null : [(thread.nodes[head] as ThreadNode).uuid]
  const uuids: string[] = []
  const seen = new Set<number>()
  let at = tail
  while (at >= 0 && at < place && !seen.has(at) && at >= (head ?? 0)) {
    seen.add(at)
    const { uuid, last } = thread.nodes[at] as ThreadNode
    uuids.push(uuid)
    if (at === head) return null
    if (head === undefined && last.kind === 'prompt') break
    at = thread.last.parents[at] as number
  }
  if (uuids.length === 0) uuids.push((thread.nodes[tail] as ThreadNode).uuid)
  if (head !== undefined) uuids.push((thread.nodes[head] as ThreadNode).uuid)
  return uuids.reverse()
}

function mendAnchor(
  draft: Draft,
  thread: Thread,
  { last, uuid }: ThreadNode,
  recaps: ReadonlyMap<string, string>,
): void {
  const row = rowOf(draft, last)
  const preserved = envelopeAt(draft, row).boundary?.preserved ?? null
  if (preserved === null || thread.byUuid.has(preserved.anchorUuid)) return
  if (preserved.uuids === null && preserved.headUuid === null && preserved.tailUuid === null) return
  const anchorUuid = recaps.get(uuid) ?? uuid
  const before = [shown(draft, row, `anchorUuid: ${preserved.anchorUuid}`)]
  // One of the two may not be there; then it is left out.
  if (preserved.uuids === null)
    for (const key of ['preservedSegment', 'preservedMessages'])
      setField(draft, row, ['compactMetadata', key, 'anchorUuid'], anchorUuid)
  else setField(draft, row, ['compactMetadata', 'preservedMessages'], { anchorUuid, uuids: preserved.uuids })
  const boundary = { ...(envelopeAt(draft, row).boundary as Boundary), preserved: { ...preserved, anchorUuid } }
  setEnvelope(draft, row, { boundary })
  const why = 'what it kept belongs behind a record that is not there'
  addStep(draft, ['chain', 'anchor-missing', 'put what a compaction kept behind its recap', why], before, [
    shown(draft, row, `anchorUuid: ${anchorUuid}`),
  ])
}

const STEPS_MAX = 10_000

/** What a compaction kept is put behind its anchor. If that hangs below what was kept, the way leads round in a circle. */
function mendCircle(draft: Draft, thread: Thread, { last, uuid }: ThreadNode): void {
  const row = rowOf(draft, last)
  const { parentUuid, boundary, links } = envelopeAt(draft, row)
  const preserved = boundary?.preserved ?? null
  if (preserved === null || boundary === null) return
  const kept = new Set(preserved.uuids ?? [preserved.headUuid, preserved.tailUuid])
  let passesBoundary = false
  let at = thread.byUuid.get(preserved.anchorUuid) ?? -1
  let steps = 0
  for (; at >= 0 && steps < STEPS_MAX && !kept.has((thread.nodes[at] as ThreadNode).uuid); steps++) {
    if ((thread.nodes[at] as ThreadNode).uuid === uuid) passesBoundary = true
    at = thread.last.parents[at] as number
  }
  if (at < 0 || steps === STEPS_MAX) return
  const before = [shown(draft, row, `parentUuid: ${parentUuid ?? 'null'}`)]
  const why = 'what it kept is put behind it, and it hangs below that itself'
  if (!passesBoundary || parentUuid === null) {
    keepNothing(draft, row, boundary)
    const what = 'let a compaction keep nothing'
    addStep(draft, ['chain', 'kept-off-chain', what, why], before, [shown(draft, row, 'keeps nothing')])
    return
  }
  const logicalParentUuid = links?.logicalParentUuid ?? parentUuid
  setField(draft, row, ['logicalParentUuid'], logicalParentUuid)
  setEnvelope(draft, row, { links: { ...links, logicalParentUuid } })
  setParent(draft, row, null)
  addStep(draft, ['chain', 'parent-cycle', 'let a compaction begin anew', why], before, [
    shown(draft, row, 'parentUuid: null'),
  ])
}

/** Compactions that keep parts of each other can make a circle of which no reader finds the end. */
function freeKept(draft: Draft): void {
  const thread = threadOf(draft)
  if (readContext(thread, 'file').tip !== null) return
  for (const { last } of thread.nodes) {
    if (last.boundary?.preserved == null) continue
    const row = rowOf(draft, last)
    const before = [shown(draft, row, 'keeps messages')]
    keepNothing(draft, row, last.boundary)
    const why = 'what it kept leads round in a circle, in which the SDK finds no end'
    addStep(draft, ['chain', 'kept-off-chain', 'let a compaction keep nothing', why], before, [
      shown(draft, row, 'keeps nothing'),
    ])
  }
}
