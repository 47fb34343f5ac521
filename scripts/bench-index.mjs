// The second part of `npm run bench`: the index and search in it, beside limits measured in the same run. Each
// measurement is a process of its own.
import { spawnSync } from 'node:child_process'
import { appendFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { needlesOf, pairsOf, queriesByKind } from './bench-queries.mjs'
import { measured } from './bench-read.mjs'
import { root } from './prepare.mjs'

const self = fileURLToPath(import.meta.url)
const clew = join(root, 'dist', 'bin', 'clew.js')
const dist = (path) => import(join(root, 'dist', path))
/** Each query once to warm up, then the least of three: what else the machine does is not to decide. */
const REPEATS = 3
const ANYTHING = { isWanted: null, gitBranch: null, model: null }

if (process.argv[1] === self && process.argv[2] === '--measure') {
  const [, , , name, archive, index] = process.argv
  const measures = { build, refresh, query, exact, recall: (from, at) => recall(from, cacheOf(at)) }
  console.log(JSON.stringify(await measures[name](archive, index)))
}

export function benchIndex({ archive, many, rounds, median, ratio }) {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
  const index = join(folder, 'clew', 'index.sqlite')
  const row = (what, measured, needed) => console.log(`| ${what} | ${measured} | ${needed} |`)
  try {
    console.log('\n| the index, and search in it | measured | needed |\n|---|---|---|')
    const builds = []
    const parses = []
    for (let round = 0; round < rounds; round++) {
      // One core, and turn by turn, because machines slow down and recover.
      parses.push(measured('parse', archive))
      builds.push(run('build', archive, index))
    }
    const built = median(builds)
    const parseMs = median(parses).ms
    const inputMB = builds[0].inputBytes / 1e6
    row('cold build', `${built.ms} ms, ${ratio(built.ms, parseMs, `JSON.parse (${parseMs} ms)`)}`, '≤ 1.7 ×')
    row('cold build, peak memory', `${built.peakMB} MB`, '< 400 MB')
    const share = ((100 * built.sizeMB) / inputMB).toFixed(1)
    row('size of the index', `${built.sizeMB} MB of ${Math.round(inputMB)} MB, ${share} %`, '≤ 13 %')
    const refreshed = median(Array.from({ length: rounds }, () => run('refresh', many, join(folder, 'many.sqlite'))))
    const over = (refreshed.ms - refreshed.statMs).toFixed(1)
    row(
      `refresh of ${refreshed.files} unchanged files`,
      `${refreshed.ms.toFixed(1)} ms, stat alone ${refreshed.statMs.toFixed(1)} ms: ${over} ms more`,
      '≤ 60 ms more',
    )
    row(
      'an appended record is found after',
      `${refreshed.appendMs.toFixed(0)} ms, at worst (in the largest project) ${refreshed.appendMostMs.toFixed(0)} ms`,
      '< 150 ms',
    )
    const queries = run('query', archive, index)
    for (const { kind, count, wall, cpu } of queries.kinds)
      row(`${count} queries: ${kind}`, `${shown(wall)}; processor time p99 ${cpu.p99.toFixed(1)} ms`, 'p99 ≤ 20 ms')
    row('… and beside them a loop of always the same length', shown(queries.control), '')
    const scans = Array.from({ length: rounds }, () => run('exact', archive, index))
    const scan = median(scans)
    const beside = scan.rgMs === null ? 'ripgrep is not installed' : ratio(scan.ms, scan.rgMs, 'rg -a')
    row('`--exact` over everything', `${scan.ms} ms, ${beside}`, '≤ 3 × rg -a')
    const env = cacheOf(index)
    const commands = ['list', 'search the build', 'show latest']
    const bare = ['-e', '0']
    const clewWords = commands.map((words) => [clew, ...words.split(' '), '--root', archive])
    for (const [said, own] of startingWith(env)) {
      const [bareMs, ...times] = inTurns([bare, ...clewWords], own)
      for (const [place, words] of commands.entries())
        row(
          `\`clew ${words}\`, warm, end to end${said}`,
          `${times[place].toFixed(0)} ms, ${ratio(times[place], bareMs, '`node -e 0`')}`,
          '≤ 2.0 ×',
        )
    }
    for (const { what, found, planted, twice } of recall(archive, env))
      row(`planted and found: ${what}`, `${found} of ${planted}, ${twice} of them twice`, 'all, none twice')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The environment in which the command uses this index. */
function cacheOf(index) {
  const folder = dirname(dirname(index))
  return { ...process.env, XDG_CACHE_HOME: folder, HOME: folder }
}

function run(name, archive, index) {
  const child = spawnSync(process.execPath, [self, '--measure', name, archive, index], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

/** Node reads those certificates at every start, which makes `node -e 0` look slow: most people have none. */
function startingWith(env) {
  const { NODE_EXTRA_CA_CERTS: certificates, ...bare } = env
  if (certificates === undefined) return [['', env]]
  return [
    [', with NODE_EXTRA_CA_CERTS', env],
    [', without it', bare],
  ]
}

/** How long each takes from start to end, in the middle: turn by turn, because machines slow down and recover. */
function inTurns(programs, env) {
  const times = programs.map(() => [])
  for (let turn = 0; turn < WARM_TURNS + TURNS; turn++) {
    for (const [place, words] of programs.entries()) {
      const started = performance.now()
      const { status } = spawnSync(process.execPath, words, { env, maxBuffer: 1 << 26 })
      if (status !== 0) throw new Error(`node ${words.join(' ')} failed`)
      if (turn >= WARM_TURNS) times[place].push(performance.now() - started)
    }
  }
  return times.map((own) => own.sort((one, other) => one - other)[Math.floor(TURNS / 2)])
}

/** A command keeps the code that V8 makes of it, anew in its first runs. */
const WARM_TURNS = 8
const TURNS = 21

async function build(archive, index) {
  const { findTranscripts } = await dist('load/found.js')
  const { Index } = await dist('search/open-index.js')
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(index + suffix, { force: true })
  const started = performance.now()
  const found = findTranscripts([archive])
  const opened = new Index(index)
  await opened.refresh(found, { nowMs: Date.now() })
  const ms = Math.round(performance.now() - started)
  opened.close()
  const inputBytes = found.projects.reduce((sum, project) => sum + project.sizeBytes, 0)
  const sizeMB = Math.round(statSync(index).size / 1e6)
  return { ms, inputBytes, sizeMB, peakMB: Math.round(process.resourceUsage().maxRSS / 1024) }
}

async function refresh(archive, index) {
  const { findTranscripts } = await dist('load/found.js')
  const { Index } = await dist('search/open-index.js')
  const opened = new Index(index)
  await opened.refresh(findTranscripts([archive]), { nowMs: Date.now() })
  const statTimes = []
  const times = []
  for (let turn = 0; turn < 11; turn++) {
    let started = performance.now()
    statAll(archive)
    statTimes.push(performance.now() - started)
    started = performance.now()
    const state = await opened.refresh(findTranscripts([archive]), { nowMs: Date.now() })
    times.push(performance.now() - started)
    if (state !== 'unchanged') throw new Error(`the archive was ${state}`)
  }
  const middle = (values) => [...values].sort((one, other) => one - other)[5]
  const files = findTranscripts([archive]).projects.flatMap((project) => project.files)
  const appendTimes = []
  for (let turn = 0; turn < 11; turn++) {
    const file = files[(turn * 271) % files.length]
    const word = `appended${process.pid}x${turn}`
    const uuid = `00000000-0000-4000-8000-${String(process.pid * 100 + turn).padStart(12, '0')}`
    const record = {
      type: 'user',
      uuid,
      parentUuid: null,
      sessionId: file.sessionId,
      timestamp: new Date().toISOString(),
    }
    appendFileSync(file.path, `${JSON.stringify({ ...record, message: { role: 'user', content: word } })}\n`)
    const started = performance.now()
    const found = findTranscripts([archive])
    await opened.refresh(found, { nowMs: Date.now() })
    const { hits } = opened.search(found, options(word), ANYTHING, Date.now())
    appendTimes.push(performance.now() - started)
    if (hits.length !== 1) throw new Error(`${hits.length} hits for what was appended`)
  }
  opened.close()
  return {
    ms: middle(times),
    statMs: middle(statTimes),
    files: files.length,
    appendMs: middle(appendTimes),
    appendMostMs: Math.max(...appendTimes),
  }
}

function statAll(folder) {
  let count = 0
  for (const one of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, one.name)
    if (one.isDirectory()) count += statAll(path)
    else if (one.name.endsWith('.jsonl')) count += lstatSync(path).isFile() ? 1 : 0
  }
  return count
}

function options(typed) {
  const none = { sinceMs: null, untilMs: null, tool: null, file: null }
  return { typed, fields: new Set(), ...none, limit: 20, perConversation: 3 }
}

/**
 * Between the queries a loop that always takes the same tells how much the machine was disturbed. Processor time is
 * counted beside the time that went by: of several processes on one core each waits for the others.
 */
async function query(archive, index) {
  const { findTranscripts } = await dist('load/found.js')
  const { Index } = await dist('search/open-index.js')
  const found = findTranscripts([archive])
  const opened = new Index(index)
  await opened.refresh(found, { nowMs: Date.now() })
  const kinds = []
  const controls = []
  for (let turn = 0; turn < 20; turn++) control()
  for (const [kind, queries] of queriesByKind(archive, found)) {
    const times = queries.map(({ options, filter }) => {
      const search = () => opened.search(found, options, filter, Date.now())
      search()
      controls.push(least(control).wall)
      return least(search)
    })
    const of = (which) => percentiles(times.map((time) => time[which]))
    kinds.push({ kind, count: queries.length, wall: of('wall'), cpu: of('cpu') })
  }
  opened.close()
  return { kinds, control: percentiles(controls) }
}

function least(run) {
  const best = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < REPEATS; turn++) {
    const cpuBefore = process.cpuUsage()
    const started = performance.now()
    run()
    best.wall = Math.min(best.wall, performance.now() - started)
    const { user, system } = process.cpuUsage(cpuBefore)
    best.cpu = Math.min(best.cpu, (user + system) / 1000)
  }
  return best
}

/** Some ten milliseconds: what is shorter is hardly ever interrupted. */
function control() {
  let sum = 0
  for (let step = 0; step < 8_000_000; step++) sum = (sum * 31 + step) | 0
  return sum
}

function percentiles(times) {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function shown({ p50, p99, max }) {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${max.toFixed(1)} ms`
}

async function exact(archive) {
  const { findTranscripts } = await dist('load/found.js')
  const { scanFiles } = await dist('search/scan.js')
  const needle = Object.keys(JSON.parse(readFileSync(join(archive, '..', 'manifest.json'), 'utf8')).needles)[0]
  const files = findTranscripts([archive]).projects.flatMap((project) => project.files)
  const targets = files.map(({ path, sizeBytes }) => ({ path, sizeBytes, isSpill: false }))
  const rg = () => spawnSync('rg', ['-a', '-j2', '-uuu', '-c', '-F', needle, archive])
  const hasRg = rg().status === 0
  let started = performance.now()
  if (hasRg) rg()
  const rgMs = hasRg ? Math.round(performance.now() - started) : null
  started = performance.now()
  const { hits } = await scanFiles(targets, { kind: 'exact', text: needle, ignoreCase: false }, {})
  const ms = Math.round(performance.now() - started)
  if (hits.length === 0) throw new Error('the needle was not found')
  return { ms, rgMs }
}

/** Through the command, as a person would: every record that holds a needle, and none of them twice. */
function recall(archive, env) {
  const planted = needlesOf(archive)
  const of = (kind) => planted.filter((needle) => needle.kind === kind)
  const asTyped = (needles, type) => needles.map(({ needle, uuids }) => ({ typed: type(needle), uuids }))
  const quoted = (needle) => `"${needle}"`
  const runs = of('unicode')
  const pairs = [...new Set(pairsOf(runs.map(({ needle }) => needle)))].map((pair) => {
    return { typed: pair, uuids: new Set(runs.flatMap((run) => (run.needle.includes(pair) ? [...run.uuids] : []))) }
  })
  const kinds = {
    words: asTyped(of('word'), quoted),
    phrases: asTyped(of('phrase'), quoted),
    'parts of identifiers': asTyped(of('substring'), quoted),
    '… as they are typed, in small letters': asTyped(of('substring'), (needle) => needle.toLowerCase()),
    '… by the beginning of the identifier': asTyped(of('substring'), (needle) => `handle${needle}*`),
    'runs of Chinese': asTyped(runs, quoted),
    'any two characters of them': pairs,
  }
  return Object.entries(kinds).map(([what, searches]) => {
    const sum = { what, found: 0, planted: 0, twice: 0 }
    for (const { typed, uuids } of searches) {
      const found = recordsFound(typed, archive, env)
      const unique = new Set(found)
      sum.twice += found.length - unique.size
      sum.planted += uuids.size
      sum.found += [...uuids].filter((uuid) => unique.has(uuid)).length
    }
    return sum
  })
}

function recordsFound(typed, archive, env) {
  const words = [clew, 'search', typed, '--json', '--limit', '5000', '--root', archive]
  const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8', maxBuffer: 1 << 28 })
  const hits = stdout.split('\n').filter((line) => line !== '')
  return hits.flatMap((line) => JSON.parse(line).records)
}
