// Who follows whom in the full Reading: parents as they were written first, logical parents across compactions, and a
// visible bridge wherever a record names a parent that was never written or that leads back to itself. The result is a
// forest: no cycles, every node in it exactly once.

import type { Problem, ProblemCode } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import type { Envelope } from '../record/model.ts'
import { cutCycles, joinerOf, rootsOf } from './forest.ts'
import type { Thread, ThreadNode, Walks } from './thread.ts'
import { hangsBelow, SIDECHAIN, walksOver } from './thread.ts'

export type BridgeReason = 'missing-parent' | 'parent-cycle' | 'boundary-without-parent'

export interface Bridge {
  readonly node: number
  readonly reason: BridgeReason
  /** What the record names; null when it names nothing. */
  readonly namedUuid: string | null
}

export interface FullLinks {
  /** -1 for a root. */
  readonly parents: Int32Array
  /** Links that stand in no record: they were put in so that nothing is hidden. */
  readonly bridges: readonly Bridge[]
  /** The root each node had before anything was bridged: nodes with equal ones form one connected part. */
  readonly parts: Int32Array
}

/** `joins` names parents, by uuid, for roots that go on from another file without naming a record that is there. */
export function fullLinks(thread: Thread, joins: ReadonlyMap<string, string> = new Map()): FullLinks {
  const parents = new Int32Array(thread.nodes.length).fill(-1)
  const bridges: Bridge[] = []
  const walks = walksOver(thread)
  for (let index = 0; index < thread.nodes.length; index++) {
    const written = thread.first.parents[index] as number
    if (written >= 0 && written !== index) {
      parents[index] = hasMovedAway(thread, index, written) ? index - 1 : written
      continue
    }
    const node = thread.nodes[index] as ThreadNode
    const named = namedParent(node.first)
    const found = thread.byUuid.get(named ?? '') ?? thread.byUuid.get(joins.get(node.uuid) ?? '')
    if (found !== undefined && isMoved(thread, index, found, walks)) {
      // What came before stands in another file. Nothing that this one names is missing in it.
      bridges.push({ node: index, reason: 'boundary-without-parent', namedUuid: null })
    } else if (found !== undefined && found !== index) parents[index] = lastBefore(thread, index, found, walks)
    else if (found === index) bridges.push({ node: index, reason: 'parent-cycle', namedUuid: named })
    else if (isContinuation(node.first)) {
      bridges.push({ node: index, reason: 'boundary-without-parent', namedUuid: named })
    } else if (named !== null) bridges.push({ node: index, reason: 'missing-parent', namedUuid: named })
  }
  for (const node of cutCycles(parents)) {
    bridges.push({ node, reason: 'parent-cycle', namedUuid: (thread.nodes[node] as ThreadNode).first.parentUuid })
  }
  const parts = rootsOf(parents)
  bridges.sort((one, other) => one.node - other.node)
  const built = buildBridges(thread, parents, parts, bridges)
  return { parents, bridges: built, parts }
}

export function bridgeProblems(thread: Thread, links: FullLinks, paths: readonly string[]): readonly Problem[] {
  // A Boundary that names nothing (forks of 1.0.x) lost nothing by being joined with the record before it.
  const told = links.bridges.filter(
    ({ reason, namedUuid }) => reason !== 'boundary-without-parent' || namedUuid !== null,
  )
  return told.map(({ node, reason, namedUuid }) => {
    const { first, transcript } = thread.nodes[node] as ThreadNode
    const { line, offset, length } = first
    const position = { path: paths[transcript] ?? '', line, offset, length }
    const named = namedUuid === null ? '' : ` ${namedUuid}`
    return problem(reason satisfies ProblemCode, position, `${MESSAGES[reason]}${named}`)
  })
}

const MESSAGES: Readonly<Record<BridgeReason, string>> = {
  'missing-parent': 'names a parent that is in no file:',
  'parent-cycle': 'its parents lead back to itself through',
  'boundary-without-parent':
    'a compaction whose last record before it is not there; the one before it in the file was taken',
}

