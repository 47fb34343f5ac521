// The event-log dialect, both ways. Whatever goes over and comes back is what it was: made-up records by the thousand,
// and all genuine transcripts where there is a corpus.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readContextTurns } from '../../src/conversation/reading.ts'
import type { Body } from '../../src/record/model.ts'
import { fromEventLog, toEventLog } from '../../src/store/event-log.ts'
import { applyPatch, patchBetween } from '../../src/store/patch.ts'
import { corpus } from '../corpus/corpus.ts'
import { bytesOf, randomOf, randomRecords } from '../random.ts'
import { wovenOf } from '../woven.ts'

const ID = 'a1b2c3d4-e5f6-4890-abcd-ef1234567890'

function numbered(): () => string {
  let last = 0
  return () => `00000000-0000-4000-8000-${String(++last).padStart(12, '0')}`
}

function toClientRecords(log: readonly Body[], sessionId = ID): readonly Body[] {
  return fromEventLog(log, { sessionId, cwd: '/home/ada', newId: numbered(), version: '2.1.325' })
}

/** As it is when it was on a disk meanwhile. */
function stored(bodies: readonly Body[]): readonly Body[] {
  return JSON.parse(JSON.stringify(bodies)) as readonly Body[]
}

/** The examples of the seed, word for word where it has any. */
const LOG: readonly Body[] = [
  {
    sessionId: ID,
    parentSessionId: 'b2c3d4e5',
    type: 'session_start',
    timestamp: '2026-03-20T10:00:00Z',
    resumedFrom: 'b2c3d4e5',
  },
  { type: 'message', role: 'user', content: 'Fix the auth bug', timestamp: '2026-03-20T10:00:01Z', sessionId: ID },
  {
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look at the auth module...' },
      { type: 'tool_use', id: 'tu_1', name: 'Read', input: { file_path: 'src/auth.ts' } },
    ],
    timestamp: '2026-03-20T10:00:03Z',
    sessionId: ID,
  },
  { type: 'tool_result', tool_use_id: 'tu_1', content: 'export …', timestamp: '2026-03-20T10:00:03Z', sessionId: ID },
  { type: 'message', role: 'assistant', content: 'Now the tests.', timestamp: '2026-03-20T10:05:20Z', sessionId: ID },
  {
    type: 'tool_use',
    sessionId: ID,
    toolName: 'Bash',
    toolInput: { command: 'npm test', description: 'Run test suite' },
    toolUseId: 'tu_abc123',
    timestamp: '2026-03-20T10:05:22Z',
  },
  {
    type: 'tool_result',
    sessionId: ID,
    toolUseId: 'tu_abc123',
    content: 'Tests: 14 passed, 2 failed',
    durationMs: 3400,
    timestamp: '2026-03-20T10:05:25Z',
  },
  {
    type: 'compaction',
    sessionId: ID,
    summary: 'Auth was fixed.',
    trigger: 'manual',
    preTokens: 900,
    postTokens: 100,
    tokensSaved: 800,
    timestamp: '2026-03-20T10:06:00Z',
  },
  {
    type: 'session_end',
    sessionId: ID,
    durationMs: 360_000,
    tokens: { input: 7, output: 9 },
    cost: 0.25,
    timestamp: '2026-03-20T10:07:00Z',
  },
]

