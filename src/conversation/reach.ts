// How much of a transcript its live tip reaches, and what it does not: the figures behind `clew check`.

import { readContext } from '../graph/context.ts'
import type { FullLinks } from '../graph/full-links.ts'
import type { ThreadNode } from '../graph/thread.ts'
import { isMessage } from '../record/roles.ts'
import type { Woven } from './build.ts'
import type { Island } from './model.ts'

export interface Reach {
  /** Records with a uuid, copies folded. */
  readonly records: number
  /** What each rule walks over from its tip. */
  readonly full: number
  readonly contextFile: number
  readonly contextResume: number
  readonly branches: number
  readonly islands: readonly Island[]
}

export function reachOf(woven: Woven): Reach {
  const { own, outline, joined } = woven
  const live = outline.branches[0]
  let full = 0
  const count = (index: number): void => {
    if ((joined.nodes[index] as ThreadNode).transcript === 0) full++
  }
  for (const index of live?.path ?? []) {
    count(index)
    for (const beside of live?.beside.get(index) ?? []) count(beside)
  }
  return {
    records: own.nodes.length,
    full,
    contextFile: readContext(own, 'file').nodes.length,
    contextResume: readContext(own, 'resume').nodes.length,
    branches: outline.branches.length,
    islands: islandsOf(woven),
  }
}

/**
 * Parts of the file that a phantom parent or a cycle cuts off from the live tip. A second root is no Island: rewinding
 * to the first prompt makes one. Nor is what lies before a compaction.
 */
function islandsOf(woven: Woven): readonly Island[] {
  const { joined, links, outline } = woven
  const tip = outline.branches[0]?.path.at(-1)
  if (tip === undefined) return []
  const { isBroken, partOf } = joinParts(links)
  const livePart = partOf(links.parts[tip] as number)
  const islands = new Map<number, { firstUuid: string; records: number; messages: number; line: number }>()
  for (const [index, { first, uuid, transcript }] of joined.nodes.entries()) {
    const part = partOf(links.parts[index] as number)
    if (part === livePart || !isBroken.has(part) || transcript !== 0 || first.isSidechain) continue
    const known = islands.get(part) ?? { firstUuid: uuid, records: 0, messages: 0, line: first.line }
    known.records++
    if (isMessage(first)) known.messages++
    islands.set(part, known)
  }
  return [...islands.values()].filter((island) => island.messages > 0)
}

/** Compactions join what they stand between; the parts on both sides of any other bridge are broken. */
function joinParts(links: FullLinks): { isBroken: ReadonlySet<number>; partOf: (part: number) => number } {
  const joined = new Map<number, number>()
  const partOf = (part: number): number => {
    let at = part
    for (let above = joined.get(at); above !== undefined; above = joined.get(at)) at = above
    return at
  }
  const sides = links.bridges.map(({ node, reason }) => {
    const above = links.parents[node] as number
    return { reason, below: links.parts[node] as number, above: above < 0 ? -1 : (links.parts[above] as number) }
  })
  for (const { reason, below, above } of sides) {
    if (reason !== 'boundary-without-parent' || above < 0) continue
    const [one, other] = [partOf(below), partOf(above)]
    if (one !== other) joined.set(one, other)
  }
  const isBroken = new Set<number>()
  for (const { reason, below, above } of sides) {
    if (reason === 'boundary-without-parent') continue
    isBroken.add(partOf(below))
    if (above >= 0) isBroken.add(partOf(above))
  }
  return { isBroken, partOf }
}
