// `npm run bench:web`: the viewer at its limits, one run, a limit beside each figure. A session of 100 MB beside one of
// 1 MB, over HTTP from a warm index; windows at any place; then the page in a browser: the first screen, and 10,000 turns
// from one end to the other. Sessions are generated once, into bench-data/.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './start-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const clew = join(root, 'dist', 'bin', 'clew.js')
const scratch = mkdtempSync(join(tmpdir(), 'clew-bench-web-'))
const WATCH = `(() => {
  globalThis.watched = { longest: 0 }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration)
  }).observe({ type: 'longtask' })
})()`

// Three screens a step, a frame apart: faster than anybody scrolls, and every row comes into view.
const SCROLL = `(async () => {
  const pane = [...document.querySelectorAll('*')].filter((one) => one.scrollHeight > one.clientHeight + 1000 && getComputedStyle(one).overflowY !== 'visible').sort((one, other) => other.scrollHeight - one.scrollHeight)[0] ?? document.scrollingElement
  let steps = 0
  while (pane.scrollTop + pane.clientHeight < pane.scrollHeight - 5 && steps < 20000) {
    pane.scrollTop += pane.clientHeight * 3
    steps++
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  return { steps, height: pane.scrollHeight }
})()`

const rows = []
let failed = 0

try {
  const claude = join(scratch, 'claude')
  const folder = join(claude, 'projects', '-home-ada-tidewatch')
  mkdirSync(folder, { recursive: true })
  const large = sessionOf(folder, '00000000-0000-4000-8000-00000000000a', { records: 60_000, bytesEach: 1750 })
  const small = sessionOf(folder, '00000000-0000-4000-8000-00000000000b', { records: 600, bytesEach: 1750 })
  const turns = sessionOf(folder, '00000000-0000-4000-8000-00000000000c', {
    records: 40_000,
    bytesEach: 500,
    perTurn: 4,
  })
  const environment = { PATH: process.env.PATH, HOME: scratch, XDG_CACHE_HOME: join(scratch, 'cache'), TZ: 'UTC' }
  const indexed = spawnSync(process.execPath, [clew, 'list', '--json', '--root', claude], { env: environment })
  if (indexed.status !== 0) throw new Error(String(indexed.stderr))
  const server = await startServer(claude, environment)
  try {
    await serverFigures(server, large, small)
    await browserFigures(server, turns, large)
    figure('memory of the server', residentMegabytes(server.process.pid), 300, 'MB')
  } finally {
    server.process.kill('SIGINT')
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(rows.join('\n'))
process.exit(failed === 0 ? 0 : 1)

async function serverFigures(server, large, small) {
  const firstScreen = async ({ id }) => {
    const startedMs = performance.now()
    const head = await server.json(`/api/conversations/${id}`)
    await server.json(`/api/conversations/${id}/rows?from=0&count=60`)
    return { ms: performance.now() - startedMs, rows: head.reading.rows }
  }
  // What asks needs a moment too, the first time.
  await server.json('/api/home')
  const times = { large: [], small: [] }
  for (let round = 0; round < 25; round++) {
    times.large.push((await firstScreen(large)).ms)
    times.small.push((await firstScreen(small)).ms)
  }
  const { rows: count } = await firstScreen(large)
  figure(`first screen of ${megabytes(large.bytes)} MB, the very first time`, times.large[0], 100, 'ms')
  figure('first screen, median', median(times.large), 100, 'ms')
  figure('… beside a session of 1 MB', median(times.large) / median(times.small), 1.5, '×')
  const windows = []
  for (let at = 0; at < 1000; at++) {
    const from = Math.floor(((at * 7919) % 1000) * (count / 1000))
    const startedMs = performance.now()
    await server.json(`/api/conversations/${large.id}/rows?from=${from}&count=60`)
    windows.push(performance.now() - startedMs)
  }
  figure(`a window at any of ${count} rows, p50`, percentile(windows, 0.5), 30, 'ms')
  figure('a window at any place, p99', percentile(windows, 0.99), 30, 'ms')
}

async function browserFigures(server, turns, large) {
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
    (path) => path !== undefined && existsSync(path),
  )
  if (executablePath === undefined) {
    rows.push('SKIPPED: no Chromium (set CHROMIUM), so the page was not measured')
    return
  }
  const { chromium } = await import('playwright-core')
  const words = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
  const browser = await chromium.launch({ executablePath, args: [...words, ...quiet] })
  try {
    const door = await browser.newContext()
    const entered = await door.newPage()
    await entered.goto(server.url)
    const storageState = await door.storageState()
    await door.close()
    for (const [name, { id }] of Object.entries({ 'the list': { id: null }, 'a session of 100 MB': large })) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, storageState })
      const page = await context.newPage()
      await page.goto(`${server.origin}${id === null ? '/' : `/c/${id}`}`)
      await page
        .locator(id === null ? 'main a[href^="/c/"]' : 'article')
        .first()
        .waitFor()
      const shown = await page.evaluate(`performance.now()`)
      const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`)
      figure(`first contentful paint of ${name}, nothing cached`, paint, 1000, 'ms')
      figure(`… with its content`, shown, 1000, 'ms')
      await context.close()
    }
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, storageState })
    const page = await context.newPage()
    await page.goto(`${server.origin}/c/${turns.id}`)
    await page.locator('article').first().waitFor()
    await page.evaluate(WATCH)
    const scrolled = await page.evaluate(SCROLL)
    const longest = await page.evaluate('watched.longest')
    figure(
      `longest task while ${turns.turns} turns scroll by (${scrolled.steps} steps, ${scrolled.height} px)`,
      longest,
      200,
      'ms',
    )
    await context.close()
  } finally {
    await browser.close()
  }
}

/** Turns as clients write them, with tool results in proportion. */
function sessionOf(folder, id, { records, bytesEach, perTurn = 40 }) {
  const path = join(folder, `${id}.jsonl`)
  const lines = []
  let parent = null
  let turns = 0
  let clock = Date.parse('2026-11-01T08:00:00Z')
  for (let index = 0; index < records; index++) {
    const uuid = `${index.toString(16).padStart(8, '0')}-0000-4000-8000-${id.slice(-12)}`
    clock += 2000
    const base = {
      parentUuid: parent,
      isSidechain: false,
      uuid,
      timestamp: new Date(clock).toISOString(),
      sessionId: id,
    }
    const rest = { cwd: '/home/ada/tidewatch', version: '2.1.325', gitBranch: 'main' }
    const place = index % perTurn
    if (place === 0) turns++
    const text = `${'tides and clocks '.repeat(Math.ceil(bytesEach / 17)).slice(0, Math.max(40, bytesEach - 500))}`
    const model = 'claude-opus-5-5'
    const record =
      place === 0
        ? {
            ...base,
            type: 'user',
            message: { role: 'user', content: `Turn ${turns}: what about ${text.slice(0, 120)}?` },
            ...rest,
          }
        : place % 2 === 1
          ? {
              ...base,
              type: 'assistant',
              message: {
                id: `msg_${index}`,
                role: 'assistant',
                model,
                content: [
                  place === perTurn - 1
                    ? {
                        type: 'text',
                        text: `**So.** ${text}\n\n- one\n- two\n\n\`\`\`ts\nconst day = ${index}\n\`\`\``,
                      }
                    : {
                        type: 'tool_use',
                        id: `toolu_${index}`,
                        name: 'Bash',
                        input: { command: `rg -n tide ${index}` },
                      },
                ],
                usage: {
                  input_tokens: 3,
                  output_tokens: 40,
                  cache_read_input_tokens: 1000,
                  cache_creation_input_tokens: 0,
                },
              },
              ...rest,
            }
          : {
              ...base,
              type: 'user',
              message: {
                role: 'user',
                content: [
                  {
                    type: 'tool_result',
                    tool_use_id: `toolu_${index - 1}`,
                    content: text.repeat(place % 7 === 0 ? 2 : 1),
                  },
                ],
              },
              toolUseResult: { stdout: text, stderr: '' },
              ...rest,
            }
    lines.push(JSON.stringify(record))
    parent = uuid
  }
  const text = `${lines.join('\n')}\n`
  writeFileSync(path, text)
  return { id, path, bytes: Buffer.byteLength(text), turns }
}

function figure(name, value, limit, unit) {
  const isMet = value <= limit
  if (!isMet) failed++
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  rows.push(`${isMet ? '✓' : '✗'} ${name}: ${value.toFixed(digits)} ${unit} (limit ${limit} ${unit})`)
}

function residentMegabytes(pid) {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function percentile(values, share) {
  return [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))]
}

function median(values) {
  return percentile(values, 0.5)
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0)
}
