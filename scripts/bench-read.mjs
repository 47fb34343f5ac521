// Parts of `npm run bench` that read: each measurement is a process of its own, so that its time on the processor and its
// peak memory are its own too.
//   node scripts/bench-read.mjs NAME PATH
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { root } from './prepare.mjs'

const self = fileURLToPath(import.meta.url)
const dist = (path) => import(join(root, 'dist', path))

const MEASURES = {
  cat,
  parse: (path) => ({ records: jsonlFiles(path).reduce((sum, file) => sum + parseFile(file), 0) }),
  parse2: parseInWorkers,
  scan,
  clew1: (path) => reconstruct(path, false),
  clew2: (path) => reconstruct(path, true),
  eager,
  tree,
  stored,
  index: makeIndex,
  window: firstWindow,
  build,
  huge,
}

if (!isMainThread) {
  for (const path of workerData) parseFile(path)
  parentPort.postMessage('done')
} else if (process.argv[1] === self) {
  const [, , name, path] = process.argv
  let taken = timer()
  // What a measurement loads is loaded before its time begins.
  const found = await MEASURES[name](path, () => {
    taken = timer()
  })
  console.log(JSON.stringify({ ...taken(), peakMB: Math.round(process.resourceUsage().maxRSS / 1024), ...found }))
}

function timer() {
  const before = process.cpuUsage()
  const startedMs = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { ms: Math.round(performance.now() - startedMs), cpuMs: Math.round((user + system) / 1000) }
  }
}

/** One measurement, in a process of its own. */
export function measured(name, path) {
  const child = spawnSync(process.execPath, [self, name, path], { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

export function jsonlFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
}

/** The time of all its processes on the processor, as the shell tells it. */
function cat(path) {
  const list = jsonlFiles(path).join('\0')
  const startedMs = performance.now()
  const ran = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time xargs -0 cat > /dev/null'], {
    input: list,
    encoding: 'utf8',
  })
  const [user, system] = ran.stderr.trim().split(' ').map(Number)
  return { ms: Math.round(performance.now() - startedMs), cpuMs: Math.round((user + system) * 1000), peakMB: 12 }
}

/** The plainest reader there is: the whole file, split on 0x0A, every line parsed, nothing kept. */
function parseFile(path) {
  const bytes = readFileSync(path)
  let start = 0
  let records = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    try {
      JSON.parse(bytes.utf8Slice(start, end))
      records++
    } catch {
      // A truncated line, as the generator plants them.
    }
    start = end + 1
  }
  return records
}

async function parseInWorkers(path) {
  const files = jsonlFiles(path)
  const halves = [files.filter((_, index) => index % 2 === 0), files.filter((_, index) => index % 2 === 1)]
  await Promise.all(
    halves.map((half) => new Promise((resolve) => new Worker(self, { workerData: half }).on('message', resolve))),
  )
}

/** Every Envelope as an object, and every text that can be searched, whole and decoded to UTF-8. */
async function scan(path, begin) {
  const { findTranscripts } = await dist('load/found.js')
  const { loadFile } = await dist('load/read.js')
  const { scannerHere } = await dist('load/scanner.js')
  const { BLOCK_TEXT_LENGTH } = await dist('record/scan-layout.js')
  scannerHere()
  const files = findTranscripts([path]).projects.flatMap((project) => project.files)
  begin()
  let records = 0
  let textBytes = 0
  let sure = 0
  const visitSketch = (_, sketch) => {
    sure++
    for (let block = 0; block < sketch.blockCount; block++) {
      textBytes += Math.max(0, sketch.blockNumber(block, BLOCK_TEXT_LENGTH))
    }
  }
  for (const file of files) {
    records += loadFile(file, { visit: () => undefined, visitSketch }).transcript.envelopes.length
  }
  return { records, textMB: Math.round(textBytes / 1e6), sure }
}

async function reconstruct(path, inWorkers) {
  const { findTranscripts } = await dist('load/found.js')
  const { projects } = findTranscripts([path])
  if (inWorkers) {
    const { runProjects } = await dist('load/pool.js')
    const done = await runProjects(projects, 'reconstruct')
    return { records: done.reduce((sum, one) => sum + one.records, 0) }
  }
  const { reconstructProject } = await dist('load/reconstruct.js')
  return { records: projects.map(reconstructProject).reduce((sum, one) => sum + one.records, 0) }
}

