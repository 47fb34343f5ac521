// Turns that have most of the words, in whichever of their records: the question has some of them, the answer the others,
// and one was never said. Rare words weigh more than common ones. Bounded everywhere: of each word the newest docs, of
// these the best neighbourhoods, and of the Turns in them the best are asked about words with more docs than that.

import type { CandidateRange, Matches } from './candidates.ts'
import { candidatesById, matchesOf } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { Table } from './ids-matching.ts'
import { idsMatching, setScope } from './ids-matching.ts'
import { withFrequentWords } from './prefixes.ts'
import type { Query } from './query.ts'
import { statement } from './statements.ts'
import { filesTitled } from './titles.ts'
import type { TurnHit } from './turn-hits.ts'
import { turnHits } from './turn-hits.ts'
import { TurnWords } from './turn-words.ts'

/** Words beyond the rarest of these add nothing that they do not tell. */
const WORDS_MAX = 12
/** What was said more often than this is asked for Turn by Turn. */
const IDS_MAX = { said: 500, done: 300 } as const
/** Docs of one Turn are neighbours: they were written one after the other. */
const NEIGHBOURHOOD = 64
const NEIGHBOURHOODS_MAX = 40
const DOCS_MAX = 240
const ASKED_MAX = 12
/** By weight. Less than a third of what was asked for is something else. */
const SHARE_MIN = 0.35
/** A word that tools printed in the course of a Turn says little about what it was about. */
const ONLY_DONE = 0.4
/** Numbers change from one error message to the next. */
const NUMBER_WEIGHT = 0.5
/** What was never said by anybody cannot be missed much. */
const UNHEARD_WEIGHT = 0.5

interface Word {
  /** One of its own among all words, so that a sum of them tells which are there. */
  readonly bit: number
  readonly weight: number
  readonly matches: Matches
  /** There are more docs than are listed. */
  readonly isCommon: boolean
  readonly said: readonly number[]
  readonly done: readonly number[]
  readonly titled: ReadonlySet<number>
}

interface Found {
  readonly turn: TurnHit
  /** The bits of the words that somebody said in it, or that are in the title; and of those that were only done. */
  said: number
  done: number
}

export function turnsWithMost(
  database: Database,
  query: Query,
  range: CandidateRange,
  conversations: Conversations,
  nowMs: number,
): readonly TurnHit[] {
  setScope(database, range.scope)
  const words = wordsOf(database, query, range)
  const shareOf = shares(words)
  const saidBits = bitsByDoc(words, 'said')
  const doneBits = bitsByDoc(words, 'done')
  const shareAt = (id: number): number => shareOf(saidBits.get(id) ?? 0, doneBits.get(id) ?? 0)
  const docs = candidatesById(database, bestNeighbours(saidBits, doneBits, shareOf)).map((doc) => {
    const table = saidBits.has(doc.id) ? 'said' : 'done'
    return Object.assign(doc, { table, fit: shareAt(doc.id) } as const)
  })
  const found = turnHits(docs, conversations, nowMs).map((turn) => {
    const inTitle = words.filter(({ titled }) => titled.has(turn.conversation)).reduce((sum, { bit }) => sum | bit, 0)
    const said = turn.docs.reduce((sum, { id }) => sum | (saidBits.get(id) ?? 0), inTitle)
    return { turn, said, done: turn.docs.reduce((sum, { id }) => sum | (doneBits.get(id) ?? 0), 0) }
  })
  const scoreOf = ({ turn, said, done }: Found): number => turn.score * shareOf(said, done) ** 2
  found.sort((one, other) => scoreOf(other) - scoreOf(one))
  askAboutCommon(found.slice(0, ASKED_MAX), words, new TurnWords(database, conversations))
  const all = words.reduce((sum, { bit }) => sum | bit, 0)
  return found.flatMap((one) =>
    shareOf(one.said, one.done) < SHARE_MIN
      ? []
      : [{ ...one.turn, score: scoreOf(one), isLoose: (one.said | one.done) !== all }],
  )
}

type ShareOf = (said: number, done: number) => number

