// The sockets: loopback only, over IPv4 and IPv6, on one port. Every request passes the guard first, and everything that
// is answered, even to what is no HTTP, has the same headers.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { systemCode } from '../base/system-code.ts'
import type { House } from './guard.ts'
import { isApi, judge } from './guard.ts'
import { NOT_STORED, SECURITY_HEADERS } from './headers.ts'
import type { Keys } from './keys.ts'

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

const TRIES = 20

/** On a free port when `port` is 0. Throws what the system says when the port is taken. */
export async function listen(app: Hono, keys: Keys, port: number): Promise<Listening> {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  for (let left = port === 0 ? TRIES : 1; ; left--) {
    const first = serverFor(answer, keys)
    await open(first, '127.0.0.1', port)
    const found = (first.address() as AddressInfo).port
    const second = serverFor(answer, keys)
    try {
      const servers = (await isOpen(second, found)) ? [first, second] : [first]
      return { port: found, close: async () => void (await Promise.all(servers.map(closed))) }
    } catch (error) {
      await closed(first)
      // Another program has the port on the other address: who typed localhost might come to that one.
      if (left <= 1) throw error
    }
  }
}

/** False on a machine without IPv6. */
async function isOpen(server: Server, port: number): Promise<boolean> {
  try {
    await open(server, '::1', port)
    return true
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE' || systemCode(error) === 'EACCES') throw error
    return false
  }
}

function open(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true, ipv6Only: host === '::1' }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function serverFor(answer: RequestListener, keys: Keys): Server {
  // Without a Host the guard refuses, with all headers; Node alone would do it without.
  const server = createServer({ requireHostHeader: false }, (asked, answered) => {
    const { port } = server.address() as AddressInfo
    admit(asked, answered, { port, keys, writable: [] }, answer)
  })
  // What cannot be parsed never becomes a request.
  server.on('clientError', (_, socket) => refuseSocket(socket, 400))
  server.on('connect', (_, socket) => refuseSocket(socket, 405))
  server.on('checkExpectation', (_, answered) => {
    setHeaders(answered)
    answered.writeHead(417, { connection: 'close' }).end()
  })
  return server
}

function admit(asked: IncomingMessage, answered: ServerResponse, house: House, answer: RequestListener): void {
  setHeaders(answered)
  const { method = '', url: target = '', rawHeaders } = asked
  const verdict = judge({ method, target, rawHeaders }, house)
  if (verdict.kind === 'welcome') return void answer(asked, answered)
  if (verdict.kind === 'enter') {
    answered.writeHead(303, { 'set-cookie': verdict.cookie, location: verdict.location }).end()
    return
  }
  const { status, error } = verdict
  const isJson = isApi(target)
  answered.setHeader('content-type', isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8')
  if (status === 405) answered.setHeader('allow', 'GET, HEAD')
  // What else was on its way is not read.
  answered.setHeader('connection', 'close')
  answered.writeHead(status).end(isJson ? JSON.stringify({ error }) : `clew: ${error}\n`)
}

function setHeaders(answered: ServerResponse): void {
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...NOT_STORED })) answered.setHeader(name, value)
}

function refuseSocket(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy()
  const headers = { ...SECURITY_HEADERS, ...NOT_STORED, connection: 'close', 'content-length': '0' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
