// Who is let in, over real sockets: every combination of Host, Origin, Sec-Fetch, method, token and address that could
// matter, and only those that a short rule names get an answer.

import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judge } from '../../src/server/guard.ts'
import { SECURITY_HEADERS } from '../../src/server/headers.ts'
import { Keys } from '../../src/server/keys.ts'
import { sample } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import type { RawAnswer, RawRequest } from './open-test-server.ts'
import { ask, exchange, openTestServer } from './open-test-server.ts'

let server: Awaited<ReturnType<typeof openTestServer>>
beforeAll(async () => {
  server = await openTestServer([sample])
})
afterAll(() => server.end())

/** The policy word for word, and that nothing invites another page. */
function expectHeaders({ headers }: RawAnswer): void {
  const said = Object.fromEntries(Object.keys(SECURITY_HEADERS).map((name) => [name, headers.get(name)]))
  expect(said).toEqual({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(headers.has('cache-control')).toBe(true)
}

const TARGETS = ['/', '/usage', '/assets/main-12345678.js', '/api/home', '/api/usage?by=day'] as const
const HOSTS = [
  'own',
  'localhost',
  '::1',
  'none',
  'no port',
  'other port',
  'evil',
  'below evil',
  'user',
  'dot',
  'other name',
] as const
const ORIGINS = ['none', 'own', 'null', 'evil', 'https', 'other port'] as const
const FETCHES = [
  'none',
  'same-origin cors',
  'same-origin no-cors',
  'same-origin navigate',
  'none navigate',
  'none cors',
  'same-site navigate',
  'same-site cors',
  'cross-site navigate',
  'cross-site no-cors',
  'cross-site websocket',
] as const
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const
const TOKENS = [
  'cookie',
  'header',
  'both',
  'none',
  'wrong cookie',
  'wrong header',
  'cookie and wrong header',
  'link in header',
] as const

interface Combination {
  readonly target: (typeof TARGETS)[number]
  readonly host: (typeof HOSTS)[number]
  readonly origin: (typeof ORIGINS)[number]
  readonly fetch: (typeof FETCHES)[number]
  readonly method: (typeof METHODS)[number]
  readonly token: (typeof TOKENS)[number]
}

/** The whole rule, as a person would say it. */
function isIntended({ target, host, origin, fetch, method, token }: Combination): boolean {
  if (!['own', 'localhost', '::1'].includes(host)) return false
  if (!['none', 'own'].includes(origin)) return false
  if (!['GET', 'HEAD'].includes(method)) return false
  if (!['cookie', 'header', 'both'].includes(token)) return false
  if (fetch.startsWith('same-origin')) return true
  if (target.startsWith('/api/')) return fetch === 'none' && token !== 'cookie'
  return fetch === 'none' || fetch === 'none navigate'
}

function requestOf({ target, host, origin, fetch, method, token }: Combination): RawRequest {
  const { port, cookie, token: header } = server
  const hosts: Readonly<Record<Combination['host'], string | null>> = {
    own: `127.0.0.1:${port}`,
    localhost: `localhost:${port}`,
    '::1': `[::1]:${port}`,
    none: null,
    'no port': '127.0.0.1',
    'other port': `127.0.0.1:${port + 1}`,
    evil: `evil.example:${port}`,
    'below evil': `localhost.evil.example:${port}`,
    user: `127.0.0.1:${port}@evil.example`,
    dot: `localhost.:${port}`,
    'other name': `0.0.0.0:${port}`,
  }
  const named = hosts[host]
  const origins: Readonly<Record<Combination['origin'], string | null>> = {
    none: null,
    own: `http://${named}`,
    null: 'null',
    evil: 'http://evil.example',
    https: `https://${named}`,
    'other port': `http://127.0.0.1:${port + 1}`,
  }
  const wrong = 'A'.repeat(43)
  const link = new URL(server.url).searchParams.get('token') ?? ''
  const cookies: Partial<Record<Combination['token'], string>> = {
    cookie,
    both: cookie,
    'wrong cookie': `clew-${port}=${wrong}`,
    'cookie and wrong header': cookie,
  }
  const tokens: Partial<Record<Combination['token'], string>> = {
    header,
    both: header,
    'wrong header': wrong,
    'cookie and wrong header': wrong,
    'link in header': link,
  }
  const [site, mode] = fetch === 'none' ? [] : fetch.split(' ')
  const pairs: readonly (readonly [string, string | null | undefined])[] = [
    ['Origin', origins[origin]],
    ['Sec-Fetch-Site', site],
    ['Sec-Fetch-Mode', mode],
    ['Cookie', cookies[token]],
    ['X-Clew-Token', tokens[token]],
  ]
  const headers = pairs.flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  )
  return { method, target, host: named, headers }
}

const GOOD: Combination = {
  target: '/api/home',
  host: 'own',
  origin: 'none',
  fetch: 'same-origin cors',
  method: 'GET',
  token: 'cookie',
}

/** All that differ from a good request in at most two ways, and many more by chance. */
function combinations(): readonly Combination[] {
  const lists = { target: TARGETS, host: HOSTS, origin: ORIGINS, fetch: FETCHES, method: METHODS, token: TOKENS }
  const names = Object.keys(lists) as readonly (keyof Combination)[]
  const ways = names.flatMap((name) => lists[name].map((value) => ({ [name]: value })))
  const found = new Map<string, Combination>()
  const add = (one: Combination): void => void found.set(JSON.stringify(one), one)
  for (const one of ways) for (const other of ways) add({ ...GOOD, ...one, ...other })
  const { pick, chance } = randomOf(6)
  while (found.size < 2500) {
    const changed = names.filter(() => chance(0.6))
    const changes = changed.map((name) => ({ [name]: pick(lists[name] as readonly string[]) }))
    add(Object.assign({ ...GOOD, target: pick(TARGETS) }, ...changes) as Combination)
  }
  return [...found.values()]
}

test('of all combinations only those succeed that are meant to', async () => {
  const all = combinations()
  const wrong: string[] = []
  let welcome = 0
  for (const one of all) {
    const answer = await ask(server.port, requestOf(one))
    expectHeaders(answer)
    const { status, body } = answer
    const isRight = isIntended(one)
      ? status === 200
      : [400, 401, 403, 405, 421].includes(status) && !body.includes('"rows"')
    if (!isRight) wrong.push(`${status} ${JSON.stringify(one)}`)
    if (status === 200) welcome++
  }
  expect(wrong).toEqual([])
  expect(all.length).toBeGreaterThanOrEqual(2500)
  expect(welcome).toBeGreaterThan(100)
  expect(all.length - welcome).toBeGreaterThan(1500)
})

test.each<readonly [string, Partial<Combination>, number]>([
  ['a name bound anew', { host: 'evil' }, 421],
  ['no Host at all', { host: 'none' }, 421],
  ['another page', { origin: 'evil' }, 403],
  ['a sandboxed page', { origin: 'null' }, 403],
  ['an image on another page', { fetch: 'cross-site no-cors' }, 403],
  ['a link on another page', { target: '/', fetch: 'cross-site navigate' }, 403],
  ['an address of the API typed by hand', { fetch: 'none navigate' }, 403],
  ['an old browser, or a program without the token', { fetch: 'none' }, 403],
  ['a form', { method: 'POST' }, 405],
  ['a preflight', { method: 'OPTIONS' }, 405],
  ['nobody', { token: 'none' }, 401],
  ['a wrong cookie', { token: 'wrong cookie' }, 401],
  ['a wrong header beside the right cookie', { token: 'cookie and wrong header' }, 401],
  ['the token of the link as a header', { token: 'link in header' }, 401],
])('%s is refused for what it is', async (_, change, status) => {
  const answer = await ask(server.port, requestOf({ ...GOOD, ...change }))
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toMatch(change.target === '/' ? /^text\/plain/ : /^application\/json/)
  expect(answer.body).not.toContain(server.token)
})

describe('what is no plain request', () => {
  const known = (): readonly (readonly [string, string])[] => [['X-Clew-Token', server.token]]

  test.each([
    'http://127.0.0.1/api/home',
    'http://evil.example/',
    '//evil.example/',
    '*',
    'api/home',
    '/api/../api/home',
    '/api/%2e%2e/home',
    '/api%2fhome',
    '/api/home%00',
    '/api\\home',
    '/%zz',
    '/%ff',
    '/a%0d%0aset-cookie:x=1',
    '/#x',
    '/api/home?q=<script>',
  ])('%s', async (target) => {
    const answer = await ask(server.port, { target, headers: known() })
    expect(answer.status).toBe(400)
    expectHeaders(answer)
  })

  test.each(['own', 'evil', 'none'] as const)('an upgrade, Host %s', async (host) => {
    const headers = [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ] as const
    for (const fetch of ['same-origin cors', 'cross-site websocket'] as const) {
      const request = requestOf({ ...GOOD, host, fetch, token: 'both', origin: host === 'own' ? 'own' : 'evil' })
      const answer = await ask(server.port, { ...request, headers: [...(request.headers ?? []), ...headers] })
      expect(answer.status).toBe(host === 'own' ? 400 : 421)
      expectHeaders(answer)
    }
  })

  test('a header that is said twice', async () => {
    for (const pair of [
      ['Host', 'evil.example'],
      ['X-Clew-Token', 'A'],
    ] as const) {
      const answer = await ask(server.port, { target: '/api/home', headers: [...known(), pair] })
      expect(answer.status).toBe(400)
    }
    for (const first of ['same-origin', 'cross-site']) {
      const headers = [...known(), ['Sec-Fetch-Site', first], ['Sec-Fetch-Site', 'same-origin']] as const
      expect((await ask(server.port, { target: '/api/home', headers })).status).toBe(400)
    }
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a proxy', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', 405],
    ['a bad header', 'GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`, 400],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n', 417],
    ['the old protocol', 'GET / HTTP/1.0\r\n\r\n', 421],
  ])('%s', async (_, text, status) => {
    const answer = await exchange(server.port, text)
    expect(answer.status).toBe(status)
    expectHeaders(answer)
  })
})

