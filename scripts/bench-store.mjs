// `node scripts/bench-store.mjs`: appends that last, by producers that each wait for theirs, through the store and through
// the plainest loop that gives the same promise. Both in one run and in turns: this machine is noisy, the ratio is not.
//   --rounds 5 --seconds 2 --producers 64 --bytes 1000
import { closeSync, fsync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { prepare, root } from './prepare.mjs'

const NEEDED = 0.4
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    producers: { type: 'string', default: '64' },
    bytes: { type: 'string', default: '1000' },
    dist: { type: 'string' },
  },
})
const [rounds, seconds, producers, bytes] = [values.rounds, values.seconds, values.producers, values.bytes].map(Number)
if (values.dist === undefined) prepare({ quiet: true })
const { openStore } = await import(join(values.dist ?? join(root, 'dist'), 'store', 'open-store.js'))
const syncFile = promisify(fsync)
const folder = mkdtempSync(join(tmpdir(), 'clew-bench-store-'))
// The store adds about 400 bytes of fields to a record: both write lines of the same length.
const FIELDS_BYTES = 400
const content = 'x'.repeat(Math.max(1, bytes - FIELDS_BYTES))

try {
  const results = { store: [], raw: [] }
  let lineBytes = bytes
  for (let round = 0; round < rounds; round++) {
    const stored = await throughStore(round)
    lineBytes = stored.lineBytes
    const raw = await throughLoop(round, lineBytes)
    results.store.push(stored.rate)
    results.raw.push(raw)
    console.log(`round ${round + 1}: store ${per(stored.rate)}, raw loop ${per(raw)}, ${percent(stored.rate / raw)}`)
  }
  const [store, raw] = [median(results.store), median(results.raw)]
  const ratio = median(results.store.map((rate, round) => rate / results.raw[round]))
  console.log(`\n${producers} producers, lines of ${lineBytes} bytes, median of ${rounds} rounds of ${seconds} s`)
  console.log('| what | durable appends | ratio | needed |\n|---|---|---|---|')
  console.log(`| raw group commit | ${per(raw)} | | |`)
  console.log(`| the store | ${per(store)} | ${percent(ratio)} | ≥ ${percent(NEEDED)} |`)
  process.exitCode = ratio >= NEEDED ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function throughStore(round) {
  const store = openStore({ root: join(folder, `store-${round}`) })
  const session = await store.create({ cwd: '/home/ada/tide' })
  const record = { type: 'user', message: { role: 'user', content } }
  const before = await session.append(record).then(() => statSync(session.path).size)
  const { rate, count } = await produce(() => session.append(record))
  const lineBytes = Math.round((statSync(session.path).size - before) / count)
  await session.close()
  return { rate, lineBytes }
}

/** Gather, one write, one sync, and all who wait go on. */
async function throughLoop(round, lineBytes) {
  const fd = openSync(join(folder, `raw-${round}.jsonl`), 'a')
  const line = Buffer.from(`${'x'.repeat(lineBytes - 1)}\n`)
  let waiting = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    await null
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      writeSync(fd, Buffer.concat(batch.map((one) => one.line)))
      await syncFile(fd)
      for (const { resolve } of batch) resolve()
    }
    isRunning = false
  }
  const append = () =>
    new Promise((resolve) => {
      waiting.push({ line, resolve })
      if (!isRunning) run()
    })
  const { rate } = await produce(append)
  closeSync(fd)
  return rate
}

async function produce(append) {
  const startedMs = performance.now()
  const untilMs = startedMs + seconds * 1000
  let count = 0
  const one = async () => {
    while (performance.now() < untilMs) {
      await append()
      count++
    }
  }
  await Promise.all(Array.from({ length: producers }, one))
  return { count, rate: (count / (performance.now() - startedMs)) * 1000 }
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

function per(rate) {
  return `${Math.round(rate).toLocaleString('en')}/s`
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`
}
