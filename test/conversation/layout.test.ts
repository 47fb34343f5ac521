// The laws of a Layout: every record of a Reading stands in one Row and one place, in the order in which parts are shown;
// packed and unpacked it is the same; and one that grew record by record is the one that is made of all records at once.

import { describe, expect, test } from 'vitest'
import { GrowingLayout } from '../../src/conversation/growing-layout.ts'
import type { Layout, Row, Spot } from '../../src/conversation/layout.ts'
import { layoutOf, uuidKey } from '../../src/conversation/layout.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import type { ReadingLayout } from '../../src/conversation/reading-layout.ts'
import { readingLayout } from '../../src/conversation/reading-layout.ts'
import type { Envelope } from '../../src/record/model.ts'
import { packRows, packTurns, unpackRows, unpackTurns } from '../../src/search/layout-page.ts'
import { randomOf, randomRecords } from '../random.ts'
import { wovenOf } from '../woven.ts'
import { transcriptBytes } from './transcripts.ts'

function bytesOf(records: readonly unknown[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

function spotsOf({ record, further, calls }: Row): readonly Spot[] {
  return [record, ...further, ...calls.flatMap(({ result }) => result ?? [])]
}

function checkLayout(layout: Layout, records: ReadonlySet<number>): void {
  const offsets = layout.rows.flatMap((row) => spotsOf(row).map(({ offset }) => offset))
  // One result may answer several calls.
  expect(new Set(offsets)).toEqual(records)
  const own = layout.rows.flatMap(({ record, further }) => [record, ...further].map(({ offset }) => offset))
  expect(new Set(own).size).toBe(own.length)
  let next = 0
  for (const turn of layout.turns) {
    expect(turn.row).toBe(next)
    next += turn.rows
    for (const row of layout.rows.slice(turn.row, next)) expect(row.turn).toBe(turn.number)
  }
  expect(next).toBe(layout.rows.length)
}

const RANDOM = Array.from({ length: 300 }, (_, seed) => seed)

describe('random transcripts', () => {
  test('every record of a Reading stands in one Row', () => {
    for (const seed of RANDOM) {
      const { woven } = wovenOf(bytesOf(randomRecords(randomOf(seed), `s${seed}`, 60)))
      const readings = [readContextTurns(woven), ...woven.outline.branches.keys()].map((one) =>
        typeof one === 'number' ? readFull(woven, one) : one,
      )
      for (const { turns } of readings) {
        const records = turns.flatMap((turn) => turn.records.map(({ envelope }) => envelope.offset))
        const results = turns.flatMap((turn) => turn.toolCalls.flatMap(({ result }) => result?.envelope.offset ?? []))
        checkLayout(layoutOf(turns), new Set([...records, ...results]))
      }
    }
  })

  test('packed and unpacked it is the same', () => {
    for (const seed of RANDOM) {
      const { rows, turns } = layoutOf(
        readFull(wovenOf(bytesOf(randomRecords(randomOf(seed), `s${seed}`, 60))).woven).turns,
      )
      expect(unpackRows(packRows(rows))).toEqual(rows)
      expect(unpackTurns(packTurns(turns))).toEqual(turns)
    }
  })

  test('one that grows is the one that is made at once', () => {
    let taken = 0
    for (const seed of RANDOM) {
      const records = randomRecords(randomOf(seed + 1000), `s${seed}`, 40)
      // A copy of a record of long ago is taken for a new one until the index has seen it: the server compares.
      const uuids = records.flatMap(({ uuid }) => uuid ?? [])
      if (new Set(uuids).size < uuids.length) continue
      taken += grow(bytesOf(records)).taken
    }
    expect(taken).toBeGreaterThan(300)
  })
})

describe.each(transcriptBytes())('%s', (_, read) => {
  test('every record of the live Branch stands in one Row, and growing makes no difference', () => {
    const bytes = read()
    const { turns } = readFull(wovenOf(bytes).woven)
    const records = turns.flatMap((turn) => turn.records.map(({ envelope }) => envelope.offset))
    const results = turns.flatMap((turn) => turn.toolCalls.flatMap(({ result }) => result?.envelope.offset ?? []))
    checkLayout(layoutOf(turns), new Set([...records, ...results]))
    grow(bytes)
  })
})

test('what a client writes turn by turn is taken without being woven again', () => {
  const { taken, declined } = grow(plainSession(40))
  expect(declined).toBe(0)
  expect(taken).toBe(FOLLOWED)
})

test('forks are marked where Branches leave', () => {
  const records = [
    { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'one' } },
    { type: 'assistant', uuid: 'b', parentUuid: 'a', message: { id: 'm1', role: 'assistant', content: [] } },
    { type: 'user', uuid: 'c', parentUuid: 'b', message: { role: 'user', content: 'two' } },
    { type: 'assistant', uuid: 'd', parentUuid: 'c', message: { id: 'm2', role: 'assistant', content: [] } },
    { type: 'user', uuid: 'e', parentUuid: 'b', message: { role: 'user', content: 'another two' } },
    { type: 'assistant', uuid: 'f', parentUuid: 'e', message: { id: 'm3', role: 'assistant', content: [] } },
  ].map((record, index) => ({ ...record, sessionId: 's', timestamp: new Date(1.79e12 + index).toISOString() }))
  const { woven } = wovenOf(bytesOf(records))
  const live = readingLayout(woven, readFull(woven))
  expect(live.forks).toEqual([{ row: 1, branches: [1] }])
  expect(live.branches).toMatchObject([
    { number: 0, parent: null },
    { number: 1, parent: 0, forkUuid: 'b', tipUuid: 'd', turns: 1 },
  ])
  expect(readingLayout(woven, readFull(woven, 1)).forks).toEqual([{ row: 1, branches: [0] }])
})

test('a uuid is found by its first eight digits', () => {
  expect(uuidKey('06a5b27f-a1fe-4667-a6c7-68d4ac4314e8')).toBe(0x06a5b27f)
  expect(uuidKey(null)).toBe(0)
  expect(uuidKey('s1-3')).not.toBe(uuidKey('s1-4'))
})

const FOLLOWED = 150

/** Prefixes grow record by record; what is declined is made anew. Every step equals what is made at once. */
function grow(bytes: Uint8Array): { readonly taken: number; readonly declined: number } {
  const { envelopes } = wovenOf(bytes).read
  const madeOf = (count: number): ReadingLayout => {
    const end = envelopes[count - 1]
    const { woven } = wovenOf(bytes.subarray(0, end === undefined ? 0 : end.offset + end.length))
    return readingLayout(woven, readFull(woven))
  }
  let [taken, declined] = [0, 0]
  // Long ones are followed from their last records on: every step is compared with a whole weaving.
  let count = Math.max(1, envelopes.length - (bytes.length > 200_000 ? FOLLOWED / 5 : FOLLOWED))
  let base = madeOf(count)
  let layout = continued(base, envelopes.slice(0, count))
  for (; count < envelopes.length; count++) {
    const made = madeOf(count + 1)
    if (layout?.add(envelopes[count] as Envelope) === true) {
      taken++
      const first = layout.turns[0]?.row ?? 0
      expect({
        rows: [...base.rows.slice(0, first), ...layout.rows],
        turns: [...base.turns.slice(0, -1), ...layout.turns],
      }).toEqual({
        rows: made.rows,
        turns: made.turns,
      })
    } else {
      declined++
      base = made
      layout = continued(base, envelopes.slice(0, count + 1))
    }
  }
  return { taken, declined }
}

function continued(base: ReadingLayout, envelopes: readonly Envelope[]): GrowingLayout | null {
  const turn = base.turns.at(-1)
  if (turn === undefined) return null
  const rows = base.rows.slice(turn.row)
  const byOffset = new Map(envelopes.map((envelope) => [envelope.offset, envelope]))
  const named = new Map(
    rows.filter(({ kind }) => kind === 'reply').map((row) => [row, byOffset.get(row.record.offset) as Envelope]),
  )
  return new GrowingLayout({
    turn,
    rows,
    named,
    hasBoundary: base.boundaries.some(({ row }) => row >= turn.row),
    growth: base.growth,
  })
}

/** Turns as clients of today write them: a prompt, parallel calls, their results, a reply, a note of how long it took. */
function plainSession(turns: number): Buffer {
  const records: unknown[] = []
  let parent: string | null = null
  let clock = 1.79e12
  const add = (type: string, fields: object, under = parent): string => {
    const uuid = `${(records.length + 1).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    clock += 1000
    const time = new Date(clock).toISOString()
    records.push({ parentUuid: under, isSidechain: false, type, uuid, timestamp: time, sessionId: 's', ...fields })
    parent = uuid
    return uuid
  }
  const call = (id: string): object => ({ type: 'tool_use', id, name: 'Read', input: { file_path: id } })
  for (let turn = 0; turn < turns; turn++) {
    add('user', { message: { role: 'user', content: `prompt ${turn}` } })
    add('attachment', { attachment: { type: 'date', content: 'today' } })
    const usage = { input_tokens: 3, output_tokens: turn }
    const one = add('assistant', {
      message: { id: `m${turn}`, role: 'assistant', content: [call(`t${turn}a`)], usage },
    })
    const two = add('assistant', {
      message: { id: `m${turn}`, role: 'assistant', content: [call(`t${turn}b`)], usage },
    })
    const result = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
    add('user', { message: { role: 'user', content: [result(`t${turn}a`)] } }, one)
    add('user', { message: { role: 'user', content: [result(`t${turn}b`)] } }, two)
    add('assistant', { message: { id: `n${turn}`, role: 'assistant', content: [{ type: 'text', text: 'so' }], usage } })
    add('system', { subtype: 'turn_duration', durationMs: 5 })
  }
  return bytesOf(records)
}
