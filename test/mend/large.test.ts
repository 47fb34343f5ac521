// Many records, each of them damaged: nothing is quadratic and nothing recurses.

import { expect, test } from 'vitest'
import { planRepair } from '../../src/mend/plan.ts'
import { bytesInMemory } from '../../src/mend/transcript-bytes.ts'
import { GONE, longTalk } from './damage.ts'
import type { Made } from './healthy.ts'
import { bytesOf, call, reply, system, text, user } from './healthy.ts'

const TURNS = 3000
const SECONDS = 30

const MANY: Readonly<Record<string, () => readonly Made[]>> = {
  'parents never written': () => longTalk(TURNS).map((one, at) => ({ ...one, parentUuid: `${GONE}-${at}` })),
  'records that are their own parents': () => longTalk(TURNS).map((one) => ({ ...one, parentUuid: one['uuid'] })),
  'copies of one record': () => [...longTalk(1), ...Array.from({ length: TURNS }, () => longTalk(1)[1] as Made)],
  'copies that differ': () => [
    ...longTalk(1),
    ...Array.from({ length: TURNS }, (_, at) => reply('a0', null, 'm0', text(`Answer ${at}`))),
  ],
  'a whole replay': () => [...longTalk(TURNS), ...longTalk(TURNS)],
  'children written before their parents': () => longTalk(TURNS).reverse(),
  'calls that nobody answered': () => longTalk(TURNS).map((one, at) => (at % 2 === 1 ? unanswered(one, at) : one)),
  'failed requests with something below each': () => [
    user('u', null, 'Go'),
    system('e', 'u', 'api_error'),
    reply('a', 'u', 'm', text('Here.')),
    ...Array.from({ length: TURNS }, (_, at) => user(`v${at}`, 'e', `More ${at}`)),
  ],
  'thinking without a signature': () => longTalk(TURNS).map((one, at) => (at % 2 === 1 ? withThinking(one, at) : one)),
}

function unanswered(one: Made, at: number): Made {
  return reply(String(one['uuid']), String(one['parentUuid']), `m${at}`, call(`T${at}`))
}

function withThinking(one: Made, at: number): Made {
  return reply(String(one['uuid']), String(one['parentUuid']), `m${at}`, { type: 'thinking', thinking: 'Hm.' })
}

test.each(Object.keys(MANY))('%s', { timeout: 120_000 }, (name) => {
  const source = bytesOf((MANY[name] as () => readonly Made[])())
  let made = 0
  const options = { nowMs: 0, newId: () => `made-${++made}`, mayShrink: true }
  const started = performance.now()
  const { plan, bytes } = planRepair(bytesInMemory(source), options)
  const result = Buffer.concat([...bytes({ kind: 'in-place' })])
  expect((performance.now() - started) / 1000).toBeLessThan(SECONDS)
  expect(plan.steps.length > 0 || name.startsWith('children')).toBe(true)
  expect(planRepair(bytesInMemory(result), options).plan.steps).toEqual([])
})
