// What is found of long texts and of Turns with many records: all that may be the only place where something was said.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSearch } from './open-search.ts'

const SESSION = '5e1f0000-0000-4000-8000-000000000001'
const scratch = mkdtempSync(join(tmpdir(), 'clew-long-texts-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const around = (word: string): string => `${'before '.repeat(400)}${word}${' behind'.repeat(400)}`
const prompt = (content: string, more: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const reply = (id: number): object => ({
  type: 'assistant',
  message: {
    id: `m${id}`,
    role: 'assistant',
    content: [{ type: 'text', text: `The harbour has a quay ${id}: harbour quay.` }],
  },
})
const call = (id: number, command: string): object => ({
  type: 'assistant',
  message: {
    id: `m${id}`,
    role: 'assistant',
    content: [{ type: 'tool_use', id: `t${id}`, name: 'Bash', input: { command } }],
  },
})
const result = (id: number, content: string): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${id}`, content }] },
})

const RECORDS = [
  prompt('where are the docks'),
  ...[1, 2, 3, 4, 5].map(reply),
  call(6, 'ls harbour/quay'),
  result(6, around('springtide')),
  {
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    compactMetadata: { trigger: 'auto' },
  },
  prompt(around('neaptide'), { isCompactSummary: true }),
  prompt(around('highwater'), { planContent: around('highwater') }),
]
const uuidOf = (index: number): string => `5e1f0000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`
const lines = RECORDS.map((record, index) =>
  JSON.stringify({
    parentUuid: index === 0 ? null : uuidOf(index - 1),
    uuid: uuidOf(index),
    sessionId: SESSION,
    cwd: '/home/ada/harbour',
    timestamp: new Date(Date.parse('2026-11-01T10:00:00Z') + index * 1000).toISOString(),
    ...record,
  }),
)
mkdirSync(join(scratch, 'projects', '-home-ada-harbour'), { recursive: true })
writeFileSync(join(scratch, 'projects', '-home-ada-harbour', `${SESSION}.jsonl`), `${lines.join('\n')}\n`)
const search = await openSearch(scratch, Date.parse('2026-11-15T12:00:00Z'))

test.each([
  ['a recap', 'neaptide', RECORDS.length - 2, 'tools'],
  ['a plan that was accepted', 'highwater', RECORDS.length - 1, 'replies'],
] as const)('the middle of %s is found', (_, word, index, field) => {
  const { hits } = search(word)
  expect(hits.map(({ uuid, field: found }) => [uuid, found])).toEqual([[uuidOf(index), field]])
  expect(hits[0]?.snippet?.marks).toHaveLength(1)
})

test('the middle of what a tool printed is not', () => {
  expect(search('springtide').hits).toEqual([])
})

test('what was typed with a sign in it is found behind records that have only its words', () => {
  const { hits } = search('harbour/quay')
  expect(hits.map(({ uuid, snippet }) => [uuid, snippet?.text])).toEqual([[uuidOf(6), 'ls harbour/quay']])
})
