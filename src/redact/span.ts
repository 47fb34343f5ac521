// A stretch of a text that a rule took for a Secret, before it is known what becomes of its neighbours.

export interface Span {
  readonly start: number
  readonly end: number
  readonly rule: string
  /** As it was meant: without the escapes it was written with. */
  readonly secret: string
  /** Of two that overlap the lower one names what they become together. */
  readonly rank: Rank
}

/** Told by the user or known from before; of a known form; said by the words around it. */
export type Rank = 0 | 1 | 2

/** The same in another place. Written out, since thousands are made and `...` makes objects that are slow to read. */
export function spanAt({ rule, secret, rank }: Span, start: number, end: number): Span {
  return { start, end, rule, secret, rank }
}

/** In order, none within another: what overlaps is one. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const sorted = isInOrder(spans) ? spans : [...spans].sort(order)
  if (isApart(sorted)) return sorted
  const merged: Span[] = []
  for (let index = 0; index < sorted.length; index++) {
    const span = sorted[index] as Span
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) {
      merged.push(span)
      continue
    }
    const best = span.rank < last.rank ? span : last
    merged[merged.length - 1] = spanAt(best, last.start, Math.max(last.end, span.end))
  }
  return merged
}

function order(one: Span, other: Span): number {
  return one.start - other.start || other.end - one.end
}

function isInOrder(spans: readonly Span[]): boolean {
  for (let index = 1; index < spans.length; index++)
    if (order(spans[index - 1] as Span, spans[index] as Span) > 0) return false
  return true
}

function isApart(sorted: readonly Span[]): boolean {
  for (let index = 1; index < sorted.length; index++)
    if ((sorted[index] as Span).start < (sorted[index - 1] as Span).end) return false
  return true
}
