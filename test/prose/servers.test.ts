// Both routes that ask a server, beside a server that behaves in every way a server can.

import { Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ProseOptions, ProseReport } from '../../src/prose/model.ts'
import { writeProse } from '../../src/prose/write-prose.ts'
import { citedIn, loopbackRoute, optionsFor, taskOf } from './made-up.ts'
import type { Act, ScriptedServer } from './scripted-server.ts'
import { promptOf, reset, say, send, silence, startServer } from './scripted-server.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const TASK = taskOf('one', ['Asked to fix the parser.', 'Edited src/parse.ts.', 'Ran the tests: 3 passed.'])
const GOOD = '- I fixed the parser. [1][2]\n- The tests passed. [3]'

describe.each(['openai', 'anthropic'] as const)('%s', (kind) => {
  async function run(
    acts: readonly Act[],
    more: Partial<ProseOptions> = {},
    tasks = [TASK],
  ): Promise<ProseReport & { readonly server: ScriptedServer; readonly options: ProseOptions }> {
    const server = await startServer(acts)
    servers.push(server)
    const options = optionsFor(loopbackRoute(kind, server.address), more)
    return { ...(await writeProse(tasks, options)), server, options }
  }

  test('an answer comes back with its citations and what it cost', async () => {
    const { results, spent, estimate, server } = await run([say(GOOD, [1000, 100])])
    const [result] = results
    expect(result).toMatchObject({ id: 'one', state: 'written', error: null, calls: 1 })
    expect(result?.paragraphs.map(({ text }) => text)).toEqual(['I fixed the parser.', 'The tests passed.'])
    expect(citedIn(result?.paragraphs ?? [])).toEqual([[1, 2], [3]])
    expect(result?.paragraphs[1]?.cites).toEqual([{ path: '/home/ada/one.jsonl', line: 3, offset: 200, uuid: 'one-3' }])
    expect(spent).toEqual({ calls: 1, inputTokens: 1000, outputTokens: 100, costUsd: 0.0015 })
    expect(estimate.calls).toBe(1)
    expect(estimate.costUsd).toBeGreaterThan(0)
    expect(server.asked).toHaveLength(1)
    expect(server.asked[0]?.method).toBe('POST')
    expect(server.asked[0]?.path).toBe(kind === 'openai' ? '/v1/chat/completions' : '/v1/messages')
    expect(server.asked[0]?.headers.authorization ?? server.asked[0]?.headers['x-api-key']).toContain('key-of-ada')
    expect(promptOf(server.asked[0] as never)).toContain('\n[2] Edited src/parse.ts.\n')
    // Paths and ids of Records stay here.
    expect(server.asked[0]?.body).not.toContain('/home/ada')
    expect(server.asked[0]?.body).not.toContain('one-1')
    expect(Object.keys(server.asked[0]?.headers ?? {}).filter((name) => /trace|baggage/.test(name))).toEqual([])
  })

  test('too many requests: waits as long as it is told, then goes on', async () => {
    const started = performance.now()
    const { results, server } = await run([
      send(429, '{"error":{"message":"slow down"}}', { 'retry-after': '1' }),
      say(GOOD),
    ])
    expect(results[0]?.state).toBe('written')
    expect(server.asked).toHaveLength(2)
    expect(performance.now() - started).toBeGreaterThanOrEqual(990)
  })

  test('asked to wait for an hour, it does not', async () => {
    const started = performance.now()
    const { results, server } = await run([send(429, '{}', { 'retry-after': '3600' })])
    expect(results[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('3600 s') })
    expect(server.asked).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('ill three times, then well', async () => {
    const ill = send(500, '{"error":{"message":"boom"}}')
    const { results, server } = await run([ill, ill, ill, say(GOOD)])
    expect(results[0]?.state).toBe('written')
    expect(server.asked).toHaveLength(4)
  })

  test.each<readonly [string, Act, number, RegExp]>([
    [
      'ill for good',
      send(503, '<html><h1>503</h1></html>', { 'content-type': 'text/html' }),
      3,
      /503.*Try again later/,
    ],
    ['no JSON', send(200, 'Hello there'), 1, /did not answer as a model does/],
    [
      'a page',
      send(200, '<!doctype html><p>Welcome', { 'content-type': 'text/html' }),
      1,
      /did not answer as a model does/,
    ],
    ['JSON of another kind', send(200, '{"ok":true}'), 1, /did not answer as a model does/],
    ['null', send(200, 'null'), 1, /did not answer as a model does/],
    ['a list', send(200, '[1,2]'), 1, /did not answer as a model does/],
    ['broken JSON', send(200, '{"choices":[{"mess'), 1, /did not answer as a model does/],
    ['nothing', say(''), 1, /answered with nothing/],
    ['blank', say(' \n\n '), 1, /answered with nothing/],
    ['no word', say('- [1]\n---\n'), 1, /has no text in it/],
    ['no citation', say('HACKED'), 1, /names none of the lines/],
    ['only wrong citations', say('- Something. [99][0]'), 1, /names none of the lines/],
    ['a wrong key', send(401, '{"error":{"message":"bad key"}}'), 1, /refused the key.*401.*bad key.*_API_KEY/],
    ['forbidden', send(403, '{}'), 1, /refused the key/],
    ['an unknown model', send(404, '{"error":{"message":"no model"}}'), 1, /no such model or address/],
    ['a request it does not like', send(400, '{"error":{"message":"too long"}}'), 1, /did not accept.*too long/],
    ['a redirect', send(307, '', { location: 'http://127.0.0.1:9/elsewhere' }), 1, /redirect/],
    ['the connection broken', reset, 3, /connection to 127\.0\.0\.1:\d+ broke/],
    ['5 MB', send(200, JSON.stringify({ choices: 'x'.repeat(5 << 20) })), 1, /larger than 4 MB/],
    ['endless silence', silence, 3, /no answer within 1 s/],
  ])('%s: one line that says what is wrong', async (_, act, calls, message) => {
    const { results, server } = await run([act], { retries: 2, timeoutMs: act === silence ? 300 : 10_000 })
    expect(results[0]).toMatchObject({ id: 'one', state: 'failed', paragraphs: [] })
    expect(results[0]?.error).toMatch(message)
    expect(results[0]?.error).not.toMatch(/[\n\x1b<]/)
    expect(results[0]?.error?.length).toBeLessThan(320)
    expect(server.asked).toHaveLength(calls)
  })

  test('what fails fails alone, and a second run asks only for that', async () => {
    const tasks = ['one', 'two', 'three'].map((id) => taskOf(id, [`The work of ${id}.`]))
    let isWell = false
    const bad: Act = (asked, response) => {
      const isRefused = !isWell && promptOf(asked).includes('two')
      return (isRefused ? send(400, '{"error":{"message":"no"}}') : say('- Done. [1]'))(asked, response)
    }
    const { results, server, options } = await run([bad], {}, tasks)
    expect(results.map(({ state }) => state)).toEqual(['written', 'failed', 'written'])
    expect(results[2]?.paragraphs).toHaveLength(1)
    expect(server.asked).toHaveLength(3)
    isWell = true
    const second = await writeProse(tasks, options)
    expect(second.results.map(({ state }) => state)).toEqual(['cached', 'written', 'cached'])
    expect(second.estimate.calls).toBe(1)
    expect(server.asked).toHaveLength(4)
    const third = await writeProse(tasks, options)
    expect(third.results.map(({ state }) => state)).toEqual(['cached', 'cached', 'cached'])
    expect(citedIn(third.results.flatMap(({ paragraphs }) => paragraphs))).toEqual([[1], [1], [1]])
    expect(third.spent).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })
    expect(server.asked).toHaveLength(4)
  })

  test('a key that is refused is not tried for every task', async () => {
    const tasks = Array.from({ length: 20 }, (_, index) => taskOf(`t${index}`, [`Work ${index}.`]))
    const { results, server } = await run([send(401, '{"error":{"message":"bad key"}}')], { concurrency: 2 }, tasks)
    expect(results.every(({ state, error }) => state === 'failed' && /refused the key/.test(error ?? ''))).toBe(true)
    expect(server.asked.length).toBeLessThanOrEqual(2)
  })

  test('no more than a few at once', async () => {
    let running = 0
    let most = 0
    const slow: Act = (asked, response) => {
      running++
      most = Math.max(most, running)
      setTimeout(() => {
        running--
        say('- Done. [1]')(asked, response)
      }, 20)
    }
    const tasks = Array.from({ length: 9 }, (_, index) => taskOf(`t${index}`, [`Work ${index}.`]))
    const { results } = await run([slow], { concurrency: 3 }, tasks)
    expect(results.every(({ state }) => state === 'written')).toBe(true)
    expect(most).toBe(3)
  })

  test('stopped: what was written is kept, the rest is skipped', async () => {
    const controller = new AbortController()
    const act: Act = (asked, response) => {
      if (promptOf(asked).includes('Work 0')) return say('- Done. [1]')(asked, response)
      setTimeout(() => controller.abort(), 20)
    }
    const tasks = Array.from({ length: 5 }, (_, index) => taskOf(`t${index}`, [`Work ${index}.`]))
    const { results, server } = await run([act], { concurrency: 1, signal: controller.signal }, tasks)
    expect(results.map(({ state }) => state)).toEqual(['written', 'skipped', 'skipped', 'skipped', 'skipped'])
    expect(results[1]?.error).toMatch(/stopped/)
    expect(server.asked).toHaveLength(2)
  })

  test('an error that quotes the key or a secret does not pass it on', async () => {
    const { results } = await run([send(400, '{"error":{"message":"you sent hunter2-abcdefgh \\u001b[31m"}}')])
    expect(results[0]?.error).toContain('⟦secret')
    expect(results[0]?.error).not.toContain('hunter2')
  })
})

