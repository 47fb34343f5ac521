// Subagents in a Brief: each counts once, also where no call of the live Branch refers to it.

import { expect, test } from 'vitest'
import { brief } from '../../src/cli/brief.ts'
import { journal } from '../../src/cli/journal.ts'
import { usage } from '../../src/cli/usage.ts'
import { runHere } from '../cli/in-process.ts'
import type { Raw } from '../cli/records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'

const ID = sessionId('a')
const NOW_MS = Date.parse('2026-03-03T12:00:00Z')

interface AgentLines {
  readonly agents: readonly { readonly agentId: string; readonly status: string }[]
  readonly files: readonly { readonly path: string }[]
  readonly usage: { readonly output_tokens: number }
  readonly agentUsage: { readonly output_tokens: number } | null
}

async function briefed(root: string): Promise<AgentLines> {
  const { out, status } = await runHere(brief, [ID, '--json', '--no-index', '--root', root], NOW_MS)
  expect(status).toBe(0)
  return JSON.parse(out) as AgentLines
}

function spending(record: Raw, outputTokens: number): Raw {
  const message = record['message'] as Raw
  return { ...record, message: { ...message, stop_reason: 'end_turn', usage: { output_tokens: outputTokens } } }
}

/** An agent that was asked this, used these tools and spent 5 tokens on each reply. */
function agentOf(agentId: string, asked: string, ...written: readonly string[]): readonly Raw[] {
  let last = `${agentId}-p`
  const records = [prompt(last, null, asked)]
  for (const [place, path] of written.entries()) {
    const [call, result] = [`${agentId}-c${place}`, `${agentId}-r${place}`]
    records.push(spending(reply(call, last, [toolUse(call, 'Write', { file_path: path, content: 'x' })]), 5))
    records.push(toolResult(result, call, call, 'File created'))
    last = result
  }
  records.push(spending(reply(`${agentId}-e`, last, 'There you are.'), 5))
  return session(ID, records, { isSidechain: true, agentId })
}

function rootOf(main: readonly Raw[], agents: Readonly<Record<string, readonly Raw[]>>): string {
  const files = Object.entries(agents).map(([id, records]) => [
    `projects/-x/${ID}/subagents/agent-${id}.jsonl`,
    records,
  ])
  return writeBelow(newFolder('claude'), { [`projects/-x/${ID}.jsonl`]: main, ...Object.fromEntries(files) })
}

test('one that was only warmed up counts with its tokens, and is not told', async () => {
  const main = session(ID, [prompt('p', null, 'Spin'), spending(reply('e', 'p', 'Spun.'), 7)])
  const { agents, usage, agentUsage } = await briefed(rootOf(main, { a1: agentOf('a1', 'Warmup') }))
  expect([agents, usage.output_tokens, agentUsage?.output_tokens]).toEqual([[], 7, 5])
})

test('one that no call refers to is told where it did something', async () => {
  const main = session(ID, [prompt('p', null, 'Spin'), spending(reply('e', 'p', 'Spun.'), 7)])
  const told = await briefed(rootOf(main, { a1: agentOf('a1', 'Write it', '/home/ada/tidewatch/a.ts') }))
  expect(told.agents).toMatchObject([{ agentId: 'a1', status: 'ok' }])
  expect(told.files).toMatchObject([{ path: '/home/ada/tidewatch/a.ts' }])
  expect(told.agentUsage?.output_tokens).toBe(10)
})

test('one of an abandoned branch counts with its tokens alone, as the branch does', async () => {
  const called = [
    prompt('p', null, 'Spin'),
    spending(reply('c', 'p', [toolUse('t', 'Agent', { description: 'Look', prompt: 'Write it' })]), 7),
    toolResult('r', 'c', 't', 'There you are.', { toolUseResult: { agentId: 'a1', status: 'completed' } }),
    prompt('q', null, 'Spin otherwise'),
    spending(reply('e', 'q', 'Spun.'), 7),
  ]
  const told = await briefed(rootOf(session(ID, called), { a1: agentOf('a1', 'Write it', '/home/ada/tidewatch/a.ts') }))
  expect([told.agents, told.files]).toEqual([[], []])
  expect([told.usage.output_tokens, told.agentUsage?.output_tokens]).toEqual([14, 10])
})

test('what one does after midnight is in the day it was done', async () => {
  const at = (timestamp: string, records: readonly Raw[]): readonly Raw[] =>
    records.map((record) => ({ ...record, timestamp }))
  const main = session(ID, [
    ...at('2026-03-01T23:58:00.000Z', [
      prompt('p', null, 'Spin all night, please'),
      reply('c', 'p', [toolUse('t', 'Agent', { description: 'Look', prompt: 'Write it' })]),
    ]),
    ...at('2026-03-02T00:20:00.000Z', [
      toolResult('r', 'c', 't', 'There.', { toolUseResult: { agentId: 'a1', status: 'completed' } }),
      reply('e', 'r', 'Both files are there now.'),
    ]),
  ])
  const [asked, one, oneEnd, ...rest] = agentOf(
    'a1',
    'Write it',
    '/home/ada/tidewatch/a.ts',
    '/home/ada/tidewatch/b.ts',
  )
  const before = at('2026-03-01T23:59:00.000Z', [asked as Raw, one as Raw, oneEnd as Raw])
  const root = rootOf(main, { a1: [...before, ...at('2026-03-02T00:10:00.000Z', rest)] })
  const days = ['2026-03-01', '2026-03-02'].map(async (date) => {
    const words = ['--date', date, '--tz', 'UTC', '--json', '--all', '--no-index', '--root', root]
    const { out } = await runHere(journal, words, NOW_MS)
    const { projects } = JSON.parse(out) as { readonly projects: readonly { readonly files: readonly Raw[] }[] }
    return projects.flatMap(({ files }) => files.map(({ path }) => path))
  })
  expect(await Promise.all(days)).toEqual([['/home/ada/tidewatch/a.ts'], ['/home/ada/tidewatch/b.ts']])
})

test('an agent started while a session was resumed belongs to that session, and its tokens are those of clew usage', async () => {
  const spent = spending(reply('s2', 's1', 'Ready.'), 6)
  const root = writeBelow(newFolder('claude'), {
    [`projects/-r/${ID}.jsonl`]: session(ID, [prompt('u1', null, 'Spin.'), spending(reply('r1', 'u1', 'Spun.'), 10)]),
    [`projects/-r/${sessionId('b')}.jsonl`]: [],
    'projects/-r/agent-a1babbf.jsonl': [
      ...session(sessionId('b'), [prompt('s1', null, 'Warmup')]),
      ...session(ID, [spent]),
    ].map((record) => ({ ...record, isSidechain: true, agentId: 'a1babbf' })),
  })
  const { usage: own, agentUsage } = await briefed(root)
  expect([own.output_tokens, agentUsage?.output_tokens]).toEqual([10, 6])
  const { out } = await runHere(usage, ['--by', 'session', '--json', '--no-index', '--root', root], NOW_MS)
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ key: ID, output_tokens: 16 })
})
