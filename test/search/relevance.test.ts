// How well search finds what people look for: the share of queries with a good answer in the first place and among the
// first five, and the mean reciprocal rank. The floors are just below what is reached; lower one only with a reason.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { SearchHit } from '../../src/search/model.ts'
import type { Search } from './open-search.ts'
import { openSearch, SAMPLE } from './open-search.ts'
import { agentId, NOW_MS, sessionId, writeArchive } from './relevance-archive.ts'
import type { Wanted } from './relevance-set.ts'
import { ARCHIVE_SET, SAMPLE_SET } from './relevance-set.ts'
import { HELD_ARCHIVE_SET, HELD_SAMPLE_SET } from './relevance-set-held.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clew-relevance-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const made = writeArchive(scratch)
const inArchive = await openSearch(scratch, NOW_MS)
const inSample = await openSearch(SAMPLE, NOW_MS)

type IsAt = (hit: SearchHit, place: string) => boolean

interface Ranked extends Wanted {
  /** From 1; none when it is not there. */
  readonly rank: number | null
  readonly hits: readonly SearchHit[]
}

const isInSample: IsAt = ({ sessionId: id, agentId: agent, branch, turn }, place) => {
  const [, session = '', sign, rest] = /^([0-9a-f]+)([#/~])?(.*)$/.exec(place) ?? []
  if (!id.startsWith(session)) return false
  if (sign === '/') return agent === rest
  if (sign === '~') return agent === null && branch === Number(rest)
  return sign === undefined || (agent === null && turn === Number(rest))
}

const isInArchive: IsAt = (hit, place) => {
  const [, name = '', number] = /^([^/]+)\/(\d+)$/.exec(place) ?? []
  if (number !== undefined) return hit.agentId === agentId(name, Number(number))
  const uuids = made.places.get(place)
  if (uuids === undefined) return hit.sessionId === sessionId(place)
  return hit.records.some((uuid) => uuid !== null && uuids.has(uuid))
}

function rankAll(set: readonly Wanted[], search: Search, isAt: IsAt): readonly Ranked[] {
  return set.map((wanted) => {
    const { hits } = search(wanted.query)
    const at = hits.findIndex((hit) => wanted.best.some((place) => isAt(hit, place)))
    return { ...wanted, hits, rank: at < 0 ? null : at + 1 }
  })
}

const ofArchive = rankAll(ARCHIVE_SET, inArchive, isInArchive)
const fitted = [...rankAll(SAMPLE_SET, inSample, isInSample), ...ofArchive]
const held = [...rankAll(HELD_SAMPLE_SET, inSample, isInSample), ...rankAll(HELD_ARCHIVE_SET, inArchive, isInArchive)]
const all = [...fitted, ...held]

interface Figures {
  readonly first: number
  readonly five: number
  readonly reciprocal: number
}

function figures(ranked: readonly Ranked[]): Figures {
  const share = (is: (rank: number) => number): number =>
    ranked.reduce((sum, { rank }) => sum + (rank === null ? 0 : is(rank)), 0) / ranked.length
  return {
    first: share((rank) => (rank === 1 ? 1 : 0)),
    five: share((rank) => (rank <= 5 ? 1 : 0)),
    reciprocal: share((rank) => 1 / rank),
  }
}

function report(): string {
  const row = (name: string, ranked: readonly Ranked[]): string => {
    const { first, five, reciprocal } = figures(ranked)
    const cells = [first, five, reciprocal].map((one) => one.toFixed(3).padStart(8)).join('')
    return `${name.padEnd(10)}${String(ranked.length).padStart(4)}${cells}`
  }
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  const missed = all
    .filter(({ rank }) => rank !== 1)
    .map(({ kind, query, rank }) => `${rank ?? '-'}  ${kind}: ${query}`)
  return [
    `${'kind'.padEnd(10)}   n   hit@1   hit@5     MRR`,
    ...kinds.map((kind) =>
      row(
        kind,
        all.filter((one) => one.kind === kind),
      ),
    ),
    row('fitted', fitted),
    row('held', held),
    row('all', all),
    ...missed,
  ].join('\n')
}

test('there is enough to judge by', () => {
  process.stdout.write(`${report()}\n`)
  expect(made.sessions).toBeGreaterThan(100)
  expect(all.length).toBeGreaterThan(350)
})

test.each<[string, readonly Ranked[], Figures]>([
  ['fitted', fitted, { first: 0.98, five: 0.995, reciprocal: 0.985 }],
  ['held', held, { first: 0.97, five: 0.985, reciprocal: 0.975 }],
])('the %s queries find what they are meant to find', (_, ranked, floors) => {
  const reached = figures(ranked)
  expect(reached.five).toBeGreaterThanOrEqual(floors.five)
  expect(reached.first).toBeGreaterThanOrEqual(floors.first)
  expect(reached.reciprocal).toBeGreaterThanOrEqual(floors.reciprocal)
})

test('what is asked to stay away stays away', () => {
  const there = ofArchive.filter(({ never, hits }) =>
    hits.some((hit) => never.some((place) => isInArchive(hit, place))),
  )
  expect(there.map(({ query }) => query)).toEqual([])
})

describe('copies', () => {
  test('no record is found twice', () => {
    const twice = all.filter(({ hits }) => {
      const found = hits.flatMap(({ records }) => records.filter((uuid) => uuid !== null))
      return new Set(found).size < found.length
    })
    expect(twice.map(({ query }) => query)).toEqual([])
  })

  test.each([
    ['a fork', 'single checkout can create two payments', 'double-charge'],
    ['a fork with new uuids', '"Process 4711 waits for ShareLock"', 'deadlock'],
    ['a continuation', 'flight controller', 'watchdog'],
  ])('%s shows what it copied where it was said', (_, typed, session) => {
    const prompts = inArchive(typed).hits.filter(({ kind }) => kind === 'prompt')
    expect(prompts.map((hit) => hit.sessionId)).toEqual([sessionId(session)])
  })
})

test.each([
  ['watchdog barometer', false],
  ['how can one checkout make two payments?', true],
  ['birthdays ISO', false],
  ['barometers', true],
  ['NAT gateway bill', true],
])('%s: comes only close is %s', (typed, expected) => {
  expect(inArchive(typed).hits[0]?.isLoose ?? false).toBe(expected)
})
