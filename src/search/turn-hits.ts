// Candidates → Turns: copies of a record count once, records of one Turn are one hit, and the best record speaks for it.

import type { Candidate } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { DocKind } from './docs.ts'
import { DOC_KINDS, KIND_MASK } from './docs.ts'
import type { Place } from './packed-places.ts'

export interface TurnHit {
  /** The conversation's main file; for a subagent whose session is not there, its own. */
  readonly conversation: number
  readonly place: Place
  /** The best first. */
  readonly docs: readonly Candidate[]
  readonly score: number
  readonly ms: number
  /** Not all that was asked for is in it. */
  readonly isLoose: boolean
}

/**
 * What a person said outranks what was answered, and that what a tool was given, and that what it printed. The steps are
 * so wide that how well something fits (BASE and FIT below) only reaches over one of them: a prompt that barely fits
 * stands beside a good answer, and above any output.
 */
const SAID_WEIGHTS: Readonly<Record<DocKind, number>> = {
  prompt: 1,
  queued: 1,
  reply: 0.75,
  call: 0.75,
  harness: 0.6,
  result: 0.5,
}
/** A Recap (harness) repeats what was said before it. */
const DONE_WEIGHTS: Readonly<Record<DocKind, number>> = {
  call: 0.45,
  result: 0.3,
  prompt: 0.3,
  reply: 0.3,
  queued: 0.3,
  harness: 0.2,
}
/** A subagent works out what the conversation then tells: of the two, the latter. */
const SUBAGENT = 0.75
const BASE = 0.6
const FIT = 0.4
/** For each other kind of record in the Turn that matches too: asked and answered is better than only asked. */
const COMPANY = 0.08
/** For each other Turn of the conversation that matches, up to three: it is about this. */
const THEME = 0.04
const THEME_TURNS = 3
/** Newer breaks ties, and what is nearly one. */
const RECENCY = 0.08
const RECENT_MS = 90 * 24 * 3600 * 1000

export function turnHits(
  candidates: readonly Candidate[],
  conversations: Conversations,
  nowMs: number,
): readonly TurnHit[] {
  conversations.lookUp(candidates.map(({ file }) => file))
  const turns = [...byTurn(withoutCopies(candidates, conversations), conversations).values()]
  const counts = new Map<number, number>()
  for (const { conversation } of turns) counts.set(conversation, (counts.get(conversation) ?? 0) + 1)
  return turns.map(({ conversation, place, docs }) => {
    const scores = new Map(docs.map((doc) => [doc, scoreOf(doc, conversations)]))
    docs.sort((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
    const best = docs[0] as Candidate
    const others = new Set(docs.map((doc) => doc.kind & KIND_MASK)).size - 1
    const theme = Math.min(THEME_TURNS, (counts.get(conversation) ?? 1) - 1)
    const score = (scores.get(best) ?? 0) * (1 + COMPANY * others) * (1 + THEME * theme) * recency(best.ms, nowMs)
    return { conversation, place, docs, score, ms: best.ms ?? 0, isLoose: false }
  })
}

/** Of one Turn and no other. */
export function keyOf({ conversation, place, docs }: Pick<TurnHit, 'conversation' | 'place' | 'docs'>): string {
  return turnKey(conversation, docs[0] as Candidate, place)
}

export function recency(ms: number | null, nowMs: number): number {
  return 1 + RECENCY * 2 ** (-Math.max(0, nowMs - (ms ?? 0)) / RECENT_MS)
}

interface GatheredTurn {
  readonly conversation: number
  readonly place: Place
  readonly docs: Candidate[]
}

function byTurn(candidates: Iterable<Candidate>, conversations: Conversations): ReadonlyMap<string, GatheredTurn> {
  const turns = new Map<string, GatheredTurn>()
  for (const doc of candidates) {
    const place = conversations.place(doc.file, doc.record)
    // What waited in the queue and was delivered stands in the file a second time, as a prompt.
    if (place.branch < 0 && kindOf(doc) === 'queued') continue
    const conversation = conversations.mainOf(doc.file) ?? doc.file
    const key = turnKey(conversation, doc, place)
    const known = turns.get(key)
    if (known === undefined) turns.set(key, { conversation, place, docs: [doc] })
    else known.docs.push(doc)
  }
  return turns
}

function turnKey(conversation: number, { file, record }: Candidate, { branch, turn }: Place): string {
  return `${conversation}/${file}/${branch < 0 ? `record ${record}` : `${branch}.${turn}`}`
}

function scoreOf(doc: Candidate, conversations: Conversations): number {
  const isSubagent = conversations.file(doc.file)?.role === 'subagent'
  return weightOf(doc, isSubagent) * (BASE + FIT * doc.fit)
}

function weightOf(doc: Candidate, isSubagent: boolean): number {
  const kind = kindOf(doc)
  const weight = doc.table === 'said' ? SAID_WEIGHTS[kind] : DONE_WEIGHTS[kind]
  // What a subagent was told was written by a model.
  return isSubagent ? Math.min(weight, SAID_WEIGHTS.reply) * SUBAGENT : weight
}

function kindOf({ kind }: Candidate): DocKind {
  return DOC_KINDS[kind & KIND_MASK] ?? 'harness'
}

/** Of the copies of a record the original; one doc may match in both tables. */
function withoutCopies(candidates: readonly Candidate[], conversations: Conversations): Iterable<Candidate> {
  const kept = new Map<number, Candidate>()
  for (const one of candidates) {
    const key = one.copyKey < 0 ? -one.id : one.copyKey
    const known = kept.get(key)
    if (known === undefined || isBetter(one, known, conversations)) kept.set(key, one)
  }
  return kept.values()
}

function isBetter(one: Candidate, known: Candidate, conversations: Conversations): boolean {
  if (one.id === known.id) return scoreOf(one, conversations) > scoreOf(known, conversations)
  if (isGone(one.file, conversations) !== isGone(known.file, conversations)) return isGone(known.file, conversations)
  if (one.file !== known.file && isDerived(one, conversations) !== isDerived(known, conversations))
    return isDerived(known, conversations)
  // Not by the id, which tells in which order files came to be indexed.
  const pathOf = (doc: Candidate): string => conversations.file(doc.file)?.path ?? ''
  return pathOf(one) < pathOf(known)
}

function isGone(file: number, conversations: Conversations): boolean {
  return conversations.file(file)?.goneMs !== null
}

/** Begun with copies. Such a file may have ended before the one it was begun from, and so be the older one to the index. */
function isDerived({ file }: Candidate, conversations: Conversations): boolean {
  const owner = conversations.mainOf(file)
  // Of a session that a subagent has outlived, only an index that met it in time knows what it was.
  if (owner !== null && isGone(owner, conversations) && !isGone(file, conversations)) return false
  const row = conversations.row(file)
  return row !== null && (row.forkOf !== null || row.continues !== null)
}
