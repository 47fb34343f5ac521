// The plan itself: what is copied and what is changed, what is refused, and what is said about the transcript.

import { describe, expect, test } from 'vitest'
import { prognosisOf } from '../../src/mend/plan.ts'
import { changed, GONE, kept, longTalk } from './damage.ts'
import {
  boundary,
  bytesOf,
  call,
  compacted,
  link,
  recap,
  reply,
  result,
  SESSION,
  talk,
  text,
  timed,
  user,
} from './healthy.ts'
import { repair, stepsOf } from './repair.ts'
import { SHAPES } from './shapes.ts'

function linesOf(bytes: Buffer): readonly string[] {
  return bytes.toString().split('\n')
}

/** A compaction that kept these, by a list or by their ends, and nothing behind its Recap. */
function keptCalls(kept: readonly string[], isList: boolean): Buffer {
  const all = [
    user('u1', null, 'When is high water at the lock?'),
    reply('a2', null, 'm2', call('T1')),
    reply('a3', null, 'm2', call('T2')),
    result('r1', null, 'T1', 'lock 06:40'),
    reply('a4', null, 'm4', text('At 06:40, I think.')),
    user('u5', null, 'And in the harbour?'),
    reply('a6', null, 'm6', text('Later.')),
    result('r2', null, 'T2', 'harbour 06:55'),
  ].filter(({ uuid }) => uuid === 'u1' || kept.includes(String(uuid)))
  const chain = all.map((one, at) => ({ ...one, parentUuid: all[at - 1]?.['uuid'] ?? null }))
  const keeps = isList
    ? { preservedMessages: { anchorUuid: 'sum', uuids: kept } }
    : { preservedSegment: { headUuid: kept[0], anchorUuid: 'sum', tailUuid: kept.at(-1) } }
  return bytesOf(timed([...chain, boundary('cb', kept.at(-1) ?? null, keeps), recap('sum', 'cb')]))
}

/** Results of kept calls are kept too: anywhere else they hide what was kept, and the client goes on from the Recap alone. */
describe.each<[string, readonly string[], number]>([
  ['one of two calls without a result', ['a2', 'a3', 'r1'], 1],
  ['two of two', ['a2', 'a3'], 2],
  ['a text behind them', ['a2', 'a3', 'r1', 'a4'], 1],
  ['a prompt behind them', ['a2', 'a3', 'u5'], 2],
  ['a result behind an answer', ['a3', 'u5', 'a6', 'r2'], 0],
])('a compaction that kept %s', (_, kept, answers) => {
  test.each([true, false])('all that was sent is sent, by a list: %s', (isList) => {
    const { plan, broken } = repair(keptCalls(kept, isList))
    expect([broken, plan.refusals]).toEqual([[], []])
    expect(plan.before.troubles).not.toEqual([])
    expect(plan.after).toMatchObject({ sent: plan.before.sent + answers, troubles: [] })
  })
})

describe('bytes', () => {
  test('a changed record keeps its unknown fields, its order and its spelling', () => {
    const odd = `{ "zeta" : 1.50, "parentUuid":"${GONE}" , "type":"user","uuid":"u9","isSidechain":false,"sessionId":"${SESSION}","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"\\u00e9 \\/ x"},"new-thing":{"deep":[1e3,{}]}}`
    const source = Buffer.concat([bytesOf(talk()), Buffer.from(`${odd}\n`)])
    const { result } = repair(source)
    expect(linesOf(result).slice(0, 20)).toEqual(linesOf(source).slice(0, 20))
    expect(linesOf(result)[20]).toBe(odd.replace(`"${GONE}"`, '"c1"'))
  })

  test('records that need nothing are copied byte for byte, in all shapes', () => {
    for (const { bytes } of SHAPES.slice(0, 40)) {
      const source = bytes()
      const { plan, result } = repair(source)
      const touched = new Set(plan.steps.flatMap(({ before, after }) => [...before, ...after].map(({ line }) => line)))
      const untouched = linesOf(source).filter((line, index) => line !== '' && !touched.has(index + 1))
      const now = new Set(linesOf(result))
      expect(untouched.filter((line) => !now.has(line))).toEqual([])
    }
  })

  test('a new session has its own id in every record, and each says where it came from', () => {
    const source = changed(talk(), 'u2', { parentUuid: GONE, session_id: SESSION })
    const { bytes, plan } = repair(source)
    const target = { kind: 'new-session', sessionId: 'new-id', fromSessionId: plan.sessionId } as const
    const result = Buffer.concat([...bytes(target)])
    const records = linesOf(result)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(records).toHaveLength(20)
    expect(result.includes(`"session_id":"new-id"`)).toBe(true)
    for (const record of records) {
      expect(record['sessionId']).toBe('new-id')
      const from = 'uuid' in record ? { sessionId: SESSION, messageUuid: record['uuid'] } : undefined
      expect(record['forkedFrom']).toEqual(from)
    }
    expect(repair(result).plan.steps).toEqual([])
  })

  test('only what was asked for is mended', () => {
    const shape = SHAPES.at(-1)
    const source = shape?.bytes() ?? Buffer.alloc(0)
    const { plan, result, broken } = repair(source, { fixes: ['surrogates', 'chain'] })
    expect(stepsOf({ plan, bytes: () => [] })).toEqual(['missing-parent 10', 'lone-surrogate 6'])
    expect(linesOf(result)[7]).toBe(linesOf(source)[7])
    expect(broken).toEqual([])
  })

  test('what is taken out is named by its place', () => {
    const source = Buffer.concat([bytesOf(talk()), Buffer.from('{"type":"mode","mo\n')])
    const [only, ...others] = repair(source).plan.quarantine
    expect(others).toEqual([])
    const { offset = 0, length = 0 } = only ?? {}
    expect(source.subarray(offset, offset + length).toString()).toBe('{"type":"mode","mo\n')
  })
})

