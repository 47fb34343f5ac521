// The bookkeeping of a conversation that is too long to be held: windows, places in the list, heights, turns, addresses.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TurnHead } from '../../src/server/api/conversation.ts'
import type { RowView } from '../../src/server/api/rows.ts'
import { apiOf, pageOf, parseAddress, recordOf, WHOLE } from '../../src/web/conversation/address.ts'
import { boundaryWords } from '../../src/web/conversation/boundary-rule.tsx'
import { hitBeside, placesOf, wordsOf } from '../../src/web/conversation/find.ts'
import { newFolds } from '../../src/web/conversation/folds.ts'
import { newHeights } from '../../src/web/conversation/heights.ts'
import { indexOf, keyAt, placeAt, planOf, rangeAround } from '../../src/web/conversation/plan.ts'
import { quietWords } from '../../src/web/conversation/quiet-records.tsx'
import { isOtherModel } from '../../src/web/conversation/speaker.ts'
import { axisOf } from '../../src/web/conversation/timeline-axis.ts'
import { lanesOf } from '../../src/web/conversation/timeline-lanes.ts'
import { turnBeside, turnPlaceOf } from '../../src/web/conversation/turns.ts'
import type { WindowAnswer, WindowSettings, WindowStore } from '../../src/web/conversation/window-store.ts'
import { windowStore } from '../../src/web/conversation/window-store.ts'

describe('windows', () => {
  interface Asked {
    readonly from: number
    readonly count: number
    readonly signal: AbortSignal
  }

  /** A list of numbers in a server that answers at once, a few at a time. */
  function numbers(
    total: number,
    settings: Partial<WindowSettings> & { readonly perAnswer?: number; readonly version?: string } = {},
  ): { readonly store: WindowStore<number>; readonly asked: Asked[]; readonly rest: () => Promise<void> } {
    const asked: Asked[] = []
    const { perAnswer = 1000, version = 'v1', ...others } = settings
    const store = windowStore<number>(
      'v1',
      total,
      async (from, count, signal): Promise<WindowAnswer<number>> => {
        asked.push({ from, count, signal })
        await Promise.resolve()
        const rows = Array.from({ length: Math.min(count, perAnswer, total - from) }, (_, place) => from + place)
        return { version, total, from, rows }
      },
      { windowRows: 10, restMs: 0, ...others },
    )
    return { store, asked, rest: () => new Promise((resolve) => setTimeout(resolve, 20)) }
  }

  test('what is in view is asked for, and only once', async () => {
    const { store, asked, rest } = numbers(100)
    store.want(15, 32)
    store.want(15, 32)
    await rest()
    expect(asked.map(({ from, count }) => [from, count])).toEqual([
      [10, 10],
      [20, 10],
      [30, 10],
    ])
    expect([9, 10, 39, 40].map(store.get)).toEqual([undefined, 10, 39, undefined])
    store.want(16, 33)
    await rest()
    expect(asked.length).toBe(3)
  })

  test('an answer with fewer rows is asked on', async () => {
    const { store, asked, rest } = numbers(25, { perAnswer: 3 })
    store.want(0, 25)
    await rest()
    expect(Array.from({ length: 25 }, (_, place) => store.get(place))).toEqual([...Array(25).keys()])
    expect(asked.every(({ from, count }) => from + count <= 30)).toBe(true)
  })

  test('what has gone out of view is given up', async () => {
    const { store, asked } = numbers(1000, { restMs: 0 })
    store.want(0, 10)
    await new Promise((resolve) => setTimeout(resolve, 1))
    // Not answered yet: the answer comes with the next microtask, so both wants must be in one turn of the clock.
    const slow = windowStore<number>(
      'v1',
      1000,
      (from, count, signal) => {
        asked.push({ from, count, signal })
        return new Promise(() => undefined)
      },
      { windowRows: 10, restMs: 0 },
    )
    slow.want(0, 10)
    await new Promise((resolve) => setTimeout(resolve, 5))
    slow.want(500, 510)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const open = asked.filter(({ signal }) => !signal.aborted).map(({ from }) => from)
    expect(open).toContain(500)
    expect(asked.find(({ from, signal }) => from === 0 && signal.aborted)).toBeDefined()
  })

  test('far from the view is forgotten', async () => {
    const { store, rest } = numbers(1000, { keptMax: 50 })
    for (let from = 0; from < 300; from += 20) {
      store.want(from, from + 20)
      await rest()
    }
    const kept = Array.from({ length: 1000 }, (_, place) => store.get(place)).filter((row) => row !== undefined)
    expect(kept.length).toBeLessThanOrEqual(50)
    expect(store.get(295)).toBe(295)
    expect(store.get(0)).toBeUndefined()
  })

  test('it grows, and what has changed is asked for again', async () => {
    const { store, asked, rest } = numbers(20)
    store.want(0, 20)
    await rest()
    store.grow(25, 18)
    expect([store.total(), store.get(17), store.get(18)]).toEqual([25, 17, undefined])
    await rest()
    expect(asked.at(-1)).toMatchObject({ from: 18, count: 2 })
    expect(store.get(18)).toBe(18)
  })

  test('another version is told, and its rows are not taken', async () => {
    const told: string[] = []
    const { store, rest } = numbers(20, { version: 'v2', onStale: (version) => told.push(version) })
    store.want(0, 10)
    await rest()
    expect([told, store.get(0)]).toEqual([['v2'], undefined])
  })

  test('a failure stops asking until somebody tries again', async () => {
    let isBroken = true
    const asked: number[] = []
    const store = windowStore<number>(
      'v1',
      20,
      async (from, count) => {
        asked.push(from)
        if (isBroken) throw new Error('gone')
        return { version: 'v1', total: 20, from, rows: Array.from({ length: count }, () => 1) }
      },
      { windowRows: 10, restMs: 0 },
    )
    const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))
    store.want(0, 10)
    await rest()
    store.want(0, 12)
    await rest()
    expect([store.failure()?.message, asked.length]).toEqual(['gone', 1])
    isBroken = false
    store.retry()
    await rest()
    expect([store.failure(), store.get(0)]).toEqual([null, 1])
  })

  test('one place can be had, wherever the view is', async () => {
    const { store } = numbers(1000)
    expect(await store.load(777)).toBe(777)
    expect(await store.load(1000)).toBeUndefined()
  })
})

