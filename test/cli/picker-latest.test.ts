// Questions that take a while, asked by somebody who moves on.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer, Latest } from '../../src/cli/latest.ts'
import { openLatest } from '../../src/cli/latest.ts'
import { openPreviews } from '../../src/cli/picker-previews.ts'
import { hitOf, rowOf } from './picker-rows.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Asking {
  readonly latest: Latest
  readonly asked: readonly string[]
  readonly told: readonly (readonly [string, Answer<string>])[]
  readonly answer: (question: string) => Promise<void>
}

function openAsking(): Asking {
  const asked: string[] = []
  const told: (readonly [string, Answer<string>])[] = []
  const waiting = new Map<string, () => void>()
  const ask = (question: string): Promise<string> => {
    asked.push(question)
    if (question === 'bad') throw new Error('no such thing')
    return new Promise((resolve) => waiting.set(question, () => resolve(`${question}!`)))
  }
  const latest = openLatest(ask, 100, (question, answer) => told.push([question, answer]))
  const answer = async (question: string): Promise<void> => {
    waiting.get(question)?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { latest, asked, told, answer }
}

test('what is wanted only in passing is never asked for', async () => {
  const { latest, asked, told, answer } = openAsking()
  for (const question of ['a', 'ab', 'abc']) {
    latest.want(question)
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toEqual(['abc'])
  await answer('abc')
  expect(told).toEqual([['abc', { value: 'abc!' }]])
})

test('to want it again while it is on its way asks once', async () => {
  const { latest, asked, told, answer } = openAsking()
  latest.want('a')
  await vi.advanceTimersByTimeAsync(100)
  latest.want('a')
  latest.want(null)
  latest.want('a')
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toEqual(['a'])
  await answer('a')
  expect(told).toHaveLength(1)
})

test('no more than two run at once, and the last one wanted is next', async () => {
  const { latest, asked, answer } = openAsking()
  for (const question of ['a', 'b', 'c', 'd']) {
    latest.want(question)
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(asked).toEqual(['a', 'b'])
  await answer('b')
  expect(asked).toEqual(['a', 'b', 'd'])
})

test('a failure is an answer, also one that is thrown at once', async () => {
  const { latest, told } = openAsking()
  latest.want('bad')
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual([['bad', { failed: 'no such thing' }]])
})

test('after the end nobody is told and nothing is asked', async () => {
  const { latest, asked, told, answer } = openAsking()
  latest.want('a')
  await vi.advanceTimersByTimeAsync(100)
  latest.want('b')
  latest.close()
  await vi.advanceTimersByTimeAsync(1000)
  await answer('a')
  expect([asked, told]).toEqual([['a'], []])
  expect(vi.getTimerCount()).toBe(0)
})

test('a preview is read once, kept, and begins where a hit is', async () => {
  const [one, other] = [rowOf({ sessionId: 'one' }), rowOf({ sessionId: 'other' })]
  const asked: string[] = []
  let arrivals = 0
  const preview = async (row: typeof one): Promise<string> => {
    asked.push(row.sessionId)
    return Array.from({ length: 100 }, (_, line) => `${row.sessionId} ${line}`).join('\n')
  }
  const previews = openPreviews({ rows: [one, other], preview }, 50, () => arrivals++)
  const area = { column: 0, row: 0, columns: 40, rows: 12, place: 'below', textRows: 10 } as const
  expect(previews.look(one, null, area, 0).shown.state).toBe('reading')
  expect(previews.look(other, null, area, 0).shown.state).toBe('reading')
  await vi.advanceTimersByTimeAsync(50)
  expect(asked).toEqual(['other'])
  expect(arrivals).toBe(1)
  const { shown, reach } = previews.look(other, null, area, 3)
  expect(shown).toMatchObject({ state: 'ready', top: 3 })
  expect(reach).toEqual({ previewRows: 10, scrollMin: 0, scrollMax: 90 })
  const hit = hitOf({ sessionId: 'other', snippet: 'other 50', marks: [[6, 8]] })
  expect(previews.look(other, hit, area, -2)).toMatchObject({
    shown: { top: 47 },
    reach: { scrollMin: -49, scrollMax: 41 },
  })
  expect(previews.look(other, null, area, 999).shown.top).toBe(90)
  expect(previews.look(null, hit, area, 0).shown.lines).toEqual([{ text: 'other 50', tone: 'plain' }])
  expect(previews.look(one, null, null, 0).shown.state).toBe('reading')
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toEqual(['other'])
})
