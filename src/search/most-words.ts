// Turns that have most of the words, in whichever of their records: the question has some of them, the answer the others,
// and one was never said. Rare words weigh more than common ones. Bounded everywhere: of each word the newest docs, of
// these the best neighbourhoods, and of the Turns in them the best are asked about words with more docs than that.

import type { CandidateRange, Matches } from './candidates.ts'
import { candidatesById, idsMatching, matchesOf, setScope } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { Query } from './query.ts'
import { filesTitled } from './titles.ts'
import type { TurnHit } from './turn-hits.ts'
import { turnHits } from './turn-hits.ts'
import { TurnWords } from './turn-words.ts'

/** Words beyond the rarest of these add nothing that they do not tell. */
const WORDS_MAX = 12
const IDS_MAX = 2000
/** Docs of one Turn are neighbours: they were written one after the other. */
const NEIGHBOURHOOD = 64
const NEIGHBOURHOODS_MAX = 40
const DOCS_MAX = 240
const ASKED_MAX = 12
/** By weight. Less than half of what was asked for is something else. */
const SHARE_MIN = 0.5
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
  bits: number
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
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (bits: number): number =>
    words.reduce((sum, { bit, weight }) => sum + ((bits & bit) === 0 ? 0 : weight), 0) / total
  const saidBits = bitsByDoc(words, 'said')
  const doneBits = bitsByDoc(words, 'done')
  const bitsOf = (id: number): number => (saidBits.get(id) ?? 0) | (doneBits.get(id) ?? 0)
  const ids = bestNeighbours([...new Set([...saidBits.keys(), ...doneBits.keys()])], bitsOf, shareOf)
  const docs = candidatesById(database, ids).map((doc) => {
    const table = saidBits.has(doc.id) ? 'said' : 'done'
    return Object.assign(doc, { table, fit: shareOf(bitsOf(doc.id)) } as const)
  })
  const found = turnHits(docs, conversations, nowMs).map((turn) => {
    const inTitle = words.filter(({ titled }) => titled.has(turn.conversation))
    const bits = turn.docs.reduce((sum, { id }) => sum | bitsOf(id), 0)
    return { turn, bits: inTitle.reduce((sum, { bit }) => sum | bit, bits) }
  })
  const scoreOf = ({ turn, bits }: Found): number => turn.score * shareOf(bits) ** 2
  found.sort((one, other) => scoreOf(other) - scoreOf(one))
  askAboutCommon(found.slice(0, ASKED_MAX), words, new TurnWords(database, conversations))
  return found.flatMap((one) => {
    const share = shareOf(one.bits)
    return share < SHARE_MIN ? [] : [{ ...one.turn, score: scoreOf(one), isLoose: share < 1 }]
  })
}

function wordsOf(database: Database, query: Query, range: CandidateRange): readonly Word[] {
  const { count } = database.prepare('SELECT coalesce(max(id), 0) AS count FROM doc').get() as { count: number }
  const listed = query.groups.map((group) => {
    const one = { ...query, groups: [group] }
    const matches = matchesOf(one, range)
    const list = (table: 'said' | 'done'): readonly number[] =>
      matches[table] === null ? [] : idsMatching(database, table, matches[table], range, IDS_MAX)
    const [said, done] = [list('said'), list('done')]
    const heard = said.length + done.length
    const isNumber = group.every(({ words }) => words.every((word) => /^\d+$/.test(word)))
    const weight =
      Math.log(1 + count / (heard + 1)) * (isNumber ? NUMBER_WEIGHT : 1) * (heard === 0 ? UNHEARD_WEIGHT : 1)
    const isCommon = Math.max(said.length, done.length) >= IDS_MAX
    return { weight, matches, isCommon, said, done, titled: filesTitled(database, one, range) }
  })
  const rarest = listed.sort((one, other) => other.weight - one.weight).slice(0, WORDS_MAX)
  return rarest.map((word, index) => ({ ...word, bit: 1 << index }))
}

function bitsByDoc(words: readonly Word[], table: 'said' | 'done'): ReadonlyMap<number, number> {
  const bits = new Map<number, number>()
  for (const word of words) for (const id of word[table]) bits.set(id, (bits.get(id) ?? 0) | word.bit)
  return bits
}

/** Docs where many words are close together, the newest first among equals. Neighbourhoods overlap by half. */
function bestNeighbours(
  ids: readonly number[],
  bitsOf: (id: number) => number,
  shareOf: (bits: number) => number,
): readonly number[] {
  const places = new Map<number, { bits: number; readonly ids: number[] }>()
  for (const id of ids) {
    const half = Math.floor(id / (NEIGHBOURHOOD / 2))
    for (const number of [half, half + 1]) {
      const known = places.get(number)
      if (known === undefined) places.set(number, { bits: bitsOf(id), ids: [id] })
      else {
        known.bits |= bitsOf(id)
        known.ids.push(id)
      }
    }
  }
  const shares = new Map<number, number>()
  const share = (bits: number): number => {
    const known = shares.get(bits) ?? shareOf(bits)
    shares.set(bits, known)
    return known
  }
  const best = [...places].sort(([at, one], [other, two]) => share(two.bits) - share(one.bits) || other - at)
  const kept = new Set(best.slice(0, NEIGHBOURHOODS_MAX).flatMap(([, place]) => place.ids))
  return [...kept].sort((one, other) => share(bitsOf(other)) - share(bitsOf(one)) || other - one).slice(0, DOCS_MAX)
}

function askAboutCommon(found: readonly Found[], words: readonly Word[], turnWords: TurnWords): void {
  const common = words.filter(({ isCommon }) => isCommon)
  for (const one of found) {
    for (const { bit, matches } of common) {
      if ((one.bits & bit) === 0 && turnWords.holds(one.turn, matches)) one.bits |= bit
    }
  }
}