/** What a tree costs whoever parses everything: all records in memory, by their ids. */
function eager(path) {
  const [file] = jsonlFiles(path)
  const bytes = readFileSync(file)
  const children = new Map()
  const records = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const record = JSON.parse(bytes.utf8Slice(start, end))
    records.push(record)
    const siblings = children.get(record.parentUuid)
    if (siblings === undefined) children.set(record.parentUuid, [record.uuid])
    else siblings.push(record.uuid)
    start = end + 1
  }
  return { records: records.length }
}

async function tree(path, begin) {
  const { findTranscripts } = await dist('load/found.js')
  const { loadFile } = await dist('load/read.js')
  const { buildThread } = await dist('graph/thread.js')
  const { fullLinks } = await dist('graph/full-links.js')
  const { outlineOf } = await dist('graph/outline.js')
  const [file] = findTranscripts([path]).projects[0].files
  begin()
  const { transcript } = loadFile(file)
  const thread = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
  outlineOf(thread, fullLinks(thread).parents, thread.nodes.length - 1)
  return { records: transcript.envelopes.length }
}

/** The same from an index that knows the session, with the ids of all prompts: what `clew tree --json` tells. */
async function stored(path, begin) {
  const { findTranscripts } = await dist('load/found.js')
  const { openDatabase } = await dist('search/database.js')
  const { storedTree } = await dist('search/stored-tree.js')
  const found = findTranscripts([path])
  return withIndex(path, (at) => {
    const [file] = found.projects[0].files
    begin()
    const startedMs = performance.now()
    const database = openDatabase(at)
    const tree = storedTree(database, found, file, true)
    database.close()
    if (tree === null) throw new Error('the index does not know it')
    return { ms: Math.round(performance.now() - startedMs), turns: tree.branches[0].turns }
  })
}

/** Made in another process, so that this one has the memory of somebody who only looks. */
function withIndex(path, use) {
  const at = join(tmpdir(), `clew-bench-index-${process.pid}.sqlite`)
  try {
    const made = spawnSync(process.execPath, [self, 'index', path, at], { encoding: 'utf8' })
    if (made.status !== 0) throw new Error(made.stderr)
    return use(at)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(at + suffix, { force: true })
  }
}

async function makeIndex(path) {
  const { findTranscripts } = await dist('load/found.js')
  const { Index } = await dist('search/open-index.js')
  const index = new Index(process.argv[4])
  await index.refresh(findTranscripts([path]), { nowMs: Date.now() })
  index.close()
  return {}
}

/** From an index that knows the session: its head, and sixty rows with their texts. First, and the middle of the next. */
async function firstWindow(path) {
  const { findTranscripts } = await dist('load/found.js')
  const { openDatabase } = await dist('search/database.js')
  const { StoredLayouts } = await dist('search/layouts.js')
  const { storedReading } = await dist('server/open-reading.js')
  const { RecordBytes } = await dist('server/record-bytes.js')
  const { rowWindow } = await dist('server/row-views.js')
  const found = findTranscripts([path])
  return withIndex(path, (at) => {
    const [file] = found.projects[0].files
    const times = []
    for (let turn = 0; turn < 12; turn++) {
      const startedMs = performance.now()
      const database = openDatabase(at)
      const layouts = new StoredLayouts(database)
      const head = layouts.head(file.path)
      const reading = storedReading(layouts, head, layouts.paths(head))
      const bytes = new RecordBytes()
      const rows = rowWindow(reading, bytes, Math.max(0, reading.rows - 60), 60)
      if (rows.rows.length !== 60) throw new Error(`${rows.rows.length} rows`)
      bytes.close()
      database.close()
      times.push(performance.now() - startedMs)
    }
    const [first, ...next] = times
    return { ms: Math.round(next.sort((one, other) => one - other)[5] * 10) / 10, firstMs: Math.round(first) }
  })
}

async function build(path, begin) {
  const { findTranscripts } = await dist('load/found.js')
  const { Index } = await dist('search/open-index.js')
  await dist('search/ingest-run.js')
  begin()
  const at = join(tmpdir(), `clew-bench-build-${process.pid}.sqlite`)
  try {
    const index = new Index(at)
    await index.refresh(findTranscripts([path]), { nowMs: Date.now() })
    index.close()
    return {}
  } finally {
    for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(at + suffix, { force: true })
  }
}

async function huge(path) {
  const { findTranscripts } = await dist('load/found.js')
  const { loadFile } = await dist('load/read.js')
  const [file] = findTranscripts([path]).projects[0].files
  const { account, transcript } = loadFile(file)
  const { sizeBytes, records, problems, tail, blank } = account
  if (records + problems + tail + blank !== sizeBytes || sizeBytes !== file.sizeBytes)
    throw new Error('bytes are missing')
  return { note: `${transcript.envelopes.length} records, ${transcript.problems.length} problems` }
}
