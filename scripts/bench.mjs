// `npm run bench`: reading and reconstructing beside its limits, in one run on one machine. Speeds are ratios; machines
// are noisy. Each measurement is a process of its own, so that its peak memory is its own too.
//   --size 1GB --files 2000   how much is generated (into bench-data/, kept for the next run)
//   --rounds 3                how often each is measured; the median counts
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { benchIndex } from './bench-index.mjs'
import { prepare, root } from './prepare.mjs'

const self = fileURLToPath(import.meta.url)
const dist = (path) => import(join(root, 'dist', path))

if (!isMainThread) {
  for (const path of workerData) parseFile(path)
  parentPort.postMessage('done')
} else if (process.argv[2] === '--measure') {
  await measure(process.argv[3], process.argv[4])
} else {
  bench()
}

function bench() {
  prepare()
  const { values } = parseArgs({
    options: { size: { type: 'string' }, files: { type: 'string' }, rounds: { type: 'string' } },
  })
  const size = values.size ?? '1GB'
  const rounds = Number(values.rounds ?? 3)
  const archive = generate(`archive-${size}`, ['--size', size, '--files', values.files ?? '2000', '--projects', '50'])
  const session = generate('session-100MB', ['--one-session', '--size', '100MB', '--records', '60000'])
  const line = hugeLine()
  const file = hugeFile()
  const bytes = jsonlFiles(archive).reduce((sum, path) => sum + statSync(path).size, 0)
  console.log(
    `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${(bytes / 1e9).toFixed(2)} GB in ${jsonlFiles(archive).length} files, median of ${rounds}\n`,
  )
  const results = new Map()
  const plan = [
    ['cat', archive],
    ['parse', archive],
    ['parse2', archive],
    ['clew1', archive],
    ['clew2', archive],
    ['session', session],
    ['line', line],
    ['file', file],
  ]
  for (let round = 0; round < rounds; round++) {
    for (const [name, path] of plan) results.set(name, [...(results.get(name) ?? []), run(name, path)])
  }
  const of = (name) => median(results.get(name))
  const row = (what, one, ratio, need) =>
    console.log(`| ${what} | ${one.ms} ms | ${one.peakMB} MB | ${ratio} | ${need} |`)
  console.log('| what | time | peak memory | ratio | needed |\n|---|---|---|---|---|')
  row('`cat` of every file', of('cat'), '', '')
  row('JSON.parse of every line, one core', of('parse'), ratio(of('parse').ms, of('cat').ms, 'cat'), '')
  row('JSON.parse of every line, two workers', of('parse2'), ratio(of('parse2').ms, of('parse').ms, 'JSON.parse'), '')
  row(
    'Clew: read and reconstruct everything, one core',
    of('clew1'),
    ratio(of('clew1').ms, of('parse').ms, 'JSON.parse'),
    '',
  )
  row(
    'Clew: the same, two workers',
    of('clew2'),
    `${ratio(of('clew2').ms, of('parse').ms, 'JSON.parse')}, ${ratio(of('clew2').ms, of('cat').ms, 'cat')}`,
    '≤ 1.0 × JSON.parse, < 300 MB',
  )
  const one = of('session')
  row(
    '100 MB session, 60,007 records: Envelopes and tree',
    { ms: one.clewMs, peakMB: one.peakMB },
    ratio(one.clewMs, one.parseMs, 'JSON.parse of that file'),
    '≤ 1.2 ×',
  )
  row('a line of 600 MiB between two records', of('line'), of('line').note, '< 300 MB, one Problem')
  row('a file of 1 GB', of('file'), of('file').note, '< 300 MB')
  const many = generate('archive-3000', ['--size', '60MB', '--files', '3000', '--projects', '60'])
  benchIndex({ archive, many, parseMs: of('parse').ms, rounds, median, ratio })
}

