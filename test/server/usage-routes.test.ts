// The accounts as the page gets them: the same numbers that the command prints, and the same explanation.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usage } from '../../src/cli/usage.ts'
import { USAGE_BY } from '../../src/digest/usage-rows.ts'
import type { Refusal } from '../../src/server/api/refusal.ts'
import type { UsageAnswer, UsageExplained, UsageRow } from '../../src/server/api/usage.ts'
import { usageRoutes } from '../../src/server/usage-routes.ts'
import { runHere } from '../cli/in-process.ts'
import { linesOf, sample } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import type { OpenWorld } from './open-world.ts'
import { NOW_MS, openWorld } from './open-world.ts'

interface Printed {
  readonly key: string | null
  readonly project: string | null
  readonly messages: number
  readonly partialMessages: number
  readonly sessions: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number }
  readonly costUsd: number | null
  readonly pricedCostUsd: number
  readonly models: readonly string[]
}

const archives: readonly (readonly [string, string])[] = [
  ['the sample', sample],
  ...(corpus === null ? [] : [['the client’s corpus', join(corpus, 'client')] as const]),
]

const RANGES: readonly Readonly<Record<string, string>>[] = [
  {},
  { since: '2026-10-29' },
  { since: '3d', until: '2026-10-29' },
  { project: 'tide' },
]

describe.each(archives)('%s', (_, root) => {
  let open: OpenWorld
  beforeAll(async () => {
    open = await openWorld(root, [usageRoutes])
  })
  afterAll(() => open.close())

  test.each(USAGE_BY)('by %s', async (by) => {
    for (const range of RANGES) {
      const { status, json } = await open.ask(`/api/usage?${new URLSearchParams({ by, ...range })}`)
      expect(status).toBe(200)
      const { rows, total, rowsLeft } = json as UsageAnswer
      const options = Object.entries(range).flatMap(([name, value]) => [`--${name}`, value])
      const words = ['--by', by, ...options, '--root', root, '--tz', 'UTC', '--json', '--no-index']
      const printed = linesOf((await runHere(usage, words, NOW_MS)).out).map((line) => JSON.parse(line) as Printed)
      expect([...rows, total].map(told)).toEqual(printed.map(toldByCommand))
      expect(rowsLeft).toBe(0)
      if (by === 'project')
        expect(rows.map(({ label }) => label)).toEqual(printed.slice(0, -1).map((row) => row.project))
      for (const row of [...rows, total]) {
        const parts = row.parts.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
        expect(parts).toBeCloseTo(row.pricedCostUsd, 6)
      }
    }
  })

  test('what stands behind each row is what --explain says', async () => {
    for (const by of ['day', 'session', 'model'] as const) {
      const { rows } = (await open.ask(`/api/usage?by=${by}`)).json as UsageAnswer
      for (const { key } of rows.slice(0, 6)) {
        const { status, json } = await open.ask(`/api/usage/explain?${new URLSearchParams({ by, key })}`)
        expect(status).toBe(200)
        const words = ['--by', by, '--explain', key, '--root', root, '--tz', 'UTC', '--no-index']
        const { out } = await runHere(usage, words, NOW_MS)
        const { lines, isCut, row } = json as UsageExplained
        expect(lines).toEqual(out.split('\n\nprices:')[0]?.split('\n'))
        expect({ isCut, key: row.key }).toEqual({ isCut: false, key })
      }
    }
  })
})

function told(row: UsageRow): object {
  const { key, messages, partialMessages, sessions, models, costUsd, pricedCostUsd, ...tokens } = row
  const { inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = tokens
  const numbers = [inputTokens, outputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens]
  return { key, messages, partialMessages, sessions, models, costUsd, pricedCostUsd, numbers }
}

function toldByCommand(row: Printed): object {
  const { key, messages, partialMessages, sessions, models, costUsd, pricedCostUsd } = row
  const { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h } = row.cache_creation
  const numbers = [row.input_tokens, row.output_tokens, row.cache_read_input_tokens, write5m, write1h]
  return { key: key ?? '', messages, partialMessages, sessions, models, costUsd, pricedCostUsd, numbers }
}

describe('over the sample', () => {
  let open: OpenWorld
  beforeAll(async () => {
    open = await openWorld(sample, [usageRoutes])
  })
  afterAll(() => open.close())

  test('days are those of the zone the server is in', async () => {
    const there = await openWorld(sample, [usageRoutes], { timeZone: 'Pacific/Auckland' })
    const days = async ({ ask }: OpenWorld): Promise<readonly string[]> =>
      ((await ask('/api/usage?by=day')).json as UsageAnswer).rows.map(({ key, messages }) => `${key}: ${messages}`)
    expect(await days(there)).not.toEqual(await days(open))
    there.close()
  })

  test('a session has its title, prices have a date and a place', async () => {
    const answer = (await open.ask('/api/usage?by=session')).json as UsageAnswer
    expect(answer.rows.map(({ label }) => label)).toContain('Local days instead of 24 hours')
    expect(answer.priceDate).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(answer.priceSource).toMatch(/^https:/)
    expect(answer.notes.length).toBeGreaterThan(0)
  })

  test.each([
    ['/api/usage?by=colour', 400, /^by takes day, week/],
    ['/api/usage?since=soon', 400, /^since takes a date/],
    ['/api/usage?since=2026-10-29&until=2026-10-01', 400, /until is before since/],
    ['/api/usage/explain?by=day&key=1999-01-01', 404, /no row/],
    ['/api/usage/explain?by=day&key=__proto__', 404, /no row/],
  ])('%s is refused', async (path, status, reason) => {
    const answer = await open.ask(path)
    expect(answer.status).toBe(status)
    expect((answer.json as Refusal).error).toMatch(reason)
  })
})