function namedParent(envelope: Envelope): string | null {
  if (envelope.parentUuid !== null) return envelope.parentUuid
  return isContinuation(envelope) ? (envelope.links?.logicalParentUuid ?? null) : null
}

/** A fork of a compacted session writes the kept messages behind the Recap, also the one that the Boundary names. */
export function isMoved(thread: Thread, boundary: number, named: number, walks: Walks): boolean {
  const { first } = thread.nodes[boundary] as ThreadNode
  return first.boundary?.preserved != null && named > boundary && hangsBelow(thread, named, boundary, walks)
}

/**
 * A fork of a session that was summarised from a message on writes the messages kept between Boundary and Recap. Where
 * they are known from before, the Recap follows its Boundary again.
 */
function hasMovedAway({ nodes }: Thread, index: number, written: number): boolean {
  if (written >= index - 1 || nodes[index]?.first.kind !== 'recap') return false
  const { first, uuid } = nodes[index - 1] as ThreadNode
  return first.kind === 'boundary' && first.boundary?.preserved?.anchorUuid === uuid
}

/** Where the talk had got to when it was compacted. `named` is that record, unless only a part was summarised. */
function lastBefore(thread: Thread, index: number, named: number, walks: Walks): number {
  const { first, uuid, lastOrder } = thread.nodes[index] as ThreadNode
  const preserved = first.boundary?.preserved ?? null
  if (preserved === null) return named
  // "Summarize from here": `named` is the last message kept, and what was summarised hangs below it.
  if (preserved.anchorUuid === uuid) return lastBelow(thread, index, named, walks)
  const uuids = preserved.uuids ?? [preserved.headUuid ?? '', preserved.tailUuid ?? '']
  const kept = uuids.map((one) => thread.byUuid.get(one) ?? -1)
  // What was written behind the Boundary, be it again, follows it anyway.
  if (kept.some((node) => node < 0 || (thread.nodes[node] as ThreadNode).lastOrder > lastOrder)) return named
  // "Summarize up to here": `named` is the last record summarised, and what was kept hangs below it.
  const last = kept.at(-1) ?? named
  return hangsBelow(thread, last, named, walks) ? last : named
}

/** The last record before a node that hangs below an earlier one, or is it. */
function lastBelow(thread: Thread, before: number, above: number, walks: Walks): number {
  for (let at = before - 1; at > above; at--) {
    const isMain = ((thread.first.flags[at] as number) & SIDECHAIN) === 0
    if (isMain && hangsBelow(thread, at, above, walks)) return at
  }
  return above
}

/** A record that goes on after a compaction although it has no parent: old clients wrote Recaps without a Boundary. */
function isContinuation(envelope: Envelope): boolean {
  return envelope.parentUuid === null && (envelope.kind === 'boundary' || envelope.kind === 'recap')
}

/** Links each broken node to the record before it, unless that one hangs below the node itself. */
function buildBridges(
  thread: Thread,
  parents: Int32Array,
  parts: Int32Array,
  bridges: readonly Bridge[],
): readonly Bridge[] {
  if (bridges.length === 0) return bridges
  const joins = joinerOf(parts)
  const before = nodesBefore(thread)
  return bridges.filter((bridge) => {
    const previous = before[bridge.node] as number
    // The first record of a fork of a compacted session is a Boundary with nothing before it: that is no break.
    if (previous < 0) return bridge.reason !== 'boundary-without-parent'
    if (joins.join(bridge.node, previous)) parents[bridge.node] = previous
    return true
  })
}

/** For each node the nearest earlier one of the same file that is, like it, part of the main thread or of a subagent. */
function nodesBefore(thread: Thread): Int32Array {
  const before = new Int32Array(thread.nodes.length).fill(-1)
  let previousMain = -1
  let previousSidechain = -1
  let transcript = -1
  for (const [index, node] of thread.nodes.entries()) {
    if (node.transcript !== transcript) {
      transcript = node.transcript
      previousMain = -1
      previousSidechain = -1
    }
    before[index] = node.first.isSidechain ? previousSidechain : previousMain
    if (node.first.isSidechain) previousSidechain = index
    else previousMain = index
  }
  return before
}
