// Since 2.1.290 the client goes on from a reply, its results and the notes below them in the order in which they were
// written, whichever of them the next record hangs below (docs/format/chains.md, B12). The official SDK does not.

import type { ContextLinks } from './context-links.ts'
import { isNote, NOWHERE, notesBelow } from './notes.ts'
import { replyId, replyOf, siblingsOf } from './siblings.ts'
import type { Thread } from './thread.ts'

export function asWritten(thread: Thread, links: ContextLinks, chain: readonly number[]): readonly number[] {
  const beside = besideOf(thread, links, chain)
  const whole: number[] = []
  for (let place = 0; place < chain.length; ) {
    const { lastPart, end } = stretchFrom(thread, links, chain, place)
    const stretch = merged(chain.slice(place, end), beside.get(lastPart) ?? [])
    for (const index of partsFirst(thread, links, stretch)) whole.push(index)
    place = end
  }
  return whole
}

/** What stands beside the chain, in file order, by the place of the last part of its reply. */
function besideOf(thread: Thread, links: ContextLinks, chain: readonly number[]): ReadonlyMap<number, number[]> {
  const { placeOfReply, parts, results } = siblingsOf(thread, links, chain)
  const beside = new Map<number, number[]>()
  for (const siblings of [parts, results]) {
    for (const [place, indexes] of siblings) beside.set(place, (beside.get(place) ?? []).concat(indexes))
  }
  const places = placesOfCalls(thread, links, chain, placeOfReply, beside)
  for (const note of notesBelow(thread, links, places)) {
    const place = places[note] as number
    const known = beside.get(place)
    if (known === undefined) beside.set(place, [note])
    else known.push(note)
  }
  for (const indexes of beside.values()) indexes.sort((one, other) => one - other)
  return beside
}

/** The places of the replies that called a tool, for their parts and results, and for the notes of the way behind them. */
function placesOfCalls(
  thread: Thread,
  links: ContextLinks,
  chain: readonly number[],
  placeOfReply: ReadonlyMap<string, number>,
  beside: ReadonlyMap<number, readonly number[]>,
): Int32Array {
  const places = new Int32Array(thread.nodes.length).fill(NOWHERE)
  const callers = new Set<string | null>()
  for (const { last } of thread.nodes) if (last.toolUses.length > 0) callers.add(last.messageId)
  let before = NOWHERE
  for (const index of chain) {
    if (!isNote(thread, links, index)) {
      const id = replyOf(thread, links, index)
      before = id !== null && callers.has(id) ? (placeOfReply.get(id) ?? NOWHERE) : NOWHERE
    }
    places[index] = before
  }
  for (const [place, indexes] of beside) {
    if (!callers.has(replyId(thread, chain[place] as number))) continue
    for (const index of indexes) places[index] = place
  }
  return places
}

/** From a part of a reply to the last one that no other reply comes before, and to the results and notes behind it. */
function stretchFrom(
  thread: Thread,
  links: ContextLinks,
  chain: readonly number[],
  from: number,
): { lastPart: number; end: number } {
  const id = replyId(thread, chain[from] as number)
  let lastPart = from
  let end = from + 1
  if (id === null) return { lastPart, end }
  let isOver = false
  for (let place = end; place < chain.length; place++) {
    const index = chain[place] as number
    const kind = thread.nodes[index]?.last.kind
    if (kind === 'reply') {
      if (replyId(thread, index) !== id) break
      lastPart = place
      isOver = false
    } else if (kind !== 'tool-result' && !isNote(thread, links, index)) {
      isOver = true
    }
    if (!isOver) end = place + 1
  }
  return { lastPart, end }
}

/** Nothing comes before the first part; what is on the way stays in its order. */
function merged(way: readonly number[], beside: readonly number[]): readonly number[] {
  if (beside.length === 0) return way
  const whole: number[] = []
  let taken = 0
  for (const [step, index] of way.entries()) {
    while (step > 0 && (beside[taken] ?? index) < index) whole.push(beside[taken++] as number)
    whole.push(index)
  }
  return whole.concat(beside.slice(taken))
}

/** Where a note stands between the parts, all parts come first, unless somebody else had a word there. */
function partsFirst(thread: Thread, links: ContextLinks, stretch: readonly number[]): readonly number[] {
  const isPart = (index: number): boolean => thread.nodes[index]?.last.kind === 'reply'
  const between = stretch.slice(0, stretch.findLastIndex(isPart))
  const hasNote = between.some((index) => isNote(thread, links, index))
  if (!hasNote || between.some((index) => isWord(thread, index))) return stretch
  return [...stretch.filter(isPart), ...stretch.filter((index) => !isPart(index))]
}

/** A user record, also one of the harness, that no call brought. */
function isWord({ nodes }: Thread, index: number): boolean {
  const last = nodes[index]?.last
  if (last === undefined || last.kind === 'tool-result') return false
  return last.type === 'user' ? last.links?.sourceToolUseId === undefined : last.subtype === 'local_command'
}
