// How a conversation may go on without being woven again: what a GrowingLayout has to know of it beside its last Turn.

import type { OutlineBranch } from '../graph/outline.ts'
import { lastPointer } from '../graph/resume.ts'
import type { Thread } from '../graph/thread.ts'
import { MISSING, PROGRESS } from '../graph/thread.ts'
import type { Woven } from './build.ts'
import { uuidKey } from './layout.ts'

export interface Growth {
  /** False where something was written that lets a later record move more than the end: copies, Subagents inside. */
  readonly canGrow: boolean
  /** Keys of the tip and of what hangs on it: what goes on from there goes on. */
  readonly line: readonly number[]
  /** A `last-prompt` names a record of the last Turn: what does not hang on it changes nothing. */
  readonly hasPointer: boolean
  /** Keys of records that are out of line: named as parents and not there, or standing here without hanging here. */
  readonly loose: readonly number[]
}

const CANNOT: Growth = { canGrow: false, line: [], hasPointer: false, loose: [] }

export function growthOf(woven: Woven): Growth {
  const { own, joined, links, outline } = woven
  const live = outline.branches[0]
  if (live === undefined || outline.sidechain.length > 0 || own.nodes.some(({ copies }) => copies.length > 0))
    return CANNOT
  const { path } = live
  const isPrompt = (node: number): boolean => joined.nodes[node]?.first.kind === 'prompt'
  const from = Math.max(0, path.findLastIndex(isPrompt))
  const pointer = lastPointer(own, { walked: walkedOf(own) })
  const pointed = pointer === null ? null : (joined.byUuid.get(own.nodes[pointer.node]?.uuid ?? '') ?? -1)
  const place = pointed === null ? 0 : path.indexOf(pointed)
  if (place < 0) return CANNOT
  // Behind what a `last-prompt` names, even a compaction breaks the line for those who follow it.
  const behind = path.slice(pointed === null ? from : Math.min(from, place))
  const last = path.slice(from).flatMap((node) => [node, ...(live.beside.get(node) ?? [])])
  if (behind.some((node) => isBridged(woven, node))) return CANNOT
  if (pointed !== null && [...behind, ...last].some((node) => isBoundary(woven, node))) return CANNOT
  if (last.some((node) => joined.nodes[node]?.first.kind === 'unknown')) return CANNOT
  // A Prompt out of a queue may yet turn out to stand beside the path.
  if (path.some((node) => isPrompt(node) && joined.nodes[node]?.first.type !== 'user')) return CANNOT
  const tip = path.at(-1) as number
  const keyOf = (node: number): number => uuidKey(joined.nodes[node]?.uuid ?? null)
  const below = (live.beside.get(tip) ?? []).filter((node) => hangsOn(new Set([tip]), links.parents, node))
  if (below.some((node) => isBridged(woven, node))) return CANNOT
  return {
    canGrow: true,
    line: [tip, ...below].map(keyOf),
    hasPointer: pointed !== null && place >= from,
    loose: [...new Set([...missingParents(own), ...looseNodes(woven, live, from).map(keyOf)])],
  }
}

/** Not where it says it hangs: official readers may see another tip than this Reading ends with. */
function isBridged({ joined, outline }: Woven, node: number): boolean {
  const isFirst = outline.branches[0]?.path[0] === node
  return !isFirst && (joined.first.parents[node] as number) < 0 && !isBoundary({ joined }, node)
}

function isBoundary({ joined }: Pick<Woven, 'joined'>, node: number): boolean {
  return joined.nodes[node]?.first.kind === 'boundary'
}

/** The client's resume walks over everything but progress. */
function walkedOf({ last }: Thread): Uint8Array {
  return last.flags.map((flag) => ((flag & PROGRESS) === 0 ? 1 : 0))
}

function missingParents({ first, nodes }: Thread): readonly number[] {
  const keys: number[] = []
  for (const [index, parent] of first.parents.entries()) {
    if (parent === MISSING) keys.push(uuidKey(nodes[index]?.first.parentUuid ?? null))
  }
  return keys
}

/** Of the last Turn: what prepares its Prompt, what a compaction has put behind it, what waits in a queue, and what only stands there for want of a place. */
function looseNodes({ joined, links }: Woven, { path, beside }: OutlineBranch, from: number): readonly number[] {
  const isPrompt = (node: number): boolean => joined.nodes[node]?.first.kind === 'prompt'
  const boundary = path.findLastIndex((node) => isBoundary({ joined }, node))
  const start = Math.max(from, boundary)
  const below = new Set(path.slice(start))
  const before = path.slice(path.findIndex(isPrompt) === from ? 0 : from, start)
  const besideIt = [...before, ...below].flatMap((node) => beside.get(node) ?? [])
  return [...before, ...besideIt].filter(
    (node) => (!below.has(node) && isPrompt(node)) || !hangsOn(below, links.parents, node),
  )
}

/** What hangs beside a path is mostly one record or two. */
function hangsOn(path: ReadonlySet<number>, parents: Int32Array, node: number): boolean {
  let at = node
  while (at >= 0 && !path.has(at)) at = parents[at] as number
  return at >= 0
}