describe('the link', () => {
  test('opens once, and leaves a cookie that is another secret', async () => {
    const fresh = await openTestServer([sample])
    try {
      const { port, url, cookie, token } = fresh
      const link = new URL(url).searchParams.get('token') ?? ''
      // The server was opened with it already.
      expect(cookie).toMatch(new RegExp(`^clew-${port}=[\\w-]{43}$`))
      expect(new Set([link, token, cookie.split('=')[1]]).size).toBe(3)
      for (const one of [link, token]) expect(one).toMatch(/^[\w-]{43}$/)
      const again = await ask(port, { target: `/?token=${link}` })
      expect(again.status).toBe(401)
      expect(again.headers.has('set-cookie')).toBe(false)
      expect(again.body).toMatch(/^clew: [^\n]*clew serve[^\n]*\n$/)
      // Who is in already is led to the page, and the token out of the address.
      const inside = await ask(port, { target: `/usage?by=day&token=${link}`, headers: [['Cookie', cookie]] })
      expect([inside.status, inside.headers.get('location')]).toEqual([303, '/usage?by=day'])
    } finally {
      await fresh.end()
    }
  })

  test('is for a browser that opens it: not for HEAD, not from another page, not for the API', () => {
    const keys = new Keys()
    const house = { port: 7777, keys, writable: [] }
    const asked = (method: string, target: string, more: readonly string[] = []) =>
      judge({ method, target, rawHeaders: ['Host', 'localhost:7777', ...more] }, house)
    const target = `/c/some?token=${keys.link}&at=1`
    expect(asked('HEAD', target)).toMatchObject({ status: 401 })
    expect(asked('GET', target, ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate'])).toMatchObject({
      status: 403,
    })
    expect(asked('GET', `/api/home?token=${keys.link}`)).toMatchObject({ status: 403 })
    expect(asked('GET', `/?token=${keys.link.slice(0, -1)}`)).toMatchObject({ status: 401 })
    expect(asked('GET', '/', ['Referer', `http://localhost:7777/?token=${keys.link}`])).toMatchObject({ status: 401 })
    expect(asked('GET', '/', ['Cookie', `clew-7777=${keys.link}`])).toMatchObject({ status: 401 })
    expect(asked('GET', '/', ['Cookie', `clew-7778=${keys.cookie}`])).toMatchObject({ status: 401 })
    expect(asked('GET', target)).toEqual({
      kind: 'enter',
      cookie: `clew-7777=${keys.cookie}; HttpOnly; SameSite=Strict; Path=/`,
      location: '/c/some?at=1',
    })
    expect(asked('GET', target)).toMatchObject({ status: 401 })
  })
})

