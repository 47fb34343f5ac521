// A search while somebody is still typing. The last word may not have ended: where it is rare, what begins with it is meant
// as well, behind what has the word as it stands.

import type { SearchHit, SearchOptions, SearchResult } from '../search/model.ts'

export function searchTyping(options: SearchOptions, search: (options: SearchOptions) => SearchResult): SearchResult {
  const found = search(options)
  if (found.total >= options.limit || !UNENDED.test(options.typed)) return found
  const wider = search({ ...options, typed: `${options.typed}*` })
  if (wider.total <= found.total) return found
  return { ...wider, hits: joined(found.hits, wider.hits, options) }
}

/** A plain word at the end, long enough to mean something. */
const UNENDED = /(?:^|\s)[\p{L}\p{N}]{2,}$/u

function joined(
  first: readonly SearchHit[],
  wider: readonly SearchHit[],
  { limit, perConversation }: SearchOptions,
): readonly SearchHit[] {
  const matching = new Map<string, number>()
  for (const { sessionId, more } of wider) matching.set(sessionId, (matching.get(sessionId) ?? 0) + 1 + more)
  const shown = new Map<string, number>()
  const seen = new Set<string>()
  const hits = [...first, ...wider].filter((hit) => {
    const place = `${hit.path} ${hit.offset} ${hit.kind}`
    const before = shown.get(hit.sessionId) ?? 0
    if (seen.has(place) || before >= perConversation) return false
    seen.add(place)
    shown.set(hit.sessionId, before + 1)
    return true
  })
  const last = new Map(hits.slice(0, limit).map(({ sessionId }, place) => [sessionId, place]))
  return hits.slice(0, limit).map((hit, place) => {
    const left = (matching.get(hit.sessionId) ?? 0) - (shown.get(hit.sessionId) ?? 0)
    return { ...hit, more: last.get(hit.sessionId) === place ? Math.max(0, left) : 0 }
  })
}
