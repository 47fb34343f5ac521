// How well search finds what people look for: the share of queries with a good answer in the first place and among the
// first five, and the mean reciprocal rank. The floors are just below what is reached; lower one only with a reason.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findArchive } from '/tmp/rel/dist-now/load/archive.js'
import type { SearchHit } from '../../src/search/model.ts'
import { Index } from '/tmp/rel/dist-now/search/open-index.js'
import { agentId, NOW_MS, sessionId, writeArchive } from './relevance-archive.ts'
import type { Wanted } from './relevance-set.ts'
import { ARCHIVE_SET, SAMPLE_SET } from './relevance-set.ts'
import { HELD_ARCHIVE_SET, HELD_SAMPLE_SET } from './relevance-set-held.ts'

const scratch = '/tmp/rel/small'
void [mkdtempSync, tmpdir, rmSync]

const FLOORS = { first: 0.9, five: 0.98, reciprocal: 0.93 }
const LIMIT = 20

type Search = (typed: string) => readonly SearchHit[]
type IsAt = (hit: SearchHit, place: string) => boolean

interface Ranked extends Wanted {
  /** From 1; none when it is not there. */
  readonly rank: number | null
  readonly hits: readonly SearchHit[]
}

async function openSearch(root: string): Promise<Search> {
  const archive = findArchive(root.includes('sample') ? [root] : [root, '/tmp/rel/big'])
  const index = new Index(root.includes('sample') ? null : '/tmp/rel/both.sqlite')
  await index.refresh(archive, { nowMs: NOW_MS })
  afterAll(() => index.close())
  const options = { fields: new Set<never>(), sinceMs: null, untilMs: null, tool: null, file: null }
  const filter = { isWanted: null, gitBranch: null, model: null }
  return (typed) => index.search(archive, { ...options, typed, limit: LIMIT, perConversation: 3 }, filter, NOW_MS).hits
}

const made = writeArchive(scratch)
const inArchive = await openSearch(scratch)
const inSample = await openSearch(join(import.meta.dirname, '..', '..', 'sample'))

const isInSample: IsAt = ({ sessionId: id, agentId, branch, turn }, place) => {
  const [, session = '', sign, rest] = /^([0-9a-f]+)([#/~])?(.*)$/.exec(place) ?? []
  if (!id.startsWith(session)) return false
  if (sign === '/') return agentId === rest
  if (sign === '~') return agentId === null && branch === Number(rest)
  return sign === undefined || (agentId === null && turn === Number(rest))
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
    const hits = search(wanted.query)
    const at = hits.findIndex((hit) => wanted.best.some((place) => isAt(hit, place)))
    return { ...wanted, hits, rank: at < 0 ? null : at + 1 }
  })
}

const ofArchive = rankAll(ARCHIVE_SET, inArchive, isInArchive)
const fitted = [...rankAll(SAMPLE_SET, inSample, isInSample), ...ofArchive]
const held = [...rankAll(HELD_SAMPLE_SET, inSample, isInSample), ...rankAll(HELD_ARCHIVE_SET, inArchive, isInArchive)]
const all = [...fitted, ...held]

function figures(ranked: readonly Ranked[]): typeof FLOORS {
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
    'kind       n   hit@1   hit@5     MRR',
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

test(`${all.length} queries find what they are meant to find`, () => {
  process.stdout.write(`${report()}\n`)
  expect(made.sessions).toBeGreaterThan(60)
  expect(all.length).toBeGreaterThan(80)
  const reached = figures(all)
  expect(reached.five).toBeGreaterThanOrEqual(FLOORS.five)
  expect(reached.first).toBeGreaterThanOrEqual(FLOORS.first)
  expect(reached.reciprocal).toBeGreaterThanOrEqual(FLOORS.reciprocal)
})

test('what is asked to stay away stays away', () => {
  const there = ofArchive.filter(({ never, hits }) =>
    hits.some((hit) => never.some((place) => isInArchive(hit, place))),
  )
  expect(there.map(({ query }) => query)).toEqual([])
})

test('no record is found twice', () => {
  const twice = all.filter(({ hits }) => {
    const found = hits.flatMap(({ records }) => records.filter((uuid) => uuid !== null))
    return new Set(found).size < found.length
  })
  expect(twice.map(({ query }) => query)).toEqual([])
})
