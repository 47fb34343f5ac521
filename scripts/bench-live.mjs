// `npm run bench:live [seconds]`: eight writers append records of 1 KB to 2 MB to eight sessions while the viewer follows
// each of them. Every record has to be told once, in order; how long each took is measured from its write to the moment a
// follower has it as a row.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './start-server.mjs'

const seconds = Number(process.argv[2] ?? 60)
const WRITERS = 8
const scratch = mkdtempSync(join(tmpdir(), 'clew-bench-live-'))
const folder = join(scratch, 'claude', 'projects', '-home-ada-tidewatch')
mkdirSync(folder, { recursive: true })

const writers = Array.from({ length: WRITERS }, (_, number) => newWriter(number))
const environment = { PATH: process.env.PATH, HOME: scratch, XDG_CACHE_HOME: join(scratch, 'cache'), TZ: 'UTC' }
const server = await startServer(join(scratch, 'claude'), environment)
let code = 1
try {
  const lags = []
  const memory = []
  const stops = await Promise.all(writers.map((writer) => follow(writer, lags)))
  const endMs = performance.now() + seconds * 1000
  let next = 0
  while (performance.now() < endMs) {
    const writer = writers[next++ % WRITERS]
    append(writer)
    if (next % 40 === 0) memory.push(residentMegabytes(server.process.pid))
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  await new Promise((resolve) => setTimeout(resolve, 2000))
  for (const stop of stops) stop()
  const written = writers.reduce((sum, { uuids }) => sum + uuids.length, 0)
  const wrong = writers.filter(
    ({ uuids, seen }) => seen.length !== uuids.length || seen.some((uuid, at) => uuid !== uuids[at]),
  )
  lags.sort((one, other) => one - other)
  const at = (share) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))] ?? Number.NaN
  const half = Math.floor(memory.length / 2)
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const [before, after] = [mean(memory.slice(Math.floor(half / 2), half)), mean(memory.slice(half))]
  say(
    wrong.length === 0,
    `${written} records of ${WRITERS} writers, each shown once and in order: ${WRITERS - wrong.length} of ${WRITERS}`,
  )
  for (const { number, uuids, seen } of wrong)
    console.log(`  writer ${number}: ${uuids.length} written, ${seen.length} shown`)
  say(
    at(0.99) <= 300,
    `lag p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms (limit 300 ms), max ${at(1).toFixed(0)} ms`,
  )
  say(
    after <= before * 1.25 + 20,
    `memory ${before.toFixed(0)} MB in the second quarter, ${after.toFixed(0)} MB in the second half, highest ${Math.max(...memory).toFixed(0)} MB`,
  )
  code = wrong.length === 0 && at(0.99) <= 300 && after <= before * 1.25 + 20 ? 0 : 1
} finally {
  server.process.kill('SIGINT')
  rmSync(scratch, { recursive: true, force: true })
}
process.exit(code)

function newWriter(number) {
  const id = `00000000-0000-4000-8000-0000000000${(16 + number).toString(16)}`
  const writer = {
    number,
    id,
    path: join(folder, `${id}.jsonl`),
    uuids: [],
    sentMs: new Map(),
    seen: [],
    parent: null,
    turn: 0,
  }
  writeFileSync(writer.path, '')
  append(writer, 1000)
  return writer
}

/** Mostly small, now and then two megabytes. */
function sizeOf(count) {
  if (count % 97 === 0) return 2_000_000
  if (count % 31 === 0) return 300_000
  return 1000 + ((count * 7919) % 20_000)
}

function append(writer, bytes = sizeOf(writer.uuids.length + writer.number)) {
  const index = writer.uuids.length
  const uuid = `${(index + 1).toString(16).padStart(8, '0')}-0000-4000-8000-${writer.id.slice(-12)}`
  const isPrompt = index % 6 === 0
  const text = `${index} ${'x'.repeat(Math.max(1, bytes - 400))}`
  const record = {
    parentUuid: writer.parent,
    isSidechain: false,
    type: isPrompt ? 'user' : 'assistant',
    message: isPrompt
      ? { role: 'user', content: text }
      : {
          id: `msg_${writer.number}_${index}`,
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [{ type: 'text', text }],
        },
    uuid,
    timestamp: new Date().toISOString(),
    sessionId: writer.id,
    cwd: '/home/ada/tidewatch',
    version: '2.1.325',
  }
  writer.uuids.push(uuid)
  writer.sentMs.set(uuid, performance.now())
  appendFileSync(writer.path, `${JSON.stringify(record)}\n`)
  writer.parent = uuid
}

/** As the page does: a stream that says how far it has grown, and a window of what is new. */
async function follow(writer, lags) {
  const stopped = new AbortController()
  let known = 0
  let isAsking = false
  let wanted = 0
  const take = async () => {
    if (isAsking) return
    isAsking = true
    while (known < wanted) {
      const { rows } = await server.json(`/api/conversations/${writer.id}/rows?from=${known}&count=100`)
      const now = performance.now()
      for (const { uuid, row, kind } of rows) {
        if (row !== known) throw new Error(`row ${row} where ${known} was expected`)
        known++
        // What is too large is named by its row; the record itself is asked for alone.
        const name =
          kind === 'heavy' ? (await server.json(`/api/conversations/${writer.id}/row?row=${row}`)).uuid : uuid
        writer.seen.push(name)
        if (writer.seen.length > 1) lags.push(now - (writer.sentMs.get(name) ?? Number.NaN))
      }
      if (rows.length === 0) break
    }
    isAsking = false
  }
  const response = await fetch(`${server.origin}/api/live?conversation=${writer.id}`, {
    headers: { 'x-clew-token': server.token },
    signal: stopped.signal,
  })
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true })
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const line = text
          .slice(0, end)
          .split('\n')
          .find((one) => one.startsWith('data:'))
        text = text.slice(end + 2)
        const message = line === undefined ? null : JSON.parse(line.slice(5))
        if (message?.kind === 'grew' && message.id === writer.id) {
          wanted = message.rows
          void take()
        }
      }
    }
  }
  read().catch((error) => {
    if (!stopped.signal.aborted) throw error
  })
  const head = await server.json(`/api/conversations/${writer.id}/reading`)
  wanted = Math.max(wanted, head.rows)
  await take()
  return () => stopped.abort()
}

function residentMegabytes(pid) {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function say(isMet, text) {
  console.log(`${isMet ? '✓' : '✗'} ${text}`)
}