test('openai: a server that knows only the newer name of the limit is asked again with it', async () => {
  const picky: Act = (asked, response) =>
    asked.body.includes('max_completion_tokens')
      ? say(GOOD)(asked, response)
      : send(400, '{"error":{"message":"use max_completion_tokens instead of max_tokens"}}')(asked, response)
  const server = await startServer([picky])
  servers.push(server)
  const { results } = await writeProse([TASK], optionsFor(loopbackRoute('openai', server.address)))
  expect(results[0]?.state).toBe('written')
  expect(server.asked).toHaveLength(2)
})

test('openai: content in parts, and a model that thinks aloud', async () => {
  const content = [{ type: 'text', text: '<think>[2] hm</think>\n- I fixed it. [1]' }]
  const server = await startServer([send(200, JSON.stringify({ choices: [{ message: { content } }] }))])
  servers.push(server)
  const { results, spent } = await writeProse([TASK], optionsFor(loopbackRoute('openai', server.address)))
  expect(results[0]?.paragraphs.map(({ text }) => text)).toEqual(['I fixed it.'])
  expect(citedIn(results[0]?.paragraphs ?? [])).toEqual([[1]])
  expect(spent.inputTokens).toBe(0)
})

test('anthropic: the SDK connects to that server and to nobody else', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9')
  vi.stubEnv('ANTHROPIC_OPEN_TELEMETRY', 'true')
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'another-key')
  vi.stubEnv('ANTHROPIC_LOG', 'debug')
  const printed = (['log', 'debug', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
  try {
    const server = await startServer([send(500, '{}'), say(GOOD)])
    servers.push(server)
    const { results } = await writeProse([TASK], optionsFor(loopbackRoute('anthropic', server.address)))
    expect(results[0]?.state).toBe('written')
    const ports = connect.mock.calls.map((words) => Number(/"port":"?(\d+)/.exec(JSON.stringify(words))?.[1]))
    expect(ports.length).toBeGreaterThan(0)
    expect(new Set(ports)).toEqual(new Set([Number(new URL(server.address).port)]))
    expect(JSON.stringify(server.asked)).not.toContain('another-key')
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
  } finally {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  }
})
