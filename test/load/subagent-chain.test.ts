// What a subagent's caller says to it while it works, or after it has ended, is isMeta. The official SDK leaves such
// records out of a session's list and keeps them in a subagent's.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Woven } from '../../src/conversation/build.ts'
import { readContextTurns, readFull } from '../../src/conversation/reading.ts'
import type { TipRule } from '../../src/graph/context.ts'
import { findTranscripts } from '../../src/load/found.ts'
import type { OpenSession } from '../../src/load/session.ts'
import { openSession, openSubagent } from '../../src/load/session.ts'

const SESSION = '11111111-2222-4333-8444-555555555555'
const AGENT = 'a0123456789abcdef'

const RECORDS = [
  { type: 'user', uuid: 's1', parentUuid: null, message: { role: 'user', content: 'Count the knots.' } },
  reply('s2', 's1', 'Counting.'),
  {
    type: 'attachment',
    uuid: 's3',
    parentUuid: 's2',
    attachment: {
      type: 'queued_command',
      prompt: 'Only the blue ones.',
      source_uuid: 'q3',
      origin: { kind: 'coordinator' },
      isMeta: true,
    },
  },
  reply('s4', 's3', 'Seven.'),
  {
    type: 'user',
    uuid: 's5',
    parentUuid: 's4',
    message: { role: 'user', content: 'And the red ones?' },
    isMeta: true,
    origin: { kind: 'coordinator' },
  },
  reply('s6', 's5', 'Three.'),
]

const root = mkdtempSync(join(tmpdir(), 'clew-agent-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each(['file', 'resume'] as const)('they are part of the subagent’s chain, by the rule %s', (rule) => {
  const { session, agent } = opened(rule, RECORDS)
  expect(readContextTurns(agent).chain).toEqual(['s1', 's2', 'q3', 's4', 's5', 's6'])
  expect(readFull(agent).chain).toEqual(['s1', 's2', 'q3', 's4', 's5', 's6'])
  expect(readContextTurns(session.woven).chain).toEqual(['s1', 's2', 's4', 's6'])
  expect(readFull(session.woven).chain).toEqual(['s1', 's2', 's4', 's6'])
})

const PARALLEL = [
  { type: 'user', uuid: 's1', parentUuid: null, message: { role: 'user', content: 'Count the knots.' } },
  { type: 'system', subtype: 'api_error', uuid: 'e1', parentUuid: 's1' },
  call('s2', 'e1', 'T1'),
  call('s3', 's2', 'T2'),
  result('r1', 's2', 'T1'),
  result('r2', 's3', 'T2'),
  reply('s4', 'r2', 'Seven.'),
  { type: 'attachment', uuid: 't1', parentUuid: 's1', attachment: { type: 'date', date: '2026-11-01' } },
]

test('by file order a subagent is read as the SDK lists it, and otherwise whole', () => {
  const listed = readContextTurns(opened('file', PARALLEL).agent)
  expect(listed.chain).toEqual(['s2', 's3', 'r2', 's4'])
  expect(listed.tipUuid).toBe('s4')
  const { agent } = opened('resume', [...PARALLEL.slice(0, -1), reply('s5', 's4', 'In all.')])
  expect(readContextTurns(agent).chain).toEqual(['s1', 's2', 's3', 'r1', 'r2', 's4', 's5'])
  expect(readFull(agent).chain).toEqual(['s1', 's2', 's3', 'r1', 'r2', 's4', 's5'])
})

function opened(rule: TipRule, records: readonly object[]): { readonly session: OpenSession; readonly agent: Woven } {
  const home = mkdtempSync(join(root, 'home-'))
  const folder = join(home, 'projects/-w')
  write(folder, `${SESSION}.jsonl`, records)
  const agents = records.map((record) => ({ ...record, isSidechain: true, agentId: AGENT, sessionId: SESSION }))
  write(join(folder, SESSION, 'subagents'), `agent-${AGENT}.jsonl`, agents)
  const archive = findTranscripts([home])
  const file = archive.projects.flatMap(({ files }) => files).find(({ role }) => role === 'main')
  if (file === undefined) throw new Error('no session')
  const session = openSession(archive, file, rule)
  const agent = openSubagent(session, AGENT, rule)
  if (agent === null) throw new Error('no subagent')
  return { session, agent }
}

function call(uuid: string, parentUuid: string, id: string): object {
  const content = [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }]
  return { type: 'assistant', uuid, parentUuid, message: { id: 'm_calls', role: 'assistant', content } }
}

function result(uuid: string, parentUuid: string, id: string): object {
  const content = [{ type: 'tool_result', tool_use_id: id, content: 'ok' }]
  return { type: 'user', uuid, parentUuid, sourceToolAssistantUUID: parentUuid, message: { role: 'user', content } }
}

function reply(uuid: string, parentUuid: string, text: string): object {
  const message = { id: `m_${uuid}`, role: 'assistant', model: 'claude-made-up', content: [{ type: 'text', text }] }
  return { type: 'assistant', uuid, parentUuid, message }
}

function write(folder: string, name: string, records: readonly object[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `${records.map((record) => JSON.stringify(record)).join('\n')}\n`)
}