describe('a log as client records', () => {
  const records = toClientRecords(LOG)
  const chain = records.filter(({ uuid }) => uuid !== undefined)

  test('hangs each below the one before it, and ends at the boundary', () => {
    const uuids = chain.map(({ uuid }) => uuid)
    expect(new Set(uuids).size).toBe(uuids.length)
    const parents = chain.map(({ parentUuid }) => (parentUuid === null ? null : uuids.indexOf(parentUuid)))
    expect(parents).toEqual([null, 0, 1, 2, 3, 4, 5, null, 7])
    expect(chain[7]).toMatchObject({ subtype: 'compact_boundary', logicalParentUuid: uuids[6] })
  })

  test('says what the log says', () => {
    expect(records.map(({ type, message }) => [type, (message as Body | undefined)?.['content']])).toEqual([
      ['session_start', undefined],
      ['user', 'Fix the auth bug'],
      ['assistant', [{ type: 'text', text: 'Let me look at the auth module...' }]],
      ['assistant', [{ type: 'tool_use', id: 'tu_1', name: 'Read', input: { file_path: 'src/auth.ts' } }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'tu_1', content: 'export …' }]],
      ['assistant', [{ type: 'text', text: 'Now the tests.' }]],
      ['assistant', [{ type: 'tool_use', id: 'tu_abc123', name: 'Bash', input: LOG[5]?.['toolInput'] }]],
      ['user', [{ type: 'tool_result', tool_use_id: 'tu_abc123', content: 'Tests: 14 passed, 2 failed' }]],
      ['system', undefined],
      ['user', 'Auth was fixed.'],
      ['cost-state', undefined],
    ])
    expect(records[8]).toMatchObject({ compactMetadata: { trigger: 'manual', preTokens: 900, postTokens: 100 } })
    expect(records[9]).toMatchObject({ isCompactSummary: true, isVisibleInTranscriptOnly: true })
    expect(records[10]).toMatchObject({ totalCostUSD: 0.25, totalDuration: 360_000 })
  })

  test('has the fields around each message, and one message id for each reply', () => {
    const around = { isSidechain: false, userType: 'external', entrypoint: 'cli', cwd: '/home/ada', sessionId: ID }
    for (const record of chain) expect(record).toMatchObject({ ...around, version: '2.1.325', gitBranch: '' })
    const ids = chain.filter(({ type }) => type === 'assistant').map(({ message }) => (message as Body)['id'])
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).toBe(ids[3])
    expect(ids[1]).not.toBe(ids[2])
    expect(chain[3]).toMatchObject({ sourceToolAssistantUUID: chain[2]?.['uuid'] })
  })

  test('is read by Clew without a problem', () => {
    const { woven } = wovenOf(bytesOf(records as Record<string, unknown>[]), 'file')
    expect(readContextTurns(woven).chain).toEqual(chain.slice(8).map(({ uuid }) => uuid))
  })

  test('and as a log again', () => {
    expect(toEventLog(stored(records), { sessionId: ID })).toEqual(LOG)
    expect(toEventLog(stored(toClientRecords(LOG, 'other')), { sessionId: ID })).toEqual(LOG)
  })

  test('a call that a message has already is not made twice', () => {
    const twice = [...LOG.slice(0, 3), { type: 'tool_use', toolUseId: 'tu_1', toolName: 'Read', sessionId: ID }]
    const made = toClientRecords(twice)
    expect(made.filter(({ type }) => type === 'assistant')).toHaveLength(2)
    expect(toEventLog(made, { sessionId: ID })).toEqual(twice)
  })

  test('goes on in a client and comes back with both', () => {
    const more = {
      type: 'user',
      uuid: 'new',
      parentUuid: 'x',
      sessionId: ID,
      message: { role: 'user', content: 'Go on' },
    }
    const log = toEventLog([...records, more], { sessionId: ID })
    expect(log.slice(0, -1)).toEqual(LOG)
    expect(log.at(-1)).toMatchObject({ type: 'message', role: 'user', content: 'Go on', clew: { uuid: 'new' } })
    expect(toClientRecords(log).at(-1)).toEqual(more)
  })
})