test('writing, once there is something to write, takes the header and JSON', () => {
  const keys = new Keys()
  const house = { port: 7777, keys, writable: ['/api/note'] }
  const own = ['Host', 'localhost:7777', 'Cookie', `clew-7777=${keys.cookie}`, 'Sec-Fetch-Site', 'same-origin']
  const asked = (target: string, more: readonly string[], method = 'POST') =>
    judge({ method, target, rawHeaders: [...own, ...more] }, house)
  const header = ['X-Clew-Token', keys.header]
  const json = ['Content-Type', 'application/json; charset=utf-8']
  expect(asked('/api/note', [...header, ...json])).toEqual({ kind: 'welcome' })
  expect(asked('/api/note', json)).toMatchObject({ status: 403 })
  expect(asked('/api/note', ['X-Clew-Token', 'wrong', ...json])).toMatchObject({ status: 401 })
  expect(asked('/api/note', [...header, 'Content-Type', 'text/plain'])).toMatchObject({ status: 415 })
  expect(asked('/api/note', header)).toMatchObject({ status: 415 })
  expect(asked('/api/note', [...header, ...json, 'Origin', 'http://evil.example'])).toMatchObject({ status: 403 })
  expect(asked('/api/note', [...header, ...json], 'PUT')).toMatchObject({ status: 405 })
  expect(asked('/api/home', [...header, ...json])).toMatchObject({ status: 405 })
})

describe('the sockets', () => {
  test('IPv4 and IPv6, the same port', async () => {
    const hasIpv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === '::1'))
    for (const address of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
      const { status } = await ask(server.port, { address, headers: [['X-Clew-Token', server.token]] })
      expect(status).toBe(200)
    }
  })

  const outside = Object.values(networkInterfaces()).flatMap((own) =>
    (own ?? []).filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  )
  const skipped = outside.length === 0 ? 'SKIPPED, this machine has no other address: ' : ''
  test.skipIf(outside.length === 0)(`${skipped}not on any other address of this machine`, async () => {
    for (const address of [...outside, '127.0.0.2']) {
      await expect(ask(server.port, { address })).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/)
    }
  })
})
