// `clew journal --llm` beside a server that answers what it was told to. What was sent is looked at, byte by byte.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { journal } from '../../src/cli/journal.ts'
import type { Act, ScriptedServer } from '../prose/scripted-server.ts'
import { citing, promptOf, send, silence, startServer } from '../prose/scripted-server.ts'
import type { RanHere } from './in-process.ts'
import { runHere } from './in-process.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, linesOf, newFolder, projectFolder, sample } from './run.ts'

const SECRET = `ghp_${'A1b2C3d4E5f6G7h8I9j0'}K1l2M3n4O5p6Q7r8`
const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Ran extends RanHere {
  readonly server: ScriptedServer
}

async function withServer(
  acts: readonly Act[],
  words: readonly string[],
  cache = newFolder('cache'),
  config = newFolder('config'),
): Promise<Ran> {
  const server = await startServer(acts)
  servers.push(server)
  const environment = {
    OPENAI_BASE_URL: `${server.address}/v1`,
    XDG_CACHE_HOME: cache,
    XDG_CONFIG_HOME: config,
  }
  const all = [
    '--root',
    sample,
    '--no-index',
    '--tz',
    'UTC',
    '--date',
    '2026-10-27',
    '--llm',
    'openai',
    '--model',
    'local',
    ...words,
  ]
  return { ...(await runHere(journal, all, Date.parse('2026-10-28T12:00:00Z'), environment)), server }
}

test('prose stands above the lines it was made of, with what it rests on', async () => {
  const { out, err, status, server } = await withServer([citing], [])
  expect(status).toBe(0)
  expect(server.asked).toHaveLength(2)
  expect(out).toMatch(/Something was done\. `2ab65b76#[0-9a-f]{8}`\n\n### Asked/)
  expect(linesOf(err)).toMatchObject([
    expect.stringMatching(/^clew: openai \(local\): 2 calls, [\d,]+ tokens, \$0\.0000 at most, for 2 projects$/),
    expect.stringMatching(/^clew: used 2 calls, 240 tokens/),
  ])
})

test('a project whose name is a Secret gets its prose too, and is not named', async () => {
  const config = writeBelow(newFolder('config'), { 'clew/secrets.txt': 'tidewatch\n' })
  const { out, server } = await withServer([citing], ['--project', 'tidewatch'], newFolder('cache'), config)
  expect(out).toMatch(/## tidewatch\n[\s\S]*Something was done\. `2ab65b76#[0-9a-f]{8}`\n\n### Asked/)
  expect(server.asked.map(promptOf).join('\n')).not.toContain('tidewatch')
})

test('a second run asks nobody', async () => {
  const cache = newFolder('cache')
  const first = await withServer([citing], [], cache)
  // The cache knows the server by its address.
  const again = await runHere(
    journal,
    ['--root', sample, '--no-index', '--tz', 'UTC', '--date', '2026-10-27', '--llm', 'openai', '--model', 'local'],
    0,
    { OPENAI_BASE_URL: `${first.server.address}/v1`, XDG_CACHE_HOME: cache, XDG_CONFIG_HOME: newFolder('config') },
  )
  expect(first.server.asked).toHaveLength(2)
  expect(again.out).toBe(first.out)
})

test('an estimate asks nobody', async () => {
  const { err, server, status } = await withServer([citing], ['--estimate'])
  expect([server.asked.length, status, linesOf(err).length]).toEqual([0, 0, 1])
})

test('secrets do not leave, whatever key tags are made with', async () => {
  const id = sessionId('a')
  const root = writeBelow(newFolder('claude'), {
    [`projects/-x/${id}.jsonl`]: session(id, [
      prompt('p', null, `Deploy it with the token ${SECRET} and tell me how it went`),
      reply('c', 'p', [toolUse('t', 'Bash', { command: `deploy --token ${SECRET}` })]),
      toolResult('r', 'c', 't', 'ok'),
      reply('a', 'r', `It is deployed with ${SECRET}, which worked.`),
    ]),
  })
  const { server, status } = await withServer([citing], ['--root', root, '--date', '2026-03-01'])
  expect(status).toBe(0)
  const sent = server.asked.map(({ body }) => body).join('')
  expect(sent).toContain('secret:')
  for (let at = 0; at + 8 <= SECRET.length; at++) expect(sent).not.toContain(SECRET.slice(at, at + 8))
  expect(promptOf(server.asked[0] as (typeof server.asked)[number])).not.toContain(root)
})

test('one project fails alone; the other is written, and the page is too', async () => {
  const out = newFolder('notes')
  const { err, status, server } = await withServer(
    [citing, send(400, '{"error":{"message":"too odd"}}')],
    ['--out', out],
  )
  expect(status).toBe(1)
  expect(server.asked).toHaveLength(2)
  expect(linesOf(err).some((line) => /dotfiles: failed: .*too odd/.test(line))).toBe(true)
  expect(readFileSync(join(out, '2026-10-27.md'), 'utf8')).toContain('Something was done.')
})

test.each<readonly [string, Act]>([
  ['nonsense', send(200, '<html>')],
  ['nothing', send(200, '{"choices":[{"message":{"content":""}}]}')],
  ['a refused key', send(401, '{"error":{"message":"no"}}')],
])('a server that answers with %s: one line, and the notebook all the same', async (_, act) => {
  const { out, err, status } = await withServer([act], [])
  expect(status).toBe(1)
  expect(out).toContain('## tidewatch')
  expect(err).not.toMatch(/\n\s+at /)
  expect(linesOf(err).filter((line) => line.includes('failed:')).length).toBeGreaterThan(0)
})

test('what would cost too much is not begun', async () => {
  const { server, err, status } = await withServer([silence], ['--max-tokens', '10'])
  expect([server.asked.length, status]).toEqual([0, 1])
  expect(err).toContain('skipped')
})

test.each<readonly [string, readonly string[], string]>([
  ['no such route', ['--llm', 'gpt'], 'clew: --llm takes claude, anthropic, openai, not “gpt”'],
  ['no key', ['--llm', 'anthropic'], 'ANTHROPIC_API_KEY'],
  ['no program', ['--llm', 'claude'], 'claude'],
  ['no model', ['--llm', 'openai'], '--model'],
  ['not an amount', ['--llm', 'anthropic', '--max-cost', 'much'], 'clew: --max-cost takes dollars'],
  ['wishes that are not there', ['--llm', 'claude', '--instructions', 'nowhere.txt'], 'nowhere.txt'],
  ['wishes without a route', ['--language', 'German'], 'clew: --language goes with --llm'],
])('%s', (_, words, message) => {
  const { err, status } = clew(['journal', '--date', '2026-10-27', '--root', 'sample', '--no-index', ...words], {
    cwd: projectFolder,
    env: { PATH: newFolder('empty') },
  })
  expect(status).toBe(1)
  expect(err).toContain(message)
  expect(err).not.toMatch(/\n\s+at /)
})

test('answers are kept for their owner alone, without a secret in them', async () => {
  const cache = newFolder('cache')
  await withServer([citing], [], cache)
  expect(readdirSync(join(cache, 'clew', 'prose')).length).toBe(2)
})
