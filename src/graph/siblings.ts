// Parallel tool calls leave results beside the walked path: one parent, several results, and only one of them goes on.
// They are put back behind the last walked record of the reply they belong to (docs/format/chains.md).

import type { ContextLinks } from './context-links.ts'
import type { Thread, ThreadNode } from './thread.ts'
import { MESSAGE, NO_PARENT } from './thread.ts'

export function putBackSiblings(thread: Thread, links: ContextLinks, chain: readonly number[]): readonly number[] {
  const { parts, results } = siblingsOf(thread, links, chain)
  if (parts.size === 0 && results.size === 0) return chain
  const whole: number[] = []
  for (const [place, index] of chain.entries()) {
    whole.push(index)
    // One reply may have more results than a call can take arguments.
    for (const beside of byTime(thread, links, parts.get(place))) whole.push(beside)
    for (const beside of byTime(thread, links, results.get(place))) whole.push(beside)
  }
  return whole
}

/** What stands beside the chain, by the place of the last walked record of the reply it belongs to. */
export interface Siblings {
  readonly placeOfReply: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<number, number[]>
  readonly results: ReadonlyMap<number, number[]>
}

export function siblingsOf(thread: Thread, links: ContextLinks, chain: readonly number[]): Siblings {
  const parts = new Map<number, number[]>()
  const results = new Map<number, number[]>()
  const placeOfReply = new Map<string, number>()
  for (const [place, index] of chain.entries()) {
    const id = replyId(thread, index)
    if (id !== null) placeOfReply.set(id, place)
  }
  if (placeOfReply.size === 0) return { placeOfReply, parts, results }
  const inChain = new Uint8Array(thread.nodes.length)
  for (const index of chain) inChain[index] = 1
  const placeOfCall = callsIn(thread, links, chain, placeOfReply)
  for (let index = 0; index < thread.nodes.length; index++) {
    const isMessage = ((thread.last.flags[index] as number) & MESSAGE) !== 0
    if (!isMessage || inChain[index] === 1 || links.walked[index] !== 1) continue
    const own = replyId(thread, index)
    const ownPlace = own === null ? undefined : placeOfReply.get(own)
    if (ownPlace !== undefined) add(parts, ownPlace, index)
    const resultPlace = placeOfResult(thread, links, placeOfReply, placeOfCall, index)
    if (resultPlace === undefined) continue
    add(results, resultPlace, index)
    for (const { id } of (thread.nodes[index] as ThreadNode).last.toolResults) placeOfCall.delete(id)
  }
  return { placeOfReply, parts, results }
}

function placeOfResult(
  thread: Thread,
  links: ContextLinks,
  placeOfReply: ReadonlyMap<string, number>,
  placeOfCall: ReadonlyMap<string, number>,
  index: number,
): number | undefined {
  const { last } = thread.nodes[index] as ThreadNode
  if (last.kind !== 'tool-result') return undefined
  for (const { id } of last.toolResults) {
    const byCall = placeOfCall.get(id)
    if (byCall !== undefined) return byCall
  }
  const byParent = lookUp(placeOfReply, replyId(thread, links.directParents[index] as number))
  const source = thread.byUuid.get(last.links?.sourceToolAssistantUuid ?? '') ?? -1
  const bySource = lookUp(placeOfReply, replyId(thread, source))
  if (bySource === undefined) return byParent
  return byParent === undefined && isAside(thread, links, source) ? undefined : bySource
}

/** Where the reply behind each tool call ends that the chain leaves without a result. */
function callsIn(
  thread: Thread,
  links: ContextLinks,
  chain: readonly number[],
  placeOfReply: ReadonlyMap<string, number>,
): Map<string, number> {
  const places = new Map<string, number>()
  for (const [index, { last }] of thread.nodes.entries()) {
    const place = last.toolUses.length === 0 ? undefined : lookUp(placeOfReply, replyId(thread, index))
    if (place === undefined || isAside(thread, links, index)) continue
    for (const { id } of last.toolUses) places.set(id, place)
  }
  for (const index of chain) {
    for (const { id } of (thread.nodes[index] as ThreadNode).last.toolResults) places.delete(id)
  }
  return places
}

function isAside(thread: Thread, links: ContextLinks, index: number): boolean {
  return ((thread.last.flags[index] as number) & links.aside) !== 0
}

function lookUp(places: ReadonlyMap<string, number>, id: string | null): number | undefined {
  return id === null ? undefined : places.get(id)
}

/** The `message.id` that all Blocks of one reply share; null for all that is no reply. */
export function replyId(thread: Thread, index: number): string | null {
  const node = index < 0 ? undefined : thread.nodes[index]
  return node !== undefined && node.last.kind === 'reply' ? node.last.messageId : null
}

/** The `message.id` of the reply that a record is part of, or that it brings a result for. */
export function replyOf(thread: Thread, { parents }: ContextLinks, index: number): string | null {
  const last = thread.nodes[index]?.last
  if (last?.kind !== 'tool-result') return replyId(thread, index)
  const source = thread.byUuid.get(last.links?.sourceToolAssistantUuid ?? '') ?? NO_PARENT
  return replyId(thread, source) ?? replyId(thread, parents[index] as number)
}

/** Of results that came in the same millisecond, those of the first call come first, and those that hang elsewhere last. */
function byTime(thread: Thread, links: ContextLinks, indexes: number[] | undefined): readonly number[] {
  if (indexes === undefined) return []
  const time = (index: number): number => (thread.nodes[index] as ThreadNode).last.timestampMs ?? 0
  const order = (index: number): number => thread.nodes[index]?.lastOrder ?? thread.recordCount
  const call = (index: number): number => order(callerOf(thread, links, index))
  return indexes.sort((one, other) => time(one) - time(other) || call(one) - call(other) || order(one) - order(other))
}

/** The part of a reply that a result hangs below and answers, -1 for none; for all else the record itself. */
function callerOf(thread: Thread, links: ContextLinks, index: number): number {
  const { last } = thread.nodes[index] as ThreadNode
  if (last.kind !== 'tool-result') return index
  const parent = links.directParents[index] as number
  if (replyId(thread, parent) === null) return -1
  const source = thread.byUuid.get(last.links?.sourceToolAssistantUuid ?? '') ?? -1
  return replyId(thread, source) === null ? parent : source
}

function add(lists: Map<number, number[]>, place: number, index: number): void {
  const known = lists.get(place)
  if (known === undefined) lists.set(place, [index])
  else known.push(index)
}
