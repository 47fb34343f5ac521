// Search as the palette asks for it: the hits of `clew search`, bounded, and a word about what cannot be asked.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { search } from '../../src/cli/search.ts'
import type { Refusal } from '../../src/server/api/refusal.ts'
import type { SearchAnswer } from '../../src/server/api/search.ts'
import { searchRoutes } from '../../src/server/search-routes.ts'
import { runHere } from '../cli/in-process.ts'
import { linesOf, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import type { OpenWorld } from './open-world.ts'
import { NOW_MS, openWorld } from './open-world.ts'

interface Printed {
  readonly sessionId: string
  readonly agentId: string | null
  readonly field: string
  readonly title: string
  readonly snippet: { readonly text: string } | null
}

const archives: readonly (readonly [string, string])[] = [
  ['the sample', sample],
  ...(corpus === null ? [] : [['the client’s corpus', join(corpus, 'client')] as const]),
]

const ASKED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['tide', {}],
  ['tide', { in: 'prompts' }],
  ['tide', { in: 'replies,titles' }],
  ['test', { tool: 'Bash' }],
  ['the', { project: 'tidewatch' }],
  ['"local days"', {}],
  ['path:src', {}],
  ['file -tide', {}],
  ['nothing of the kind', {}],
]

describe.each(archives)('%s', (_, root) => {
  let open: OpenWorld
  beforeAll(async () => {
    open = await openWorld(root, [searchRoutes])
  })
  afterAll(() => open.close())

  test.each(ASKED)('%s %j: the hits of the command', async (q, more) => {
    const query = new URLSearchParams({ q, limit: '20', ...more })
    const { status, json } = await open.ask(`/api/search?${query}`)
    const answer = json as SearchAnswer
    expect(status).toBe(200)
    const options = Object.entries(more).flatMap(([name, value]) => [`--${name}`, value])
    const ran = await runHere(search, [q, ...options, '--root', root, '--json', '-n', '200'], NOW_MS)
    // The command falls back to the bytes by itself; a page has to ask for that.
    const printed = linesOf(ran.out).map((line) => JSON.parse(line) as Printed)
    const first = new Map<string, number>()
    const kept = printed
      .filter(({ sessionId }) => {
        first.set(sessionId, (first.get(sessionId) ?? 0) + 1)
        return (first.get(sessionId) ?? 0) <= 3
      })
      .slice(0, 20)
    const told = ({ title, field, agentId, snippet }: Printed | SearchAnswer['hits'][number]) => ({
      title,
      field,
      agentId,
      text: snippet?.text ?? null,
    })
    if (ran.err.includes('no word matches')) expect(answer.hits).toEqual([])
    else expect(answer.hits.map(told)).toEqual(kept.map(told))
    expect(answer.isInBytes).toBe(false)
  })
})

describe('over the sample', () => {
  let open: OpenWorld
  beforeAll(async () => {
    open = await openWorld(sample, [searchRoutes])
  })
  afterAll(() => open.close())

  const ask = async (query: string): Promise<SearchAnswer> =>
    (await open.ask(`/api/search?${query}`)).json as SearchAnswer

  test('what stands inside of words is found by who asks for it', async () => {
    expect((await ask('q=idewatc')).hits).toEqual([])
    const { hits, isInBytes, total } = await ask('q=idewatc&deep=1')
    expect(isInBytes).toBe(true)
    expect(hits.length).toBeGreaterThan(0)
    expect(total).toBeGreaterThanOrEqual(hits.length)
  })

  test('a hit leads to its record, and its marks stand on what was asked for', async () => {
    const { hits } = await ask('q=tide&in=prompts')
    for (const { id, uuid, snippet } of hits) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(uuid).toMatch(/^[0-9a-f-]{36}$/)
      for (const [from, to] of snippet?.marks ?? [])
        expect(snippet?.text.slice(from, to).toLowerCase()).toMatch(/^tide/)
    }
  })

  test('at most so many, and all of them counted', async () => {
    const { hits, total } = await ask('q=the&limit=2')
    expect(hits.length).toBe(2)
    expect(total).toBeGreaterThan(2)
  })

  test('since when', async () => {
    const all = (await ask('q=the')).total
    const late = (await ask('q=the&since=2026-10-29')).total
    expect(late).toBeLessThan(all)
    expect((await ask('q=the&since=today')).total).toBe(0)
    expect((await ask('q=the&since=2026-10-29&until=2026-10-29')).total).toBe(late)
    expect((await ask('q=the&until=2026-10-28')).total).toBe(all - late)
    expect((await ask('q=the&until=today')).total).toBe(all)
  })

  test.each([
    ['', /search for what/],
    ['q=', /search for what/],
    ['q=tide&in=nothing', /^in takes prompts/],
    ['q=tide&since=yesterdayish', /^since takes/],
    ['q=tide&limit=0', /^limit takes a whole number from 1 to 100/],
    ['q=tide&limit=101', /^limit takes/],
    ['q=tide&limit=1e1', /^limit takes/],
    ['q=tide&deep=yes', /^deep takes/],
    [`q=${'a'.repeat(1001)}`, /longer than 1000/],
  ])('%s is refused', async (query, reason) => {
    const { status, json } = await open.ask(`/api/search?${query}`)
    expect(status).toBe(400)
    expect((json as Refusal).error).toMatch(reason)
  })

  test('odd queries are words', async () => {
    for (const q of ['"', '*', '-', 'a OR', "'; DROP TABLE file", '\u0000', '(((', 'NEAR/3', '🌊', 'x'.repeat(1000)]) {
      const { status } = await open.ask(`/api/search?q=${encodeURIComponent(q)}`)
      expect([q, [200, 400].includes(status)]).toEqual([q, true])
    }
  })
})
