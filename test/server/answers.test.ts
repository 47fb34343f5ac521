// What the frame answers: the same headers on every address, the files of the page, the list, the stream.

import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Activity, Home } from '../../src/server/api/home.ts'
import type { LiveMessage } from '../../src/server/api/live.ts'
import { jsonl, prompt, reply, session, sessionId } from '../cli/records.ts'
import { clewJson, sample } from '../cli/run.ts'
import { allRoutes } from './all-routes.ts'
import type { RawAnswer } from './open-test-server.ts'
import { ask, INDEX_HTML, openTestServer, SCRIPT } from './open-test-server.ts'

const SESSION = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'
const root = mkdtempSync(join(tmpdir(), 'clew-answers-'))
let server: Awaited<ReturnType<typeof openTestServer>>

beforeAll(async () => {
  cpSync(sample, root, { recursive: true })
  server = await openTestServer([root])
})
afterAll(async () => {
  await server.end()
  rmSync(root, { recursive: true, force: true })
})

function get(target: string, more: readonly (readonly [string, string])[] = []): Promise<RawAnswer> {
  const headers = [
    ['Cookie', server.cookie],
    ['Sec-Fetch-Site', 'same-origin'],
    ['Sec-Fetch-Mode', 'cors'],
    ...more,
  ] as const
  return ask(server.port, { target, headers })
}

async function json<Value>(target: string): Promise<Value> {
  const answer = await get(target)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  return JSON.parse(answer.body) as Value
}

test('every address has the same headers, whether it answers, refuses or is not there', async () => {
  const addresses = allRoutes()
    .filter((path) => path !== '/api/live')
    .flatMap((path) => [path.replaceAll(/:\w+/g, SESSION), path.replaceAll(/:\w+/g, 'no-such-id')])
  const more = [
    '/',
    '/c/x',
    '/usage',
    '/assets/main-12345678.js',
    '/no-such-file',
    '/api',
    '/api/',
    '/api/no-such-question',
  ]
  const kinds = new Set<number>()
  for (const target of [...new Set([...addresses, ...more])]) {
    for (const answer of [await get(target), await ask(server.port, { target })]) {
      const { headers, status } = answer
      kinds.add(status)
      const isLasting = status === 200 && target.startsWith('/assets/')
      const isPage = status === 200 && !target.startsWith('/api')
      expect([target, Object.fromEntries([...headers].filter(([name]) => SAID.has(name)))]).toEqual([
        target,
        {
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'/,
          ),
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-frame-options': 'DENY',
          'cache-control': isLasting
            ? 'private, max-age=31536000, immutable'
            : isPage
              ? 'private, no-cache'
              : 'no-store',
        },
      ])
      if (status >= 400 && target.startsWith('/api'))
        expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['error'])
    }
  }
  expect([...kinds].sort()).toEqual([200, 400, 401, 403, 404])
  expect(server.errors).toEqual([])
})

const SAID: ReadonlySet<string> = new Set([
  'content-security-policy',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'x-frame-options',
  'cache-control',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'server',
  'x-powered-by',
])

describe('the page', () => {
  test('is the same for every address it knows', async () => {
    for (const target of [
      '/',
      '/c/abc',
      '/c/abc/agent',
      '/usage',
      '/journal',
      '/journal/2026-11-14',
      '/health',
      '/?q=1',
    ]) {
      const { status, body, headers } = await get(target)
      expect([status, body, headers.get('content-type')]).toEqual([200, INDEX_HTML, 'text/html; charset=utf-8'])
    }
    for (const target of ['/usages', '/cc', '/favicon.ico', '/index', '/assets/x.js', '/notes.exe'])
      expect([target, (await get(target)).status]).toEqual([target, 404])
  })

  test('its files are typed, packed when asked, and not sent twice', async () => {
    const target = '/assets/main-12345678.js'
    const plain = await get(target)
    expect([plain.body, plain.headers.get('content-type')]).toEqual([SCRIPT, 'text/javascript; charset=utf-8'])
    const packed = await get(target, [['Accept-Encoding', 'br, gzip']])
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(packed.bytes).toString()).toBe(SCRIPT)
    expect(packed.bytes.length).toBeLessThan(SCRIPT.length / 10)
    const known = await get(target, [['If-None-Match', plain.headers.get('etag') ?? '']])
    expect([known.status, known.body]).toEqual([304, ''])
    const head = await ask(server.port, { method: 'HEAD', target, headers: [['Cookie', server.cookie]] })
    expect([head.status, head.body]).toEqual([200, ''])
  })
})