/** By weight, from 0 to 1. */
function shares(words: readonly Word[]): ShareOf {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const known = new Map<number, number>()
  return (said, done) => {
    const key = said * (1 << WORDS_MAX) + done
    let share = known.get(key)
    if (share === undefined) {
      const part = ({ bit }: Word): number => ((said & bit) !== 0 ? 1 : (done & bit) !== 0 ? ONLY_DONE : 0)
      share = words.reduce((sum, word) => sum + word.weight * part(word), 0) / total
      known.set(key, share)
    }
    return share
  }
}

function wordsOf(database: Database, query: Query, range: CandidateRange): readonly Word[] {
  const { last } = statement(database, 'SELECT coalesce(max(id), 0) AS last FROM doc').get() as {
    readonly last: number
  }
  const listed = query.groups.map((group) => {
    const one = { ...query, groups: [group] }
    // Only the newest are listed.
    const matches = matchesOf(withFrequentWords(database, one) ?? one, range)
    const list = (table: Table): readonly number[] =>
      matches[table] === null ? [] : idsMatching(database, table, matches[table], range, IDS_MAX[table])
    const [said, done] = [list('said'), list('done')]
    const heard = countOf(said, IDS_MAX.said, last) + countOf(done, IDS_MAX.done, last)
    const isNumber = group.every(({ words }) => words.every((word) => /^\d+$/.test(word)))
    const rarity = Math.log(1 + last / (heard + 1))
    const weight = rarity * (isNumber ? NUMBER_WEIGHT : 1) * (heard === 0 ? UNHEARD_WEIGHT : 1)
    const isCommon = said.length >= IDS_MAX.said || done.length >= IDS_MAX.done
    return { weight, matches, isCommon, said, done, one }
  })
  const rarest = listed.sort((one, other) => other.weight - one.weight).slice(0, WORDS_MAX)
  return rarest.map(({ one, ...word }, index) => {
    return { ...word, bit: 1 << index, titled: filesTitled(database, one, range) }
  })
}

/** Where only the newest are listed, how closely they stand tells how many there are. */
function countOf(ids: readonly number[], most: number, last: number): number {
  return ids.length < most ? ids.length : (ids.length * last) / (last - (ids.at(-1) ?? 0) + 1)
}

function bitsByDoc(words: readonly Word[], table: Table): ReadonlyMap<number, number> {
  const bits = new Map<number, number>()
  for (const word of words) for (const id of word[table]) bits.set(id, (bits.get(id) ?? 0) | word.bit)
  return bits
}

/** Docs where many words are close together, the newest first among equals. Neighbourhoods overlap by half. */
function bestNeighbours(
  saidBits: ReadonlyMap<number, number>,
  doneBits: ReadonlyMap<number, number>,
  shareOf: ShareOf,
): readonly number[] {
  const places = new Map<number, { said: number; done: number; readonly ids: number[] }>()
  for (const id of new Set([...saidBits.keys(), ...doneBits.keys()])) {
    const half = Math.floor(id / (NEIGHBOURHOOD / 2))
    for (const number of [half, half + 1]) {
      const place = places.get(number) ?? { said: 0, done: 0, ids: [] }
      place.said |= saidBits.get(id) ?? 0
      place.done |= doneBits.get(id) ?? 0
      place.ids.push(id)
      places.set(number, place)
    }
  }
  const best = [...places].sort(
    ([at, one], [other, two]) => shareOf(two.said, two.done) - shareOf(one.said, one.done) || other - at,
  )
  const ids = [...new Set(best.slice(0, NEIGHBOURHOODS_MAX).flatMap(([, place]) => place.ids))]
  const shareAt = (id: number): number => shareOf(saidBits.get(id) ?? 0, doneBits.get(id) ?? 0)
  return ids.sort((one, other) => shareAt(other) - shareAt(one) || other - one).slice(0, DOCS_MAX)
}

function askAboutCommon(found: readonly Found[], words: readonly Word[], turnWords: TurnWords): void {
  for (const { bit, matches, isCommon } of words) {
    if (!isCommon) continue
    for (const one of found) {
      if ((one.said & bit) !== 0) continue
      if (turnWords.holds(one.turn, { said: matches.said, done: null })) one.said |= bit
      else if ((one.done & bit) === 0 && turnWords.holds(one.turn, { said: null, done: matches.done })) one.done |= bit
    }
  }
}