describe('places of the list', () => {
  test('subagents stand behind the row of their call, to any depth', () => {
    const plan = planOf({ from: 0, to: 4, total: 4 }, [
      { agentId: 'a', host: '', row: 1, rows: 3 },
      { agentId: 'b', host: 'a', row: 0, rows: 2 },
    ])
    const all = Array.from({ length: plan.count }, (_, index) => keyAt(plan, index))
    expect(all).toEqual([0, 1, 'a 0', 'b 0', 'b 1', 'end b', 'a 1', 'a 2', 'end a', 2, 3])
    expect(placeAt(plan, 4)).toEqual({ owner: 'b', kind: 'rows', row: 1, depth: 2 })
    expect([indexOf(plan, 'a', 1), indexOf(plan, '', 3), indexOf(plan, 'c', 0)]).toEqual([6, 10, null])
    expect(placeAt(plan, plan.count)).toBeNull()
  })

  test('place and index are each the way back of the other', () => {
    const agents = fc.array(
      fc.record({ row: fc.nat(30), rows: fc.nat(5), host: fc.constantFrom('', 'x0', 'x1', 'x2') }),
      {
        maxLength: 4,
      },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), agents, (total, found) => {
        const open = found.map((agent, number) => ({ ...agent, agentId: `x${number}` }))
        const plan = planOf(
          { from: 0, to: total, total },
          open.filter(({ agentId, host }) => agentId !== host),
        )
        const keys = new Set<string | number>()
        for (let index = 0; index < plan.count; index++) {
          const place = placeAt(plan, index)
          keys.add(keyAt(plan, index))
          if (place?.kind === 'rows') expect(indexOf(plan, place.owner, place.row)).toBe(index)
        }
        expect(keys.size).toBe(plan.count)
      }),
      { numRuns: 300 },
    )
  })

  test('of a very long conversation, a stretch', () => {
    expect(rangeAround(0, 1000)).toEqual({ from: 0, to: 1000, total: 1000 })
    expect(rangeAround(300_000, 500_000)).toEqual({ from: 225_000, to: 375_000, total: 500_000 })
    expect(rangeAround(499_999, 500_000)).toEqual({ from: 350_000, to: 500_000, total: 500_000 })
    const plan = planOf(rangeAround(300_000, 500_000), [])
    expect([keyAt(plan, 0), keyAt(plan, 1), keyAt(plan, plan.count - 1)]).toEqual(['earlier ', 225_000, 'later '])
  })
})

