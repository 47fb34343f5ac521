// A session that leads a team says so in its records. They are part of the conversation in every way but one: the official
// SDK leaves them out of its list.

import { expect, test } from 'vitest'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { usageRecordOf } from '../../src/record/usage-record.ts'
import { bytesOf, talk } from '../mend/healthy.ts'
import { wovenOf } from '../woven.ts'

const ALONE = talk()
const uuids = ALONE.flatMap(({ uuid, type }) => (type === 'user' || type === 'assistant' ? [uuid] : []))
const LEADING = ALONE.map((record, line) =>
  line >= 5 && 'uuid' in record ? { ...record, teamName: 'pilots' } : record,
)

test.each(['resume', 'file'] as const)('the full Reading has all of it, whichever way the tip is found: %s', (rule) => {
  const { woven } = wovenOf(bytesOf(LEADING), rule)
  expect(readFull(woven).chain).toEqual(uuids)
  expect(woven.outline.branches).toHaveLength(1)
  expect(woven.agents.subagents).toEqual([])
})

test('the context Reading has all of it as the client resumes, and not as the SDK lists', () => {
  expect(readContextTurns(wovenOf(bytesOf(LEADING), 'resume').woven).chain).toEqual(uuids)
  expect(readContextTurns(wovenOf(bytesOf(LEADING), 'file').woven).chain).toEqual(['u1', 'a1', 'a2', 'a3'])
})

test('its tokens are its own', () => {
  const message = { id: 'm1', usage: { input_tokens: 3, output_tokens: 4 } }
  expect(usageRecordOf({ type: 'assistant', message, teamName: 'pilots' }, 1)?.isSidechain).toBe(false)
})