function run(name, path) {
  const child = spawnSync(process.execPath, [self, '--measure', name, path], { encoding: 'utf8', maxBuffer: 1 << 26 })
  if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

async function measure(name, path) {
  const started = performance.now()
  let extra = {}
  if (name === 'cat') extra = cat(path)
  else if (name === 'parse') for (const file of jsonlFiles(path)) parseFile(file)
  else if (name === 'parse2') await parseInWorkers(path)
  else if (name === 'clew1' || name === 'clew2') extra = await reconstruct(path, name === 'clew2')
  else if (name === 'session') extra = await readSession(path)
  else extra = await readHuge(path)
  const ms = extra.ms ?? Math.round(performance.now() - started)
  console.log(
    JSON.stringify({ ...extra, ms, peakMB: extra.peakMB ?? Math.round(process.resourceUsage().maxRSS / 1024) }),
  )
}

function cat(path) {
  const list = jsonlFiles(path).join('\0')
  const started = performance.now()
  spawnSync('sh', ['-c', 'xargs -0 cat > /dev/null'], { input: list })
  return { ms: Math.round(performance.now() - started), peakMB: 12 }
}

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

async function reconstruct(path, inWorkers) {
  const { findArchive } = await dist('load/archive.js')
  const started = performance.now()
  const archive = findArchive([path])
  if (inWorkers) {
    const { runProjects } = await dist('load/pool.js')
    const done = await runProjects(archive.projects, 'reconstruct')
    return { ms: Math.round(performance.now() - started), records: done.reduce((sum, one) => sum + one.records, 0) }
  }
  const { reconstructProject } = await dist('load/reconstruct.js')
  const done = archive.projects.map(reconstructProject)
  return { ms: Math.round(performance.now() - started), records: done.reduce((sum, one) => sum + one.records, 0) }
}

/** Both in one process, turn by turn, after one turn each to warm up: what is left is the work itself. */
async function readSession(path) {
  const [file] = (await dist('load/archive.js')).findArchive([path]).projects[0].files
  const { loadFile } = await dist('load/read.js')
  const { buildThread } = await dist('graph/thread.js')
  const { fullLinks } = await dist('graph/full-links.js')
  const { outlineOf } = await dist('graph/outline.js')
  const parseMs = []
  const clewMs = []
  for (let turn = 0; turn < 6; turn++) {
    let started = performance.now()
    parseFile(file.path)
    parseMs.push(performance.now() - started)
    started = performance.now()
    const { transcript } = loadFile(file)
    const thread = buildThread([{ transcript: 0, envelopes: transcript.envelopes }])
    outlineOf(thread, fullLinks(thread).parents, thread.nodes.length - 1)
    clewMs.push(performance.now() - started)
  }
  const middle = (values) => Math.round(values.slice(1).sort((one, other) => one - other)[2])
  return { parseMs: middle(parseMs), clewMs: middle(clewMs) }
}

async function readHuge(path) {
  const { findArchive } = await dist('load/archive.js')
  const { loadFile } = await dist('load/read.js')
  const [file] = findArchive([path]).projects[0].files
  const { account, transcript } = loadFile(file)
  const { sizeBytes, records, problems, tail, blank } = account
  if (records + problems + tail + blank !== sizeBytes || sizeBytes !== file.sizeBytes)
    throw new Error('bytes are missing')
  return { note: `${transcript.envelopes.length} records, ${transcript.problems.length} problems` }
}

function generate(name, words) {
  const folder = join(root, 'bench-data', name)
  const given = process.env.CLEW_GENERATOR ?? join(root, '..', 'shared', 'tools', 'gen.mjs')
  const generator = existsSync(given) ? given : join(root, 'scripts', 'generate.mjs')
  if (!existsSync(join(folder, 'manifest.json'))) {
    console.error(`generating ${name}…`)
    const made = spawnSync(process.execPath, [generator, '--out', folder, '--seed', '1', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (made.status !== 0) throw new Error(`the generator failed: ${generator}`)
  }
  return join(folder, '.claude')
}

function hugeLine() {
  const path = join(root, 'bench-data', 'huge-line.jsonl')
  const size = 600 * 1024 * 1024
  if (existsSync(path)) return path
  const fd = openSync(path, 'w')
  const record = (uuid) =>
    `${JSON.stringify({ type: 'user', uuid, parentUuid: null, sessionId: 's', message: { role: 'user', content: uuid } })}\n`
  writeSync(fd, record('before'))
  // A hole in the file: the line is there to every reader, but not on the disk.
  const start = record('before').length
  ftruncateSync(fd, start + size)
  writeSync(fd, `\n${record('after')}`, start + size)
  closeSync(fd)
  return path
}

function hugeFile() {
  const path = join(root, 'bench-data', 'huge-file.jsonl')
  if (existsSync(path)) return path
  const fd = openSync(path, 'w')
  let parentUuid = null
  for (let index = 0, written = 0; written < 1e9; index++) {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    const content = [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: 'x'.repeat(40_000) }]
    const text = `${JSON.stringify({ parentUuid, isSidechain: false, sessionId: 's', type: 'user', message: { role: 'user', content }, uuid, timestamp: '2026-11-15T10:00:00.000Z' })}\n`
    written += writeSync(fd, text)
    parentUuid = uuid
  }
  closeSync(fd)
  return path
}

function jsonlFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
}

function median(all) {
  return [...all].sort((one, other) => (one.clewMs ?? one.ms) - (other.clewMs ?? other.ms))[Math.floor(all.length / 2)]
}

function ratio(ms, limitMs, limit) {
  return `${(ms / limitMs).toFixed(2)} × ${limit}`
}
