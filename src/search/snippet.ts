// The stretch of a text where a query matched, with the matches marked.

import type { Matched } from './matched.ts'
import type { Snippet } from './model.ts'

const SNIPPET_LENGTH = 200
const LEAD = 60

export function snippetOf(text: string, { places }: Pick<Matched, 'places'>): Snippet {
  const first = bestStart(places)
  const from = wordStart(text, Math.max(0, first - LEAD))
  const to = from + SNIPPET_LENGTH >= text.length ? text.length : wordEnd(text, from + SNIPPET_LENGTH)
  const inside = places.filter(([start, end]) => start >= from && end <= to)
  const marks = joined(inside.map(([start, end]) => [start - from, end - from] as const))
  const lead = from > 0 ? '…' : ''
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
    marks: marks.map(([start, end]) => [start + lead.length, end + lead.length] as const),
  }
}

/** Where most of the matches stand together. */
function bestStart(places: Matched['places']): number {
  let best = places[0]?.[0] ?? 0
  let most = 0
  for (const [index, [start]] of places.entries()) {
    let count = 0
    while (
      index + count < places.length &&
      (places[index + count] as readonly [number, number])[1] <= start + SNIPPET_LENGTH - LEAD
    )
      count++
    if (count > most) {
      most = count
      best = start
    }
  }
  return best
}

/** Marks that touch or overlap are one. */
export function joined(marks: Matched['places']): Matched['places'] {
  const all: [number, number][] = []
  for (const [start, end] of marks) {
    const last = all.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

function wordStart(text: string, from: number): number {
  if (from === 0) return 0
  for (let at = from; at < from + 20; at++) if (/\s/.test(text.charAt(at))) return at + 1
  return isLow(text, from) ? from - 1 : from
}

function wordEnd(text: string, from: number): number {
  for (let at = from; at > from - 20; at--) if (/\s/.test(text.charAt(at))) return at
  return isLow(text, from) ? from - 1 : from
}

/** The second half of a surrogate pair. */
function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
