// No address leads to a file that is not meant: every payload as a path, and in the place of every id, ref, agent, record
// and file that any route takes. What comes is a refusal; never foreign bytes, never a mistake of ours.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RowWindow } from '../../src/server/api/rows.ts'
import { sample } from '../cli/run.ts'
import { allRoutes } from './all-routes.ts'
import { ask, INDEX_HTML, openTestServer } from './open-test-server.ts'
import { PAYLOADS } from './traversal-payloads.ts'

/** Stands in files around everything the server may read, and in none it may show. */
const FOREIGN = 'foreign-bytes-5d1c'
const SESSION = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'

const folder = mkdtempSync(join(tmpdir(), 'clew-traversal-'))
const root = join(folder, 'deep', 'claude')
let server: Awaited<ReturnType<typeof openTestServer>>
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

beforeAll(async () => {
  cpSync(sample, root, { recursive: true })
  for (const place of [folder, join(folder, 'deep'), root, join(root, 'projects')]) {
    writeFileSync(join(place, 'secret.txt'), FOREIGN)
    writeFileSync(join(place, 'package.json'), FOREIGN)
  }
  mkdirSync(join(root, 'projects', 'notes'))
  server = await openTestServer([root])
  writeFileSync(join(server.folder, 'secret.txt'), FOREIGN)
  writeFileSync(join(server.folder, 'package.json'), FOREIGN)
})
afterAll(async () => {
  agent.destroy()
  await server.end()
  rmSync(folder, { recursive: true, force: true })
})

const isForeign = (body: string): boolean => /foreign-bytes-5d1c|root:x:0:0|SQLite format 3|\[fonts\]|PATH=/.test(body)

test('there are enough of them', () => {
  expect(new Set(PAYLOADS).size).toBeGreaterThanOrEqual(300)
  expect(allRoutes().length).toBeGreaterThan(10)
})

test('as a path, byte for byte', async () => {
  const wrong: string[] = []
  for (const payload of PAYLOADS) {
    // What cannot stand in a request line at all is sent the way a browser would write it.
    const target = [`/${payload}`, `/assets/${payload}`].map((one) =>
      one.replaceAll(/[^!-~]/gu, (odd) => encodeURIComponent(odd)),
    )
    for (const one of target) {
      const { status, body } = await ask(server.port, { target: one, headers: [['X-Clew-Token', server.token]] })
      const isPage = status === 200 && body === INDEX_HTML
      if (!isPage && ![400, 404, 431].includes(status)) wrong.push(`${status} ${one}`)
      if (isForeign(body)) wrong.push(`foreign bytes: ${one}`)
    }
  }
  expect(wrong).toEqual([])
})

test('a file of the page under another name is not there', async () => {
  for (const target of [
    '/notes.exe',
    '/assets',
    '/assets/',
    '/assets/main-12345678.js/',
    '/INDEX.HTML',
    '/assets/MAIN-12345678.js',
  ]) {
    const { status } = await ask(server.port, { target, headers: [['X-Clew-Token', server.token]] })
    expect([target, status]).toEqual([target, 404])
  }
})

/** Those that lead to bytes, and a few more that are tried with every fourth. */
const NAMES = ['ref', 'agent', 'record', 'file', 'at', 'call', 'date', 'key'] as const
const EVERY = { ref: 1, agent: 1, record: 1, file: 1, at: 4, call: 4, date: 4, key: 4 } as const

test.each(allRoutes().map((path) => [path] as const))('%s', async (path) => {
  const wrong: string[] = []
  const check = async (target: string, isOwn: (status: number) => boolean): Promise<void> => {
    const { status, body } = await fetched(target)
    if (isForeign(body)) wrong.push(`foreign bytes: ${target}`)
    if (!isOwn(status)) wrong.push(`${status} ${target}`)
  }
  const good = await goodQuery()
  const parameters = path.match(/:\w+/g) ?? []
  for (const payload of PAYLOADS) {
    const written = encodeURIComponent(payload)
    for (const parameter of parameters) {
      const target = path.replace(parameter, written).replaceAll(/:\w+/g, SESSION)
      await check(`${target}?${good}`, (status) => status === 400 || status === 404)
    }
  }
  if (path !== '/api/live') {
    const own = path.replaceAll(/:\w+/g, SESSION)
    const plain = await fetched(`${own}?${good}`)
    for (const name of NAMES) {
      const targetWith = (payload: string): string => {
        const query = new URLSearchParams(good)
        query.set(name, payload)
        return `${own}?${query}`
      }
      // A name that the route does not know is tried with a few all the same.
      const odd = await fetched(targetWith('no-such-value'))
      const isIgnored = odd.status === plain.status && withoutNumbers(odd.body) === withoutNumbers(plain.body)
      const tried = PAYLOADS.filter((_, index) => index % (isIgnored ? 40 : EVERY[name]) === 0)
      for (const payload of tried) await check(targetWith(payload), (status) => [200, 400, 404].includes(status))
    }
  }
  expect(wrong).toEqual([])
  expect(server.errors).toEqual([])
})

/** Times are in some answers. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, '')
}

/** What makes most routes answer, so that the one wrong value is what is met. */
async function goodQuery(): Promise<string> {
  const { body } = await fetched(`/api/conversations/${SESSION}/rows`)
  const window = JSON.parse(body) as RowWindow
  const call = window.rows
    .flatMap((row) => (row.kind === 'reply' ? row.blocks : []))
    .find(({ kind }) => kind === 'call')
  const row = window.rows.find((one) => one.kind === 'reply' && one.blocks.some(({ kind }) => kind === 'call'))
  return new URLSearchParams({
    q: 'calendar',
    ref: row?.ref ?? '',
    row: String(row?.row ?? 0),
    record: row?.uuid ?? '',
    call: call?.kind === 'call' ? call.call.id : '',
  }).toString()
}

/** With connections that are kept: these are many. */
function fetched(target: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, host: '127.0.0.1', port: server.port, path: target, headers: { 'x-clew-token': server.token } },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }))
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