describe('the list', () => {
  test('has the conversations that clew list has', async () => {
    const { rows, roots, isSample, indexing } = await json<Home>('/api/home')
    const listed = clewJson<Record<string, unknown>>(['list', '--root', root])
    expect(rows.map(({ id, title, turns, messages, branches }) => ({ id, title, turns, messages, branches }))).toEqual(
      listed.map(({ sessionId: id, title, turns, messages, branches }) => ({ id, title, turns, messages, branches })),
    )
    expect([roots, isSample, indexing]).toEqual([[root], false, null])
    const [first] = rows
    expect(first).toMatchObject({
      project: '/home/ada/dotfiles',
      repository: '/home/ada/dotfiles',
      isGone: false,
      running: null,
    })
  })

  test('says what days and sessions cost, as clew usage does', async () => {
    const { days, sessions } = await json<Activity>('/api/activity')
    const { rows, timeZone } = await json<Home>('/api/home')
    const env = { TZ: timeZone }
    const byDay = clewJson<Record<string, unknown>>(['usage', '--root', root], { env }).slice(0, -1)
    expect(days.map(({ day, messages, costUsd }) => [day, messages, costUsd])).toEqual(
      byDay.map(({ key, messages, costUsd }) => [key, messages, costUsd]),
    )
    expect(days.every(({ sessions: own }) => own.length > 0)).toBe(true)
    const bySession = clewJson<Record<string, unknown>>(['usage', '--by', 'session', '--root', root], { env })
    for (const { key, costUsd } of bySession.slice(0, -1)) expect(sessions[String(key)]?.costUsd).toEqual(costUsd)
    expect(rows.some(({ id }) => (sessions[id]?.tokens ?? 0) > 0)).toBe(true)
  })
})