test('heights: tops are sums, and every place is found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 200 }),
      fc.array(fc.tuple(fc.nat(199), fc.integer({ min: 1, max: 900 })), { maxLength: 50 }),
      (first, changes) => {
        const plain = [...first]
        const heights = newHeights(plain.length, (index) => plain[index] ?? 0)
        for (const [index, height] of changes) {
          if (index >= plain.length) continue
          expect(heights.set(index, height)).toBe(plain[index] !== height)
          plain[index] = height
        }
        let top = 0
        for (const [index, height] of plain.entries()) {
          expect(heights.topOf(index)).toBeCloseTo(top)
          expect(heights.indexAt(top)).toBe(index)
          expect(heights.indexAt(top + height - 1)).toBe(index)
          top += height
        }
        expect(heights.total()).toBeCloseTo(top)
        expect([heights.indexAt(-5), heights.indexAt(top + 5)]).toEqual([0, plain.length - 1])
      },
    ),
  )
})

describe('turns by row', () => {
  const rows = [0, 4, 5, 20, 33]
  const turn = (row: number, place: number): TurnHead => ({
    number: place + 1,
    row,
    rows: 1,
    segment: 0,
    excerpt: null,
    startedMs: null,
    endedMs: null,
    calls: 0,
    failures: 0,
  })
  const store = windowStore<TurnHead>(
    'v',
    rows.length,
    async (from) => {
      return { version: 'v', total: rows.length, from, rows: rows.map(turn).slice(from, from + 2) }
    },
    { windowRows: 2, restMs: 0 },
  )

  test('where a row belongs', async () => {
    expect(await Promise.all([0, 3, 4, 19, 40].map((row) => turnPlaceOf(store, row)))).toEqual([0, 0, 1, 2, 4])
  })

  test('the next and the previous one', async () => {
    const beside = async (row: number, step: 1 | -1): Promise<number | undefined> =>
      (await turnBeside(store, row, step))?.row
    expect([await beside(0, 1), await beside(10, 1), await beside(33, 1)]).toEqual([4, 20, undefined])
    expect([await beside(33, -1), await beside(10, -1), await beside(0, -1)]).toEqual([20, 5, undefined])
  })
})

describe('addresses', () => {
  test.each([
    ['', { ...WHOLE }, ''],
    ['reading=context&at=0.10.20', { ...WHOLE, reading: 'context', at: '0.10.20' }, ''],
    ['branch=2&q=two+words', { ...WHOLE, branch: 2 }, 'two words'],
    ['branch=-1&reading=else', { ...WHOLE }, ''],
  ])('%j', (search, choice, words) => {
    const parsed = parseAddress('id', undefined, search)
    expect(parsed).toEqual({ id: 'id', choice, words })
    const page = new URL(pageOf('id', parsed.choice, null, parsed.words), 'http://x')
    expect(parseAddress('id', undefined, page.search)).toEqual(parsed)
  })

  test('what is hostile stays a name', () => {
    expect(pageOf('../../x', { agent: 'a/b?c#d' }, '@12')).toBe('/c/..%2F..%2Fx/a%2Fb%3Fc%23d#%4012')
    expect(pageOf('a\ud800b')).toBe('/c/a%EF%BF%BDb')
    expect(apiOf('a/b', 'rows', WHOLE, { from: 0, count: 60 })).toBe('conversations/a%2Fb/rows?from=0&count=60')
    expect(['#%E0%A4%A', '#', '', '#main', '#abc', '#%4012'].map(recordOf)).toEqual([
      null,
      null,
      null,
      null,
      'abc',
      '@12',
    ])
  })
})

