// The built command as a person runs it: a process that listens, opens with its link, notices new sessions and ends at
// Ctrl-C.

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openerOf } from '../../src/cli/open-browser.ts'
import type { Home } from '../../src/server/api/home.ts'
import { jsonl, prompt, reply, session, sessionId } from './records.ts'
import { clew, command, environment, newFolder, projectFolder, sample } from './run.ts'

interface Served {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  readonly token: string
  readonly isSample: boolean
  readonly printed: () => string
  readonly noted: () => string
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

async function serve(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  script = [command, 'serve'],
): Promise<Served> {
  const child = spawn(process.execPath, [...script, '--no-open', '--json', ...words], {
    cwd: newFolder(),
    env: environment({ HOME: newFolder('home'), NO_COLOR: '1', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let printed = ''
  let noted = ''
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()))
  child.stderr.on('data', (part: Buffer) => (noted += part.toString()))
  const over = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('\n')
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return over
  }
  const { url, port, token, isSample } = JSON.parse(printed) as Omit<Served, 'child'>
  return { child, url, port, token, isSample, printed: () => printed, noted: () => noted, end }
}

async function home({ port, token }: Served): Promise<Home> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/home`, { headers: { 'x-clew-token': token } })
  return (await answer.json()) as Home
}

describe('clew serve', () => {
  test('opens with its link, shows the page, ends at Ctrl-C', async () => {
    const cache = newFolder('cache')
    const served = await serve(['--root', sample], { XDG_CACHE_HOME: cache })
    expect(served.url).toBe(`http://127.0.0.1:${served.port}/?token=${new URL(served.url).searchParams.get('token')}`)
    const entered = await fetch(served.url, { redirect: 'manual' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/'])
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    const page = await fetch(new URL('/', served.url), { headers: { cookie } })
    const html = await page.text()
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? []
    const loaded = await fetch(new URL(script, served.url), { headers: { cookie } })
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect((await home(served)).rows).toHaveLength(5)
    expect(Object.keys(JSON.parse(served.printed()) as object)).toEqual(['url', 'port', 'token', 'isSample'])
    expect(served.isSample).toBe(false)
    await expect.poll(() => existsSync(join(cache, 'clew', 'index.sqlite'))).toBe(true)
    expect(await served.end('SIGINT')).toBe(0)
    expect(served.noted()).toBe('')
    expect(served.printed().trim().split('\n')).toHaveLength(1)
  })

  test('with no sessions it shows the sample and says so', async () => {
    const served = await serve([])
    expect(served.isSample).toBe(true)
    const { rows, isSample } = await home(served)
    expect([rows.length, isSample]).toEqual([5, true])
    expect(await served.end('SIGTERM')).toBe(0)
    const person = spawn(process.execPath, [command, 'serve'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(person)
    let said = ''
    let noted = ''
    person.stdout.on('data', (part: Buffer) => (said += part.toString()))
    person.stderr.on('data', (part: Buffer) => (noted += part.toString()))
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(/^clew: http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/)
    expect(noted).toContain('bundled sample')
    expect(noted).not.toContain('token')
  })

  test('notices a session that begins, by way of its thread', async () => {
    const root = newFolder('claude')
    const project = join(root, 'projects', '-home-ada-tidewatch')
    mkdirSync(project, { recursive: true })
    writeFileSync(
      join(project, `${sessionId('1')}.jsonl`),
      jsonl(session(sessionId('1'), [prompt('u1', null, 'one'), reply('a1', 'u1', 'x')])),
    )
    const served = await serve(['--root', root])
    await expect.poll(async () => (await home(served)).rows.length, { timeout: 20_000 }).toBe(1)
    writeFileSync(
      join(project, `${sessionId('2')}.jsonl`),
      jsonl(session(sessionId('2'), [prompt('u2', null, 'two'), reply('a2', 'u2', 'y')])),
    )
    await expect.poll(async () => (await home(served)).rows.length, { timeout: 20_000 }).toBe(2)
    expect(await served.end('SIGINT')).toBe(0)
  })

  test.each([
    ['where no index can be kept', [], { XDG_CACHE_HOME: '/dev/null/cache' }],
    ['without an index', ['--no-index'], {}],
  ])('works %s', async (_, words, env) => {
    const served = await serve(['--root', sample, ...words], env)
    await expect.poll(async () => (await home(served)).rows.length, { timeout: 20_000 }).toBe(5)
    expect(await served.end('SIGINT')).toBe(0)
    expect(served.noted()).toBe('')
  })

  test('npm start is the same', async () => {
    const served = await serve(['--root', sample], {}, [join(projectFolder, 'scripts', 'start.mjs')])
    expect((await home(served)).rows).toHaveLength(5)
    expect(await served.end('SIGINT')).toBe(0)
    await expect(
      new Promise((resolve, reject) => connect(served.port, '127.0.0.1', () => resolve(0)).on('error', reject)),
    ).rejects.toThrow('ECONNREFUSED')
  })

  test('a port that is taken, or none, is told in one line', async () => {
    const served = await serve(['--root', sample])
    for (const [port, message] of [
      [String(served.port), `clew: port ${served.port} is taken. Try: clew serve without --port\n`],
      ['70000', 'clew: --port takes a number up to 65535, not “70000”\n'],
      ['x', 'clew: --port takes a whole number, not “x”\n'],
    ]) {
      const { status, err, out } = clew(['serve', '--no-open', '--root', sample, '--port', port ?? ''])
      expect([status, err, out]).toEqual([1, message, ''])
    }
    expect(clew(['serve', 'latest']).err).toBe('clew: serve takes no “latest”. Try: clew serve --help\n')
    expect(clew(['serve', '--root', '/nowhere/at/all']).err).toContain('no such file or folder')
    await served.end('SIGINT')
  })
})

test('which program opens the browser, where anybody would see it', () => {
  const url = 'http://127.0.0.1:1/?token=x'
  expect(openerOf(url, { platform: 'darwin', environment: {} })).toEqual(['open', url])
  expect(openerOf(url, { platform: 'linux', environment: { DISPLAY: ':0' } })).toEqual(['xdg-open', url])
  expect(openerOf(url, { platform: 'linux', environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual(['xdg-open', url])
  expect(openerOf(url, { platform: 'linux', environment: { DISPLAY: '' } })).toEqual([])
  expect(openerOf(url, { platform: 'win32', environment: {} })).toEqual([
    'rundll32',
    'url.dll,FileProtocolHandler',
    url,
  ])
})