describe('the stream', () => {
  test('tells what it knows, and then what happens', async () => {
    const heard = await listen('/api/live')
    await expect.poll(() => heard.messages).toHaveLength(2)
    expect(heard.messages).toEqual([
      { kind: 'indexing', indexing: null },
      { kind: 'sessions', running: [] },
    ])
    const id = sessionId('7')
    const path = join(root, 'projects', '-home-ada-tidewatch', `${id}.jsonl`)
    writeFileSync(
      path,
      jsonl(
        session(sessionId('7'), [prompt('u1', null, 'a session that begins now'), reply('a1', 'u1', 'so it does')]),
      ),
    )
    const listed = (): readonly LiveMessage[] => heard.messages.filter(({ kind }) => kind === 'list')
    await expect.poll(() => listed().length).toBeGreaterThan(0)
    expect(listed()[0]).toMatchObject({
      kind: 'list',
      rows: [{ id, firstPrompt: 'a session that begins now', turns: 1 }],
      removed: [],
    })
    expect((await json<Home>('/api/home')).rows.some((row) => row.id === id)).toBe(true)
    rmSync(path)
    await expect.poll(() => listed().length).toBeGreaterThan(1)
    expect(listed().at(-1)).toMatchObject({ rows: [{ id, isGone: true }], removed: [] })
    heard.stop()
  })

  test('tells of a session when something was said in it, not of a mere title', async () => {
    const id = sessionId('6')
    const path = join(root, 'projects', '-home-ada-tidewatch', `${id}.jsonl`)
    const heard = await listen('/api/live')
    await expect.poll(() => heard.messages.length).toBeGreaterThan(1)
    const ids = (): readonly string[] =>
      heard.messages.flatMap((message) => (message.kind === 'list' ? message.rows.map((row) => row.id) : []))
    writeFileSync(path, jsonl([{ type: 'ai-title', aiTitle: 'Scratch work', sessionId: id }]))
    // What is written after it is heard after it.
    const other = join(root, 'projects', '-home-ada-dotfiles', `${sessionId('5')}.jsonl`)
    writeFileSync(other, jsonl(session(sessionId('5'), [prompt('u1', null, 'one'), reply('a1', 'u1', 'two')])))
    await expect.poll(ids).toContain(sessionId('5'))
    expect((await json<Home>('/api/home')).rows.some((row) => row.id === id)).toBe(false)
    appendFileSync(path, jsonl(session(id, [prompt('u1', null, 'hello'), reply('a1', 'u1', 'hello')])))
    await expect.poll(ids).toContain(id)
    rmSync(path)
    rmSync(other)
    heard.stop()
  })

  test('tells what is written into the conversation that is shown', async () => {
    const id = sessionId('8')
    const path = join(root, 'projects', '-home-ada-tidewatch', `${id}.jsonl`)
    writeFileSync(path, jsonl(session(sessionId('8'), [prompt('u1', null, 'first'), reply('a1', 'u1', 'one')])))
    await expect.poll(async () => (await json<Home>('/api/home')).rows.some((row) => row.id === id)).toBe(true)
    const heard = await listen(`/api/live?conversation=${id}`)
    await expect.poll(() => heard.messages.length).toBeGreaterThan(1)
    appendFileSync(path, jsonl(session(sessionId('8'), [prompt('u2', 'a1', 'second'), reply('a2', 'u2', 'two')])))
    const grown = (): readonly LiveMessage[] => heard.messages.filter(({ kind }) => kind === 'grew')
    await expect.poll(() => grown().length).toBeGreaterThan(0)
    expect(grown().at(-1)).toMatchObject({ kind: 'grew', id, turns: 2 })
    heard.stop()
    rmSync(path)
  })

  test('says which sessions are open, and in which state', async () => {
    mkdirSync(join(root, 'sessions'), { recursive: true })
    const said = { pid: process.pid, sessionId: SESSION, cwd: '/home/ada/tidewatch', startedAt: 5 }
    const file = join(root, 'sessions', `${process.pid}.json`)
    // A process that is gone leaves its file behind.
    writeFileSync(
      join(root, 'sessions', '4194304999.json'),
      JSON.stringify({ ...said, pid: 4194304999, sessionId: 'x' }),
    )
    for (const [status, state] of [
      ['busy', 'running'],
      ['waiting', 'waiting'],
      ['idle', 'idle'],
      ['shell', 'idle'],
      [undefined, 'idle'],
    ]) {
      writeFileSync(file, JSON.stringify({ ...said, status }))
      const heard = await listen('/api/live')
      const running = [{ id: SESSION, pid: process.pid, state, project: '/home/ada/tidewatch', sinceMs: 5 }]
      await expect
        .poll(() => heard.messages.find(({ kind }) => kind === 'sessions'))
        .toEqual({ kind: 'sessions', running })
      const { rows } = await json<Home>('/api/home')
      expect(rows.filter((row) => row.running !== null).map(({ id, running: own }) => [id, own])).toEqual([
        [SESSION, state],
      ])
      heard.stop()
    }
    const heard = await listen('/api/live')
    rmSync(join(root, 'sessions'), { recursive: true })
    await expect
      .poll(() => heard.messages.filter(({ kind }) => kind === 'sessions').at(-1))
      .toEqual({ kind: 'sessions', running: [] })
    heard.stop()
  })

  test('a stream that is closed makes room for another; too many are refused', async () => {
    const many = await Promise.all(Array.from({ length: 64 }, () => listen('/api/live')))
    expect((await get('/api/live')).status).toBe(503)
    for (const one of many.slice(0, 3)) one.stop()
    await expect
      .poll(async () => {
        const one = await listen('/api/live').catch(() => null)
        one?.stop()
        return one !== null
      })
      .toBe(true)
    for (const one of many) one.stop()
    const head = await ask(server.port, {
      method: 'HEAD',
      target: '/api/live',
      headers: [['X-Clew-Token', server.token]],
    })
    expect(head.status).toBe(200)
  })
})

interface Heard {
  readonly messages: readonly LiveMessage[]
  readonly stop: () => void
}

function listen(target: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const messages: LiveMessage[] = []
    const headers = { 'x-clew-token': server.token }
    const asked = request(
      { host: '127.0.0.1', port: server.port, path: target, headers, agent: false },
      (answer: IncomingMessage) => {
        if (answer.statusCode !== 200) {
          asked.destroy()
          return reject(new Error(`${answer.statusCode}`))
        }
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          const parts = (text + part).split('\n\n')
          text = parts.pop() ?? ''
          for (const one of parts) if (one.startsWith('data: ')) messages.push(JSON.parse(one.slice(6)) as LiveMessage)
        })
        answer.on('error', () => undefined)
        resolve({ messages, stop: () => asked.destroy() })
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
