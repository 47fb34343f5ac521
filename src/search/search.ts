// A search in the word index: candidates, gathered into Turns, ranked; then the best are looked at themselves, for the
// snippet and for whether they hold just what was typed. Where little is found, less is asked for.

import type { Asking, Candidate, CandidateRange } from './candidates.ts'
import { findCandidates, matchesOf } from './candidates.ts'
import { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import { HitReader } from './hit.ts'
import { filesById, ID_SCORE, turnsById } from './ids.ts'
import { idsMatching } from './ids-matching.ts'
import { withForms, withoutFillers } from './loosen.ts'
import type { SearchHit, SearchOptions, SearchResult } from './model.ts'
import { turnsWithMost } from './most-words.ts'
import { pickHits } from './pick.ts'
import { frequentWords } from './prefixes.ts'
import type { Query } from './query.ts'
import { parseQuery, parseVerbatim } from './query.ts'
import { titlesMatching } from './titles.ts'
import type { Touched } from './touching.ts'
import { touchedFiles } from './touching.ts'
import type { TurnHit } from './turn-hits.ts'
import { keyOf, recency, turnHits } from './turn-hits.ts'
import { TurnWords } from './turn-words.ts'
import { whole } from './whole.ts'

export interface SearchRange {
  /** Files of the index to look in; null for all of them. */
  readonly scope: readonly number[] | null
  readonly nowMs: number
  /** What is known about conversations already; for whoever searches more than once. */
  readonly conversations?: Conversations
}

/** With so many Turns in which somebody said all of it, nobody needs those that only come close. */
const ENOUGH = 3
/** Words that are there, but without the small ones around them, in other forms, or not all of them. */
const LOOSENED = 0.55
const EVERYWHERE = { scope: null, sinceMs: null, untilMs: null }
/** A title says what a conversation is about. It lifts the best Turn, or stands for it where no Turn has the words. */
const TITLE_LIFT = 0.3
const TITLE_SCORE = 0.9

export function searchIndex(
  database: Database,
  options: SearchOptions,
  { scope, nowMs, ...known }: SearchRange,
): SearchResult {
  const conversations = known.conversations ?? new Conversations(database)
  const touched = options.file === null ? null : touchedFiles(database, options.file, conversations)
  const range = { ...options, scope: touched === null ? scope : touched.within(scope) }
  const search = new Search(database, conversations, range, nowMs)
  if (touched !== null && options.typed.trim() === '' && options.tool === null) return search.touching(touched, options)
  const isTouched = touched === null ? () => true : touched.isTouched
  const result = search.run(parseQuery(options.typed), options, isTouched)
  if (result.hits.some(({ isLoose }) => isLoose !== true)) return result
  // Nothing without the words behind a minus: then the minus may belong to them.
  const verbatim = parseVerbatim(options.typed)
  const second = verbatim === null ? result : search.run(verbatim, options, isTouched)
  return second.hits.length > 0 ? second : result
}

/** What is marked in a path that was asked for by itself: the last name in it. */
function markOf(file: string | null): Query {
  const name = file?.split(/[/\\]/).findLast((part) => part !== '') ?? ''
  return parseQuery(`path:"${name.replaceAll('"', ' ')}"`)
}

class Search {
  readonly #database: Database
  readonly #conversations: Conversations
  readonly #range: CandidateRange
  readonly #nowMs: number

  constructor(database: Database, conversations: Conversations, range: CandidateRange, nowMs: number) {
    this.#database = database
    this.#conversations = conversations
    this.#range = range
    this.#nowMs = nowMs
  }

  /** Whoever names a file and nothing else asks for every Turn in which it was touched, however many they are. */
  touching(touched: Touched, options: SearchOptions): SearchResult {
    const { scope, fields, sinceMs, untilMs } = this.#range
    const files = new Set(scope)
    const isMeant = ({ file, ms }: Candidate): boolean =>
      files.has(file) &&
      (sinceMs === null || (ms ?? Number.NEGATIVE_INFINITY) >= sinceMs) &&
      (untilMs === null || (ms ?? Number.POSITIVE_INFINITY) <= untilMs)
    const docs = fields.size === 0 || fields.has('files') ? touched.docs().filter(isMeant) : []
    const turns = turnHits(docs, this.#conversations, this.#nowMs)
    const query = markOf(options.file)
    const reader = new HitReader(this.#conversations, query, options)
    try {
      const hits = pickHits(turns, query, options, reader, () => false)
      return { hits: hits.slice(0, options.limit), total: turns.length, isBounded: false }
    } finally {
      reader.close()
    }
  }

  run(query: Query, options: SearchOptions, isTouched: (turn: TurnHit) => boolean): SearchResult {
    const { turns: all, widest, isBounded } = this.#turns(query)
    const turns = all.filter(isTouched)
    // Who asks for a tool or a file asks for Turns.
    const isAboutTurns = options.file !== null || options.tool !== null
    const titles = isAboutTurns ? [] : titlesMatching(this.#database, widest, this.#range)
    const fits = new Map(titles.map(({ file, fit }) => [file, fit]))
    const ids = isAboutTurns ? [] : filesById(this.#database, query, this.#range)
    const named = [
      ...ids.map((file) => this.#whole(file, 'conversation', query)),
      ...titles
        .filter(({ file }) => !turns.some(({ conversation }) => conversation === file))
        .map(({ file, fit }) => this.#whole(file, 'title', widest, fit)),
    ].filter((hit) => hit !== null)
    const reader = new HitReader(this.#conversations, widest, options)
    try {
      const picked = pickHits(lifted(turns, fits), query, options, reader, this.#isUnwanted(query))
      const hits = [...named, ...picked].sort((one, other) => other.score - one.score)
      return { hits: hits.slice(0, options.limit), total: turns.length + named.length, isBounded }
    } finally {
      reader.close()
    }
  }

  /** What was typed; then, as long as little was found, what comes close to it. */
  #turns(query: Query): { turns: readonly TurnHit[]; widest: Query; isBounded: boolean } {
    const turns = new Map<string, TurnHit>()
    const add = (more: readonly TurnHit[], weight: number, isLoose: boolean): void => {
      for (const turn of more) {
        const key = keyOf(turn)
        const known = turns.get(key)
        const score = turn.score * weight
        if (known !== undefined && known.score >= score) continue
        // What has all of it has it, wherever its best record was found.
        turns.set(key, { ...turn, score, isLoose: (known?.isLoose ?? true) && (turn.isLoose || isLoose) })
      }
    }
    const strictly = (asked: Query, asking: Asking = {}): readonly TurnHit[] => {
      const { found, isBounded } = findCandidates(this.#database, asked, this.#range, asking)
      isAnyBounded ||= isBounded
      return turnHits(found, this.#conversations, this.#nowMs)
    }
    let isAnyBounded = false
    add(turnsById(this.#database, query, this.#range, this.#conversations), 1, false)
    add(strictly(query), 1, false)
    const isAboutCalls = matchesOf(query, this.#range).said === null
    const isEnough = (): boolean => [...turns.values()].filter((turn) => isAboutCalls || isSaid(turn)).length >= ENOUGH
    if (query.groups.length === 0 || query.isVerbatim || isEnough())
      return { turns: [...turns.values()], widest: query, isBounded: isAnyBounded }
    const content = withoutFillers(query)
    const widest = withForms(content ?? query)
    const { groups } = widest
    const hasMost = groups.length > 1 && !isAboutCalls
    // What tools printed is asked for once more where most of the words are enough, and by each word alone.
    const loosely: Asking = hasMost ? { tables: ['said'] } : {}
    if (content !== null) add(strictly(content, loosely), LOOSENED, false)
    if (!isEnough() && groups.some((group) => group.length > 1))
      add(strictly(widest, { ...loosely, isRough: true }), LOOSENED, true)
    if (!isEnough() && hasMost) {
      add(turnsWithMost(this.#database, widest, this.#range, this.#conversations, this.#nowMs), LOOSENED, false)
    }
    return { turns: [...turns.values()], widest, isBounded: isAnyBounded }
  }

  /** What must not be there may stand in another record of the Turn. What tools print there is nobody's concern. */
  #isUnwanted({ not, ...query }: Query): (turn: TurnHit) => boolean {
    const turnWords = new TurnWords(this.#database, this.#conversations)
    const isHeld = not.map((term): ((turn: TurnHit) => boolean) => {
      const { said } = matchesOf({ ...query, not: [], groups: [[term]] }, this.#range)
      if (said === null || frequentWords(this.#database, term) === null)
        return (turn) => turnWords.holds(turn, { said, done: null })
      // The beginning of very many words is gathered once, and not for each Turn.
      let docs: ReadonlySet<number> | null = null
      return (turn) => {
        docs ??= new Set(idsMatching(this.#database, 'said', said, EVERYWHERE, Number.MAX_SAFE_INTEGER))
        return turnWords.holdsAny(turn, docs)
      }
    })
    return (turn) => isHeld.some((isIn) => isIn(turn))
  }

  #wasThen(file: number): boolean {
    const { sinceMs, untilMs } = this.#range
    const row = this.#conversations.row(file)
    const isLate = untilMs !== null && (row?.createdMs ?? 0) > untilMs
    return !isLate && (sinceMs === null || (row?.modifiedMs ?? 0) >= sinceMs)
  }

  #whole(file: number, kind: 'title' | 'conversation', query: Query, fit = 1): SearchHit | null {
    const hit = this.#wasThen(file) ? whole(file, kind, ID_SCORE, query, this.#conversations) : null
    if (hit === null || kind === 'conversation') return hit
    return { ...hit, score: TITLE_SCORE * fit * recency(hit.timestampMs, this.#nowMs) }
  }
}

function isSaid({ docs, isLoose }: TurnHit): boolean {
  return !isLoose && docs.some(({ table }) => table === 'said')
}

/** The best Turn of each conversation whose title fits too. */
function lifted(turns: readonly TurnHit[], fits: ReadonlyMap<number, number>): readonly TurnHit[] {
  const best = new Map<number, TurnHit>()
  for (const turn of turns) {
    const known = best.get(turn.conversation)
    if (fits.has(turn.conversation) && (known === undefined || turn.score > known.score))
      best.set(turn.conversation, turn)
  }
  const lift = (turn: TurnHit): number => 1 + TITLE_LIFT * (fits.get(turn.conversation) ?? 0)
  return turns.map((turn) =>
    best.get(turn.conversation) === turn ? { ...turn, score: turn.score * lift(turn) } : turn,
  )
}
