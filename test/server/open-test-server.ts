// A server over some root, in this process, and requests as bytes on a socket: no client would forge what is forged here.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findTranscripts } from '../../src/load/found.ts'
import type { Report } from '../../src/server/keep-archive.ts'
import type { RunningServer } from '../../src/server/serve.ts'
import { openServer } from '../../src/server/serve.ts'

export interface TestServer extends RunningServer {
  /** `clew-1234=…`, as a browser has it after it opened the link. */
  readonly cookie: string
  readonly reports: readonly Report[]
  readonly errors: readonly unknown[]
  readonly folder: string
}

export const INDEX_HTML =
  '<!doctype html><title>Clew</title><script type="module" src="/assets/main-12345678.js"></script>'
export const SCRIPT = `document.title = ${JSON.stringify('clew '.repeat(500))}`

export interface TestServerOptions {
  readonly indexPath?: string | null
}

export async function openTestServer(
  roots: readonly string[],
  options: TestServerOptions = {},
): Promise<TestServer & { readonly end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-server-'))
  const pageFolder = join(folder, 'web')
  mkdirSync(join(pageFolder, 'assets'), { recursive: true })
  writeFileSync(join(pageFolder, 'index.html'), INDEX_HTML)
  writeFileSync(join(pageFolder, 'assets', 'main-12345678.js'), SCRIPT)
  writeFileSync(join(pageFolder, 'notes.exe'), 'a kind of file that no page has')
  const reports: Report[] = []
  const errors: unknown[] = []
  const server = await openServer({
    archive: findTranscripts(roots),
    isSample: false,
    pageFolder,
    indexPath: join(folder, 'cache', 'index.sqlite'),
    ...options,
    hasWorker: false,
    port: 0,
    environment: {},
    home: '/home/ada',
    onReport: (report) => reports.push(report),
    onError: (error) => errors.push(error),
  })
  // The index knows everything before anybody asks.
  while (!reports.some(({ kind }) => kind === 'done')) await new Promise((resolve) => setTimeout(resolve, 5))
  const { port, url } = server
  const entered = await ask(port, { target: new URL(url).pathname + new URL(url).search })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const end = async (): Promise<void> => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...server, cookie, reports, errors, folder, end }
}

export interface RawRequest {
  readonly method?: string
  readonly target?: string
  /** Undefined for the right one, null for none. */
  readonly host?: string | null | undefined
  readonly headers?: readonly (readonly [string, string])[]
  readonly address?: string
  readonly version?: string
  readonly body?: string
}

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly bytes: Buffer
}

export function ask(port: number, request: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'GET', target = '/', host = `127.0.0.1:${port}`, headers = [], version = '1.1' } = request
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(request.body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(request.body)}`]),
    ...(headers.some(([name]) => name.toLowerCase() === 'connection') ? [] : ['Connection: close']),
  ]
  return exchange(port, `${lines.join('\r\n')}\r\n\r\n${request.body ?? ''}`, request.address)
}

/** Bytes out, bytes in until the other side closes. */
export function exchange(port: number, text: string, address = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: address })
    const parts: Buffer[] = []
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(parsed(Buffer.concat(parts))))
    // Not ended: who hangs up gets no answer.
    socket.write(text, 'latin1')
  })
}

function parsed(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  )
  const rest = bytes.subarray(end + 4)
  const body = headers.get('transfer-encoding') === 'chunked' ? joined(rest) : rest
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: body.toString('utf8'), bytes: body }
}

function joined(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!(length > 0)) break
    parts.push(bytes.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return Buffer.concat(parts)
}
