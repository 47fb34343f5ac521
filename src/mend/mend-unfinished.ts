// Compactions whose Recap was never written: the client was killed while it summarised. What came before is still what the
// conversation goes on from, but a client that resumes may have forgotten it.

import { readContext, readContextAt } from '../graph/context.ts'
import { tipByFileOrder } from '../graph/file-tip.ts'
import { resumeTip } from '../graph/resume.ts'
import { keepsMessages } from '../graph/resumed.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread, MESSAGE, SIDECHAIN } from '../graph/thread.ts'
import type { Envelope } from '../record/model.ts'
import type { Draft } from './draft.ts'
import { addStep, rowOf, setParent, shown, threadOf } from './draft.ts'
import { keepNothing, setKept } from './keep.ts'
import { clientLinks, hasOwnUuid } from './live-path.ts'

export function mendUnfinished(draft: Draft): void {
  passOver(draft)
  keepAll(draft)
}

/** A compaction on the way that has no Recap was never finished: what follows goes on from before it. */
function passOver(draft: Draft): void {
  const thread = threadOf(draft)
  const sent = readContext(thread, 'resume').nodes.map((index) => (thread.nodes[index] as ThreadNode).last)
  const boundary = sent.find(({ kind }) => kind === 'boundary')
  if (boundary === undefined || boundary.isSidechain || sent.some(({ kind }) => kind === 'recap')) return
  if (othersKeep(thread, boundary)) return
  const before = beforeBoundary(thread, boundary)
  if (before === null || sent.length < 2) return
  const why = 'its recap was never written, so the client would send nothing of what came before'
  const records = []
  const after = []
  for (const { last } of thread.nodes) {
    if (last.parentUuid !== boundary.uuid || last.isSidechain) continue
    const row = rowOf(draft, last)
    records.push(shown(draft, row, `parentUuid: ${boundary.uuid}`))
    setParent(draft, row, before.uuid)
    after.push(shown(draft, row, `parentUuid: ${before.uuid}`))
  }
  const row = rowOf(draft, boundary)
  if (boundary.boundary?.preserved != null) {
    keepNothing(draft, row, boundary.boundary)
    records.push(shown(draft, row, 'keeps messages'))
    after.push(shown(draft, row, 'keeps nothing'))
  }
  if (records.length === 0) return
  addStep(
    draft,
    ['chain', 'boundary-without-recap', 'pass over a compaction that was never finished', why],
    records,
    after,
  )
}

/**
 * Once a compaction of the file has kept messages, a client that resumes forgets all before the last one but what that one
 * kept. If that was never finished, it keeps what the client had before it.
 */
function keepAll(draft: Draft): void {
  const thread = threadOf(draft)
  const boundary = lastBoundary(thread)
  if (boundary?.boundary == null || boundary.uuid === null || !isUnfinished(thread, boundary)) return
  const kept = knownBefore(thread, boundary)
  const { preserved } = boundary.boundary
  const isDone = preserved?.anchorUuid === boundary.uuid && preserved.uuids?.join() === kept.join()
  if (kept.length === 0 || isDone) return
  const row = rowOf(draft, boundary)
  const before = [shown(draft, row, preserved === null ? 'keeps nothing' : 'keeps messages')]
  const ends = { headUuid: null, tailUuid: null, ...preserved }
  setKept(draft, row, { ...ends, anchorUuid: boundary.uuid, uuids: kept })
  const why = 'its recap was never written, and a client that resumes forgets all before it that was not kept'
  const what = 'let a compaction that was never finished keep what came before it'
  addStep(draft, ['chain', 'boundary-without-recap', what, why], before, [shown(draft, row, `keeps ${kept.length}`)])
}

/** What the client had before it, while it ran and had forgotten nothing. */
function knownBefore(thread: Thread, boundary: Envelope): readonly string[] {
  const envelopes = thread.nodes.map(({ last }) => last).filter(({ offset }) => offset < boundary.offset)
  const above = buildThread([{ transcript: 0, envelopes }])
  const links = clientLinks(above, true)
  const tip = resumeTip(above, links, tipByFileOrder(above, links))
  const nodes = tip === null ? [] : readContextAt(above, tip).nodes.map((index) => above.nodes[index] as ThreadNode)
  return nodes.filter((node) => node.last.kind !== 'boundary' && hasOwnUuid(node)).map(({ uuid }) => uuid)
}

/** Nothing is left of the conversation, or what is left begins with the compaction and has no Recap. */
function isUnfinished(thread: Thread, boundary: Envelope): boolean {
  const { tip, nodes } = readContext(thread, 'resume')
  if (tip === null) return true
  const sent = nodes.map((index) => (thread.nodes[index] as ThreadNode).last)
  return sent.includes(boundary) && othersKeep(thread, boundary) && !sent.some(({ kind }) => kind === 'recap')
}

/** Then the client forgets what came before this one, whatever it is made to keep or not. */
function othersKeep(thread: Thread, boundary: Envelope): boolean {
  return boundary === lastBoundary(thread) && thread.nodes.some(({ last }) => last !== boundary && keepsMessages(last))
}

function lastBoundary(thread: Thread): Envelope | null {
  return thread.nodes.findLast(({ last }) => last.kind === 'boundary')?.last ?? null
}

function beforeBoundary(thread: Thread, boundary: Envelope): ThreadNode | null {
  const logical = boundary.links?.logicalParentUuid ?? boundary.parentUuid
  const named = logical === null ? undefined : thread.byUuid.get(logical)
  if (named !== undefined && !leadsTo(thread, named, boundary.uuid)) return thread.nodes[named] as ThreadNode
  let previous: ThreadNode | null = null
  for (const [index, node] of thread.nodes.entries()) {
    if (node.uuid === boundary.uuid) break
    if (((thread.last.flags[index] as number) & (MESSAGE | SIDECHAIN)) === MESSAGE && hasOwnUuid(node)) previous = node
  }
  const at = previous === null ? undefined : thread.byUuid.get(previous.uuid)
  return at === undefined || leadsTo(thread, at, boundary.uuid) ? null : previous
}

function leadsTo(thread: Thread, from: number, uuid: string | null): boolean {
  const seen = new Set<number>()
  for (let at = from; at >= 0 && !seen.has(at); at = thread.last.parents[at] as number) {
    if ((thread.nodes[at] as ThreadNode).uuid === uuid) return true
    seen.add(at)
  }
  return false
}
