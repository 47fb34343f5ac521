// Ranked Turns → the hits that are shown: a few of each conversation, each looked at in its transcript.

import type { HitReader } from './hit.ts'
import type { SearchHit, SearchOptions } from './model.ts'
import type { Query } from './query.ts'
import type { TurnHit } from './turn-hits.ts'

/** How many Turns are looked at for each that is shown, at most. A symbol may be rarer than its words. */
const LOOKS = 3
const LOOKS_FOR_LITERALS = 8

/** The best Turns; the last one shown of a conversation tells how many more there are. */
export function pickHits(
  turns: readonly TurnHit[],
  query: Query,
  { limit, perConversation }: SearchOptions,
  reader: HitReader,
  isUnwanted: (turn: TurnHit) => boolean,
): readonly SearchHit[] {
  const ranked = [...turns].sort((one, other) => other.score - one.score || other.ms - one.ms)
  const hasLiterals = query.wordless.length > 0 || query.groups.flat().some((term) => term.literal !== null)
  const looksMax = limit * (hasLiterals && !query.isVerbatim ? LOOKS_FOR_LITERALS : LOOKS)
  const exact: Shown[] = []
  const others: Shown[] = []
  const shown = new Map<number, number>()
  const unwanted = new Set<TurnHit>()
  let looks = 0
  for (const turn of ranked) {
    const { conversation } = turn
    const before = shown.get(conversation) ?? 0
    if (before >= perConversation) continue
    if (exact.length >= limit || looks >= looksMax) break
    looks++
    if (isUnwanted(turn)) {
      unwanted.add(turn)
      continue
    }
    const { hit, isLiteral } = reader.read(turn)
    const one = { conversation, hit: turn.isLoose ? { ...hit, isLoose: true } : hit }
    // A symbol or a path is wanted as it was typed. What only has its words counts where there is nothing better.
    if (isLiteral) {
      exact.push(one)
      shown.set(conversation, before + 1)
    } else others.push(one)
  }
  const isPrecise = query.isVerbatim || (hasLiterals && exact.length > 0)
  const kept = isPrecise ? exact : [...exact, ...others]
  return withCounts(
    kept.slice(0, limit),
    ranked.filter((turn) => !unwanted.has(turn)),
  )
}

interface Shown {
  readonly conversation: number
  readonly hit: SearchHit
}

function withCounts(shown: readonly Shown[], ranked: readonly TurnHit[]): readonly SearchHit[] {
  const left = new Map<number, number>()
  for (const { conversation } of ranked) left.set(conversation, (left.get(conversation) ?? 0) + 1)
  for (const { conversation } of shown) left.set(conversation, (left.get(conversation) ?? 0) - 1)
  const last = new Map(shown.map(({ conversation }, index) => [conversation, index]))
  return shown.map(({ conversation, hit }, index) => {
    const more = last.get(conversation) === index ? (left.get(conversation) ?? 0) : 0
    return { ...hit, more: Math.max(0, more) }
  })
}
