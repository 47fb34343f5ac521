// What hooks and skills told the model, and what the client wrote down: nobody's turn. Below a call or its result, and beside
// the way to the tip, the client since 2.1.290 takes it along (docs/format/chains.md, B13).

import type { ContextLinks } from './context-links.ts'
import type { Thread } from './thread.ts'
import { CHAIN_TYPE, PROGRESS } from './thread.ts'

export const NOWHERE = -1

export function isNote({ nodes, last: { flags } }: Thread, { walked, aside }: ContextLinks, index: number): boolean {
  const last = nodes[index]?.last
  if (last === undefined || walked[index] !== 1 || ((flags[index] as number) & aside) !== 0) return false
  if (last.type === 'attachment') return true
  return last.type === 'system' ? last.kind !== 'boundary' : last.kind === 'injection' && last.isMeta
}

/** The notes below what has a place, which they then share. Those that lead on to anything else are of another branch. */
export function notesBelow(thread: Thread, links: ContextLinks, places: Int32Array): readonly number[] {
  const tops = topsOf(thread, links, places)
  const leadsOn = new Uint8Array(places.length)
  for (let index = 0; index < places.length; index++) {
    const isLink = links.walked[index] === 1 && ((thread.last.flags[index] as number) & CHAIN_TYPE) !== 0
    const top = tops[thread.last.parents[index] as number] ?? NOWHERE
    if (isLink && top !== NOWHERE && places[index] !== places[top]) leadsOn[top] = 1
  }
  const notes: number[] = []
  for (const [index, top] of tops.entries()) {
    if (top !== NOWHERE && leadsOn[top] !== 1 && isNote(thread, links, index)) notes.push(index)
  }
  return notes
}

/** For each such note the topmost one above it. Nothing is bridged here, and progress is passed over. */
function topsOf(thread: Thread, links: ContextLinks, places: Int32Array): Int32Array {
  const { flags, parents } = thread.last
  const tops = new Int32Array(places.length).fill(NOWHERE)
  const seen = new Uint8Array(places.length)
  const isOpen = (at: number): boolean =>
    at >= 0 &&
    seen[at] === 0 &&
    places[at] === NOWHERE &&
    (isNote(thread, links, at) || isProgress(flags[at] as number))
  for (let index = 0; index < places.length; index++) {
    const run: number[] = []
    let at = index
    while (isOpen(at)) {
      seen[at] = 1
      run.push(at)
      at = parents[at] as number
    }
    const place = places[at] ?? NOWHERE
    if (place === NOWHERE) continue
    const top = tops[at] === NOWHERE ? run.at(-1) : tops[at]
    for (const note of run) {
      places[note] = place
      tops[note] = top as number
    }
  }
  return tops
}

function isProgress(flag: number): boolean {
  return (flag & PROGRESS) !== 0
}
