// Where among the docs those of a scope and of a time can be. Docs are numbered as they came in, so a file's are close
// together and a time is a stretch of them; within these spans a word is looked up without walking over all its other
// docs. A span may hold docs of others too: whoever asks still looks at each.

import type { Database } from './database.ts'
import { kept, statement } from './statements.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

export interface SpanRange {
  readonly scope: readonly number[] | null
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

/** Spans that are no further apart are one. */
const GAP = 128
/** Each takes a lookup of its own: of more, those that are closest become one. */
const SPANS_MAX = 48

/** The last one first. The scope is the one that was set. */
export function spansOf(database: Database, { scope, sinceMs, untilMs }: SpanRange): readonly Span[] {
  const inScope = scope === null ? null : kept(database, scope, () => scopeSpans(database))
  const then = sinceMs === null && untilMs === null ? null : timeSpans(database, sinceMs, untilMs)
  return inScope === null ? (then ?? []) : then === null ? inScope : inBoth(inScope, then)
}

function scopeSpans(database: Database): readonly Span[] {
  const sql = `SELECT json_group_array(json_array(low, high)) AS spans FROM
    (SELECT min(doc.id) AS low, max(doc.id) AS high FROM scope CROSS JOIN doc ON doc.file = scope.file GROUP BY scope.file)`
  const { spans } = statement(database, sql).get() as { readonly spans: string }
  return joined((JSON.parse(spans) as readonly (readonly [number, number])[]).map(([from, to]) => ({ from, to })))
}

const BLOCK = 512

interface Block {
  readonly at: number
  readonly earliest: number
  readonly latest: number
}

function timeSpans(database: Database, sinceMs: number | null, untilMs: number | null): readonly Span[] {
  const isThen = ({ earliest, latest }: Block): boolean =>
    (sinceMs === null || latest >= sinceMs) && (untilMs === null || earliest <= untilMs)
  const blocks = kept(database, timeBlocks, () => timeBlocks(database))
  return joined(blocks.filter(isThen).map(({ at }) => ({ from: at, to: at + BLOCK - 1 })))
}

/** There is no index by time. To look at all docs once takes as long as to walk over a common word. */
function timeBlocks(database: Database): readonly Block[] {
  const times = `SELECT json_array(at, min(ms), max(ms)) FROM doc WHERE id BETWEEN at AND at + ${BLOCK - 1}`
  const sql = `WITH RECURSIVE block(at) AS
    (SELECT 0 UNION ALL SELECT at + ${BLOCK} FROM block WHERE at + ${BLOCK} <= (SELECT max(id) FROM doc))
    SELECT json_group_array(json(times)) AS blocks FROM (SELECT (${times}) AS times FROM block)`
  const { blocks } = statement(database, sql).get() as { readonly blocks: string }
  return (JSON.parse(blocks) as readonly (readonly [number, number | null, number | null])[]).flatMap(
    ([at, earliest, latest]) => (earliest === null || latest === null ? [] : [{ at, earliest, latest }]),
  )
}

function joined(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((one, other) => other.to - one.to)
  for (let gap = GAP; ; gap *= 4) {
    const all: { from: number; to: number }[] = []
    for (const { from, to } of sorted) {
      const last = all.at(-1)
      if (last !== undefined && last.from - to <= gap) last.from = Math.min(last.from, from)
      else all.push({ from, to })
    }
    if (all.length <= SPANS_MAX) return all
  }
}

function inBoth(some: readonly Span[], others: readonly Span[]): readonly Span[] {
  const all = some.flatMap((one) =>
    others.map((other) => ({ from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) })),
  )
  return joined(all.filter(({ from, to }) => from <= to))
}