test('a conversation that would become shorter is refused', () => {
  const side = [user('v1', 'u0', 'One more.'), reply('v2', 'v1', 'm99', text('Yes?'))]
  const source = bytesOf(timed([...longTalk(30), { type: 'last-prompt', leafUuid: 'a29', lastPrompt: 'x' }, ...side]))
  const { plan } = repair(source)
  expect(stepsOf({ plan, bytes: () => [] })).toEqual(['stale-pointer 60'])
  expect(plan.refusals).toEqual([
    { code: 'would-shrink', message: 'the client would come to 3 messages instead of 60' },
  ])
  expect(repair(source, { mayShrink: true }).plan.refusals).toEqual([])
})

test('UTF-16 is refused', () => {
  const source = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytesOf(talk()).toString(), 'utf16le')])
  expect(repair(source).plan.refusals.map(({ code }) => code)).toEqual(['utf-16'])
})

describe('the prognosis', () => {
  test('of a talk in good health', () => {
    const { outcome, fixes, health } = prognosisOf(repair(bytesOf(talk())).plan)
    expect({ outcome, fixes }).toEqual({ outcome: 'whole', fixes: [] })
    expect(health).toMatchObject({ records: 16, reachable: 16, sent: 16, listed: 16, islands: [], hiddenBy: null })
    expect(health.tip).toEqual({ uuid: 'c1', line: 19 })
  })

  test('of a talk in pieces', () => {
    // They are a minute apart, so that the client itself does not join them.
    const records = longTalk(20).map((record, index) => ({
      ...record,
      parentUuid: index > 0 && index % 10 === 0 ? `${GONE}-${index}` : record['parentUuid'],
      timestamp: new Date(1_790_000_000_000 + index * 1000 + Math.floor(index / 10) * 60_000).toISOString(),
    }))
    const { outcome, fixes, steps, health, repaired } = prognosisOf(repair(bytesOf(records)).plan)
    expect({ outcome, fixes, steps }).toEqual({
      outcome: 'cut-short',
      fixes: ['chain'],
      steps: { 'missing-parent': 3 },
    })
    expect(health).toMatchObject({ records: 40, reachable: 10 })
    expect(health.islands.map((island) => island.records)).toEqual([10, 10, 10])
    expect(repaired).toMatchObject({ records: 40, reachable: 40, islands: [] })
  })

  test.each([
    ['a call in the middle that nobody answered', 'refused', 'pairs'],
    ['half a character', 'refused', 'surrogates'],
    ['a late attachment below an early message', 'cut-short', 'tip'],
    ['a pointer to a branch that was left', 'cut-short', 'tip'],
    ['the first two records in a circle', 'whole', 'chain'],
  ])('of %s', (name, outcome, fix) => {
    const source = SHAPES.find((shape) => shape.name === name)?.bytes() ?? Buffer.alloc(0)
    const prognosis = prognosisOf(repair(source).plan)
    expect([prognosis.outcome, prognosis.fixes]).toEqual([outcome, [fix]])
  })
})

test('a late note hides nothing from a client that goes on behind kept messages, only from the SDK', () => {
  const note = { ...link('t9', 'u3', 'attachment'), attachment: { type: 'date', date: '2026-11-02' } }
  const { plan } = repair(bytesOf(timed([...compacted(), note])))
  expect(plan.steps.map(({ code }) => code)).toEqual(['stray-late-record'])
  const { hiddenBy, tip, fileTip } = plan.before
  expect([hiddenBy, tip?.uuid, fileTip?.uuid]).toEqual([null, 'a3', 'u3'])
})

test('what a kept stretch that is not whole means is told of both official readers', () => {
  const segment = { headUuid: GONE, anchorUuid: 'sum', tailUuid: 'a2' }
  const { plan } = repair(kept(compacted(), { preservedSegment: segment }))
  const [{ code, why } = { code: null, why: '' }] = plan.steps
  expect(code).toBe('kept-off-chain')
  expect(why).toMatch(/the client leaves out all of them, the SDK/)
})