describe('client records as a log', () => {
  const at = (seconds: number): string => new Date(1_790_000_000_000 + seconds * 1000).toISOString()
  const around = { sessionId: ID, isSidechain: false, cwd: '/home/ada' }
  const usage = { input_tokens: 3, output_tokens: 4 }
  const reply = (uuid: string, parentUuid: string, seconds: number, block: Body): Body => {
    const message = { id: 'msg_1', role: 'assistant', model: 'm', content: [block], usage }
    return { ...around, type: 'assistant', uuid, parentUuid, timestamp: at(seconds), message, requestId: 'r' }
  }
  const result = { type: 'tool_result', tool_use_id: 't', content: 'ok', is_error: true }
  const forkedFrom = { sessionId: 'origin', messageUuid: 'o' }
  const client: readonly Body[] = [
    { type: 'mode', mode: 'plan', sessionId: ID },
    {
      ...around,
      type: 'user',
      uuid: '1',
      parentUuid: null,
      timestamp: at(1),
      message: { role: 'user', content: 'Hi' },
      forkedFrom,
    },
    { ...around, type: 'attachment', uuid: '2', parentUuid: '1', timestamp: at(1), attachment: { type: 'date' } },
    reply('3', '2', 2, { type: 'text', text: 'Hello' }),
    reply('4', '3', 2, { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }),
    {
      ...around,
      type: 'user',
      uuid: '5',
      parentUuid: '4',
      timestamp: at(5),
      message: { role: 'user', content: [result] },
    },
    {
      ...around,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: '6',
      parentUuid: null,
      logicalParentUuid: '5',
      timestamp: at(6),
      compactMetadata: { trigger: 'auto', preTokens: 50, postTokens: 20, durationMs: 7 },
    },
    { ...around, type: 'attachment', uuid: '7', parentUuid: '6', timestamp: at(6), attachment: { type: 'date' } },
    {
      ...around,
      type: 'user',
      uuid: '8',
      parentUuid: '7',
      timestamp: at(7),
      isCompactSummary: true,
      message: { role: 'user', content: 'Recap' },
    },
    {
      type: 'cost-state',
      sessionId: ID,
      totalCostUSD: 0.5,
      totalDuration: 9,
      modelUsage: { m: { inputTokens: 1, outputTokens: 2 }, n: { inputTokens: 10, cacheReadInputTokens: 5 } },
    },
  ]

  test('say what the dialect can say', () => {
    const log = toEventLog(client, { sessionId: ID })
    const plain = log.map(({ clew: _, ...said }) => said)
    expect(plain).toEqual([
      {
        type: 'session_start',
        sessionId: ID,
        timestamp: at(1),
        cwd: '/home/ada',
        parentSessionId: 'origin',
        resumedFrom: 'origin',
      },
      client[0],
      { type: 'message', role: 'user', content: 'Hi', sessionId: ID, timestamp: at(1) },
      client[2],
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hello' }],
        sessionId: ID,
        timestamp: at(2),
      },
      {
        type: 'tool_use',
        toolUseId: 't',
        toolName: 'Bash',
        toolInput: { command: 'ls' },
        sessionId: ID,
        timestamp: at(2),
      },
      {
        type: 'tool_result',
        toolUseId: 't',
        content: 'ok',
        isError: true,
        durationMs: 3000,
        sessionId: ID,
        timestamp: at(5),
      },
      {
        type: 'compaction',
        summary: 'Recap',
        trigger: 'auto',
        preTokens: 50,
        postTokens: 20,
        tokensSaved: 30,
        sessionId: ID,
        timestamp: at(6),
      },
      client[7],
      {
        type: 'session_end',
        durationMs: 9,
        tokens: { input: 11, output: 2, cacheRead: 5, cacheCreation: 0 },
        cost: 0.5,
        sessionId: ID,
        timestamp: at(6),
      },
    ])
    expect(log[4]?.['clew']).toMatchObject({ uuid: '3', parentUuid: '2', messageId: 'msg_1', model: 'm', usage })
  })

  test('and come back as they were, under another id too', () => {
    expect(toClientRecords(stored(toEventLog(client, { sessionId: ID })))).toEqual(client)
    const elsewhere = toClientRecords(stored(toEventLog(client, { sessionId: 'other' })), 'third')
    expect(elsewhere).toEqual(client.map((record) => ({ ...record, sessionId: 'third' })))
  })

  test('nothing is nothing', () => {
    expect(toEventLog([], { sessionId: ID })).toEqual([])
    expect(toClientRecords([])).toEqual([])
  })
})