describe('find', () => {
  test('which words are marked', () => {
    expect(wordsOf('tide "high water" in:files -old zone*')).toEqual(['tide', 'high water', 'old', 'zone'])
    expect(placesOf('Tide and tides', ['tide'])).toEqual([
      [0, 4],
      [9, 13],
    ])
    expect(placesOf('İstanbul', ['i'])).toEqual([])
  })

  test('hits go round', () => {
    const rows = [3, 7, 9].map((row) => ({ row, uuid: null }))
    expect([hitBeside(rows, 3, 1), hitBeside(rows, 9, 1), hitBeside(rows, 3, -1), hitBeside(rows, 8, -1)]).toEqual([
      1, 0, 2, 1,
    ])
    expect(hitBeside([], 3, 1)).toBeNull()
  })
})

describe('timeline', () => {
  const minute = 60_000
  const at = (from: number, to: number): { startedMs: number; endedMs: number } => ({
    startedMs: from * minute,
    endedMs: to * minute,
  })

  test('idle time is short, work is not', () => {
    const axis = axisOf([at(0, 300), at(300, 305)], [at(0, 20), at(301, 303)])
    expect(axis.gaps).toEqual([{ fromMs: 20 * minute, toMs: 300 * minute }])
    expect(axis.placeOf(20 * minute) - axis.placeOf(0)).toBe(20 * minute)
    expect(axis.placeOf(300 * minute) - axis.placeOf(20 * minute)).toBeLessThan(minute)
    expect(axis.length).toBeLessThan(27 * minute)
  })

  test('a place leads back to its moment', () => {
    const axis = axisOf([at(0, 1), at(60, 61), at(600, 601)], [])
    for (const ms of [0, 0.5, 1, 30, 60, 60.5, 400, 600, 601])
      expect(axis.msOf(axis.placeOf(ms * minute))).toBeCloseTo(ms * minute, -1)
  })

  test('what overlaps goes into lanes, subagents below', () => {
    const span = (from: number, to: number, owner: string | null = null) =>
      ({ row: 0, name: 'x', title: '', status: 'ok', agentId: null, owner, ...at(from, to) }) as const
    const lanes = lanesOf([span(0, 2), span(1, 3), span(2, 4), span(0, 9, 'a')])
    expect(lanes.map(({ owner, spans }) => [owner, spans.length])).toEqual([
      [null, 2],
      [null, 1],
      ['a', 1],
    ])
  })
})

test('words for what is not text', () => {
  const none = { isMicro: false, trigger: null, preTokens: null, postTokens: null, tokensSaved: null }
  expect(boundaryWords({ ...none, trigger: 'auto', preTokens: 155_000, postTokens: 12_300 })).toBe(
    'Compacted · 155 k → 12 k tokens (auto)',
  )
  expect(boundaryWords({ ...none, preTokens: 900 })).toBe('Compacted · at 900 tokens')
  expect(boundaryWords({ ...none, tokensSaved: 9000 })).toBe('Compacted · 9 k tokens saved')
  expect(boundaryWords({ ...none, isMicro: true })).toBe('Old tool results cleared')
  expect(
    quietWords([
      { ref: '', label: 'progress' },
      { ref: '', label: 'progress' },
    ]),
  ).toBe('2 progress records')
  expect(
    quietWords([
      { ref: '', label: 'a' },
      { ref: '', label: 'b' },
      { ref: '', label: 'a' },
    ]),
  ).toBe('3 records')
})

test('who speaks is said where it changes', () => {
  const place = {
    opensTurn: false,
    ref: '',
    uuid: null,
    line: 0,
    ms: null,
    messageId: '',
    blocks: [],
    usage: null,
    opensReply: true,
  }
  const reply = (row: number, turn: number, model: string): RowView => ({ ...place, kind: 'reply', row, turn, model })
  const rows = [reply(0, 1, 'a'), reply(1, 1, 'a'), reply(2, 1, 'b'), reply(3, 2, 'b')]
  expect(rows.map((row) => isOtherModel(row, (before) => rows[before]))).toEqual([true, false, true, true])
})

test('folds tell who listens, and only of changes', () => {
  const folds = newFolds()
  let told = 0
  const stop = folds.subscribe(() => told++)
  folds.set('a', true)
  folds.set('a', true)
  folds.set('b', false)
  stop()
  folds.set('a', false)
  expect([told, folds.isOpen('a')]).toEqual([1, false])
})
