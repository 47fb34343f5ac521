// `npm run bench`: Clew beside its limits, in one run on one machine. Speeds are ratios; machines are noisy.
//   --size 1GB --files 2000   how much is generated (into bench-data/, kept for the next run)
//   --rounds 3                how often each is measured, in turns; the median counts
//   --only reading,session    parts: reading, session, index, append, usage, growth
//   --ccusage PROGRAM         ccusage 20.0.24, installed anywhere; without it there is nothing to compare usage with
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchIndex } from './bench-index.mjs'
import { jsonlFiles, measured } from './bench-read.mjs'
import { prepare, root } from './prepare.mjs'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1GB' },
    files: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'reading,session,index,append,usage,growth' },
    ccusage: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const parts = new Set(values.only.split(','))

prepare()
const archive = generated(`archive-${values.size}`, [
  '--size',
  values.size,
  '--files',
  values.files,
  '--projects',
  '50',
])
const bytes = sizeOf(archive)
console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${(bytes / 1e9).toFixed(2)} GB in ${jsonlFiles(archive).length} files, median of ${rounds}`,
)
if (parts.has('reading')) benchReading()
if (parts.has('session')) benchSession()
if (parts.has('index')) {
  const many = generated('archive-3000', ['--size', '60MB', '--files', '3000', '--projects', '60'])
  benchIndex({ archive, many, rounds, median, ratio })
}
if (parts.has('append')) benchAppend()
if (parts.has('usage')) benchUsage()
if (parts.has('growth')) benchGrowth()

function benchReading() {
  const results = inTurns({
    cat: ['cat', archive],
    parse: ['parse', archive],
    parse2: ['parse2', archive],
    scan: ['scan', archive],
    clew1: ['clew1', archive],
    clew2: ['clew2', archive],
    line: ['huge', hugeLine()],
    file: ['huge', hugeFile()],
  })
  const { cat, parse, parse2, scan, clew1, clew2, line, file } = results
  table('reading', ['time', 'processor', 'memory', 'ratio', 'needed'])
  const row = (what, one, said, needed) =>
    console.log(`| ${what} | ${one.ms} ms | ${one.cpuMs} ms | ${one.peakMB} MB | ${said} | ${needed} |`)
  row('`cat` of every file', cat, '', '')
  row('JSON.parse of every line, one core', parse, ratio(parse.cpuMs, cat.cpuMs, '`cat`'), '')
  row('JSON.parse of every line, two workers', parse2, ratio(parse2.ms, parse.ms, 'one'), '')
  row(
    `**Scanner: ${scan.records} Envelopes and ${scan.textMB} MB of text, one core**`,
    scan,
    `${(parse.ms / scan.ms).toFixed(2)} × faster than JSON.parse, ${ratio(scan.cpuMs, cat.cpuMs, 'the processor time of `cat`')}`,
    '≥ 3.5 × faster, ≤ 5 × `cat`, < 120 MB',
  )
  row('read and reconstruct everything, one core', clew1, ratio(clew1.ms, parse.ms, 'JSON.parse'), '')
  row('the same, two workers', clew2, ratio(clew2.ms, parse.ms, 'JSON.parse'), '≤ 1.0 ×, < 300 MB')
  row('a line of 600 MiB between two records', line, line.note, '< 300 MB, one Problem')
  row('a file of 1 GB', file, file.note, '< 300 MB')
}

function benchSession() {
  const session = generated('session-100MB', ['--one-session', '--size', '100MB', '--records', '60000'])
  const { eager, tree, stored, window } = inTurns({
    eager: ['eager', session],
    tree: ['tree', session],
    stored: ['stored', session],
    window: ['window', session],
  })
  table(`a session of ${Math.round(sizeOf(session) / 1e6)} MB`, ['measured', 'memory', 'needed'])
  console.log(`| parsed whole, records by their ids | ${eager.ms} ms | ${eager.peakMB} MB | |`)
  console.log(
    `| the tree of ${tree.records} records, no index | ${tree.ms} ms, ${ratio(tree.ms, eager.ms, 'parsed whole')} | ${tree.peakMB} MB | ≤ 0.25 ×, < 100 MB |`,
  )
  console.log(
    `| the same from the index | ${stored.ms} ms, ${ratio(stored.ms, eager.ms, 'parsed whole')} | ${stored.peakMB} MB | ≤ 0.25 ×, < 100 MB |`,
  )
  console.log(
    `| the last 60 rows from the index | ${window.ms} ms (the first time ${window.firstMs} ms) | ${window.peakMB} MB | ≤ 15 ms, < 100 MB |`,
  )
}

function benchAppend() {
  const many = generated('archive-3000', ['--size', '60MB', '--files', '3000', '--projects', '60'])
  const session = generated('session-100MB', ['--one-session', '--size', '100MB', '--records', '60000'])
  console.log('\none appended record (needed: its commit below 50 ms, always)')
  for (const [folder, times] of [
    [many, '250'],
    [session, '20'],
  ]) {
    const script = join(root, 'scripts', 'bench-append.mjs')
    const ran = spawnSync(process.execPath, [script, folder, times], { encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(ran.stderr)
    console.log(ran.stdout)
  }
}

function benchUsage() {
  const words = ['--claude', archive, '--rounds', String(Math.max(3, rounds))]
  if (values.ccusage !== undefined) words.push('--ccusage', values.ccusage)
  const ran = spawnSync(process.execPath, [join(root, 'scripts', 'bench-usage.mjs'), ...words], { encoding: 'utf8' })
  if (ran.status !== 0) throw new Error(ran.stderr)
  console.log(`\ntoken accounts (needed: cold < 1 × ccusage, warm ≤ 0.10 ×)\n${ran.stdout}`)
}

/**
 * Each beside JSON.parse of the same bytes, and all sizes turn by turn: what is left when the machine slows down is how the
 * work grows.
 */
function benchGrowth() {
  const sizes = [
    ['256MB', 500, 13],
    ['512MB', 1000, 25],
    ['1GB', 2000, 50],
    ['2GB', 4000, 100],
  ]
  table('growth', ['JSON.parse a GB', 'Scanner a GB', 'index a GB', 'memory: Scanner, index'])
  const plan = {}
  const folders = sizes.map(([size, files, projects]) => {
    const words = ['--size', size, '--files', String(files), '--projects', String(projects)]
    const folder = generated(`archive-${size}`, words)
    for (const what of ['parse', 'scan', 'build']) plan[`${what} ${size}`] = [what, folder]
    return { size, gigabytes: sizeOf(folder) / 1e9 }
  })
  const results = inTurns(plan)
  const grown = { scan: [], build: [] }
  const perGigabyte = (ms, gigabytes) => `${Math.round(ms / gigabytes)} ms`
  for (const { size, gigabytes } of folders) {
    const [parse, scan, build] = ['parse', 'scan', 'build'].map((what) => results[`${what} ${size}`])
    grown.scan.push({ aGigabyte: scan.ms / gigabytes, toParse: scan.ms / parse.ms })
    grown.build.push({ aGigabyte: build.ms / gigabytes, toParse: build.ms / parse.ms })
    console.log(
      `| ${gigabytes.toFixed(2)} GB | ${perGigabyte(parse.ms, gigabytes)} | ${perGigabyte(scan.ms, gigabytes)}, ${ratio(scan.ms, parse.ms, '')} | ${perGigabyte(build.ms, gigabytes)}, ${ratio(build.ms, parse.ms, '')} | ${scan.peakMB}, ${build.peakMB} MB |`,
    )
  }
  const [scan, build] = [grown.scan, grown.build].map(
    (all) => `± ${spread(all, 'aGigabyte')} %, as ratios ± ${spread(all, 'toParse')} %`,
  )
  console.log(`| around the middle (needed: ± 15 %) | | ${scan} | ${build} | |`)
  benchOneProject()
}

/** Some people work in one folder for years: what is woven together must not be all there is. */
function benchOneProject() {
  const folder = generated('archive-1GB-one', ['--size', '1GB', '--files', '2000', '--projects', '1'])
  const { parse, build } = inTurns({ parse: ['parse', folder], build: ['build', folder] })
  const gigabytes = sizeOf(folder) / 1e9
  const aGigabyte = ({ ms }) => `${Math.round(ms / gigabytes)} ms`
  console.log(
    `| ${gigabytes.toFixed(2)} GB in one project | ${aGigabyte(parse)} | | ${aGigabyte(build)}, ${ratio(build.ms, parse.ms, '')} | ${build.peakMB} MB |`,
  )
}

/** How far the least and the most are from what lies in the middle between them. */
function spread(all, name) {
  const values = all.map((one) => one[name])
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return ((100 * (most - least)) / (most + least)).toFixed(1)
}

function inTurns(plan) {
  const results = Object.fromEntries(Object.keys(plan).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, [what, path]] of Object.entries(plan)) results[name].push(measured(what, path))
  }
  return Object.fromEntries(Object.entries(results).map(([name, all]) => [name, median(all)]))
}

function table(what, columns) {
  console.log(`\n| ${what} | ${columns.join(' | ')} |\n|---${columns.map(() => '|---').join('')}|`)
}

function sizeOf(folder) {
  return jsonlFiles(folder).reduce((sum, path) => sum + statSync(path).size, 0)
}

function generated(name, words) {
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

function median(all) {
  return [...all].sort((one, other) => one.ms - other.ms)[Math.floor(all.length / 2)]
}

function ratio(ms, limitMs, limit) {
  return `${(ms / limitMs).toFixed(2)} × ${limit}`.trim()
}