describe('round trips', () => {
  test('of 3000 random transcripts', () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const records = stored(randomRecords(randomOf(seed), ID))
      expect(toClientRecords(stored(toEventLog(records, { sessionId: ID }))), `seed ${seed}`).toEqual(records)
    }
  })

  const json = fc.jsonValue({ maxDepth: 2 })
  const optional = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
    fc.option(value, { nil: undefined }).map((made) => (made === undefined ? {} : { [key]: made }))
  const odd = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof({ weight: 9, arbitrary: value }, json)
  const joined = (...parts: readonly fc.Arbitrary<Body>[]): fc.Arbitrary<Body> =>
    fc.tuple(...parts).map((made) => Object.assign({}, ...made) as Body)
  const timestamp = fc
    .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    .map((date) => date.toISOString())
  const callId = fc.constantFrom('tu_1', 'tu_2', 'tu_3', 'tu_4')
  const said = fc.string({ unit: 'grapheme' })
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text: said }),
    fc.record({ type: fc.constant('thinking'), thinking: said, signature: said }),
    fc.record({ type: fc.constant('tool_use'), id: callId, name: said, input: fc.dictionary(said, json) }),
    fc.record({ type: fc.constant('tool_result'), tool_use_id: callId, content: said }),
    json,
  )
  const around = joined(
    optional('timestamp', odd(timestamp)),
    optional('sessionId', odd(fc.constant(ID))),
    optional('extra', json),
  )
  const tokens = fc.nat()
  const idKey = fc.constantFrom('toolUseId', 'tool_use_id', 'id')
  const id = fc.tuple(idKey, odd(callId)).map(([key, value]): Body => ({ [key]: value }))
  const logRecord: fc.Arbitrary<Body> = fc.oneof(
    joined(
      fc.record({ type: fc.constant('message'), role: fc.constantFrom('user', 'assistant', 'system') }),
      optional('content', odd(fc.oneof(said, fc.array(block, { maxLength: 4 })))),
      optional('model', odd(said)),
      optional('usage', odd(fc.record({ input_tokens: tokens, output_tokens: tokens }))),
      around,
    ),
    joined(
      fc.constant({ type: 'tool_use' }),
      id,
      optional('toolName', odd(said)),
      optional('name', odd(said)),
      optional('toolInput', json),
      around,
    ),
    joined(
      fc.constant({ type: 'tool_result' }),
      id,
      optional('content', odd(fc.oneof(said, fc.array(block)))),
      optional('durationMs', odd(tokens)),
      optional('isError', fc.oneof(fc.boolean(), json)),
      around,
    ),
    joined(
      fc.constant({ type: 'compaction' }),
      optional('summary', odd(said)),
      optional('trigger', odd(fc.constantFrom('auto', 'manual', 'threshold'))),
      optional('preTokens', odd(tokens)),
      optional('postTokens', odd(tokens)),
      optional('tokensSaved', odd(tokens)),
      around,
    ),
    joined(
      fc.constant({ type: 'session_end' }),
      optional('durationMs', odd(tokens)),
      optional('tokens', odd(fc.oneof(tokens, fc.record({ input: tokens, output: tokens })))),
      optional('cost', odd(fc.double({ noNaN: true, noDefaultInfinity: true }))),
      around,
    ),
    joined(fc.constant({ type: 'session_start' }), optional('parentSessionId', said), around),
    joined(fc.constant({ type: 'something-new' }), around),
  )

  test('of logs nobody would write', () => {
    fc.assert(
      fc.property(fc.array(logRecord, { maxLength: 12 }), (made) => {
        const log = stored(made)
        const sessionId = sessionOf(ID, log)
        expect(toEventLog(stored(toClientRecords(log, sessionId)), { sessionId })).toEqual(log)
      }),
      { numRuns: 3000 },
    )
  })

  test('of what is made from such logs: one block each, all uuids known, none twice', () => {
    fc.assert(
      fc.property(fc.array(logRecord, { maxLength: 12 }), (made) => {
        const client = toClientRecords(stored(made)).filter((record) => 'parentUuid' in record)
        const uuids = new Set<unknown>()
        for (const { type, uuid, parentUuid, message } of client) {
          expect(parentUuid === null || uuids.has(parentUuid)).toBe(true)
          expect(uuids.has(uuid)).toBe(false)
          uuids.add(uuid)
          if (type === 'assistant') expect(((message as Body)['content'] as unknown[]).length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('of patches', () => {
    const body = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', '0'), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(body, body, (one, other) => {
        const [from = {}, to = {}] = stored([one, other])
        const patch = patchBetween(from, to)
        expect(applyPatch(from, patch === null ? null : JSON.parse(JSON.stringify(patch)))).toStrictEqual(to)
      }),
      { numRuns: 3000 },
    )
    fc.assert(fc.property(body, fc.jsonValue(), (value, patch) => void applyPatch(value, patch)))
  })

  test('hostile marks do no harm', () => {
    const mark = fc.dictionary(
      fc.constantFrom('log', 'client', 'partOf', 'gap', 'made', 'isText', 'uuid', 'parentUuid'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(logRecord, mark), { maxLength: 6 }), (made) => {
        const bodies = stored(made.map(([record, clew]) => ({ ...record, clew })))
        toEventLog(toClientRecords(bodies), { sessionId: ID })
        toClientRecords(toEventLog(bodies, { sessionId: ID }))
      }),
      { numRuns: 1000 },
    )
  })
})

const client = corpus === null ? null : join(corpus, 'client')

describe.runIf(client !== null)('genuine transcripts', () => {
  const paths = client === null ? [] : transcriptsBelow(client)

  test(`all ${paths.length} come back as they were`, () => {
    expect(paths.length).toBeGreaterThan(100)
    const counts: Record<string, number> = {}
    for (const path of paths) {
      const records = recordsOf(path)
      const sessionId = sessionOf(path, records)
      const log = stored(toEventLog(records, { sessionId }))
      for (const { type } of log) counts[String(type)] = (counts[String(type)] ?? 0) + 1
      expect(toClientRecords(log, sessionId), path).toEqual(records)
    }
    for (const type of ['session_start', 'message', 'tool_use', 'tool_result', 'compaction', 'session_end'])
      expect(counts[type], type).toBeGreaterThan(20)
    expect(counts['user'] ?? 0).toBe(0)
    expect(counts['assistant'] ?? 0).toBe(0)
  })

  test('what the dialect alone says of them makes a chain, and comes back too', () => {
    for (const path of paths) {
      const sessionId = sessionOf(path, recordsOf(path))
      const DIALECT = new Set(['session_start', 'message', 'tool_use', 'tool_result', 'compaction', 'session_end'])
      const log = toEventLog(recordsOf(path), { sessionId })
        .filter(({ type }) => DIALECT.has(String(type)))
        .map(({ clew: _, ...said }) => said)
      expect(toEventLog(stored(toClientRecords(log, sessionId)), { sessionId }), path).toEqual(log)
    }
  })
})

function transcriptsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && basename(name) !== 'journal.jsonl')
    .map((name) => join(folder, name))
}

/** A subagent's file has the session of its caller. */
function sessionOf(path: string, records: readonly Body[]): string {
  const ids = records.flatMap(({ sessionId }) => (typeof sessionId === 'string' ? sessionId : []))
  const name = basename(path, '.jsonl')
  return ids.includes(name) ? name : (ids[0] ?? name)
}

function recordsOf(path: string): readonly Body[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Body]
      } catch {
        return []
      }
    })
}
