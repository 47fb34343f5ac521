// The second part of `npm run bench`: the index and search in it, beside limits measured in the same run. Each
// measurement is a process of its own.
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './prepare.mjs'

const self = fileURLToPath(import.meta.url)
const clew = join(root, 'dist', 'bin', 'clew.js')
const dist = (path) => import(join(root, 'dist', path))
const ANYTHING = { isWanted: null, gitBranch: null, model: null }

if (process.argv[1] === self && process.argv[2] === '--measure') {
  const [, , , name, archive, index] = process.argv
  const measures = { build, refresh, query, exact }
  console.log(JSON.stringify(await measures[name](archive, index)))
}

/** `parseMs` is JSON.parse of every line of the same archive, one core, in the same run. */
export function benchIndex({ archive, many, parseMs, rounds, median, ratio }) {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
  const index = join(folder, 'clew', 'index.sqlite')
  const row = (what, measured, needed) => console.log(`| ${what} | ${measured} | ${needed} |`)
  try {
    console.log('\n| the index, and search in it | measured | needed |\n|---|---|---|')
    const builds = Array.from({ length: rounds }, () => run('build', archive, index))
    const built = median(builds)
    const inputMB = builds[0].inputBytes / 1e6
    row('cold build', `${built.ms} ms, ${ratio(built.ms, parseMs, 'JSON.parse')}`, '≤ 3.0 ×')
    row('cold build, peak memory', `${built.peakMB} MB`, '< 400 MB')
    const share = ((100 * built.sizeMB) / inputMB).toFixed(1)
    row('size of the index', `${built.sizeMB} MB of ${Math.round(inputMB)} MB, ${share} %`, '≤ 15 %')
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
    for (const { kind, p50, p99, count } of queries.kinds)
      row(`${count} queries: ${kind}`, `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`, '')
    row('all of them', `p50 ${queries.p50.toFixed(1)} ms, p99 ${queries.p99.toFixed(1)} ms`, 'p50 ≤ 5 ms, p99 ≤ 50 ms')
    const scans = Array.from({ length: rounds }, () => run('exact', archive, index))
    const scan = median(scans)
    const beside = scan.rgMs === null ? 'ripgrep is not installed' : ratio(scan.ms, scan.rgMs, 'rg -a')
    row('`--exact` over everything', `${scan.ms} ms, ${beside}`, '≤ 3 × rg -a')
    const env = { ...process.env, XDG_CACHE_HOME: folder, HOME: folder }
    const bare = end(() => spawnSync(process.execPath, ['-e', '0']))
    for (const words of [['list'], ['search', 'the', 'build']]) {
      const ms = end(() =>
        spawnSync(process.execPath, [clew, ...words, '--root', archive], { env, maxBuffer: 1 << 26 }),
      )
      row(`\`clew ${words[0]}\`, warm, end to end`, `${ms} ms, ${ratio(ms, bare, '`node -e 0`')}`, '≤ 4 ×')
    }
    const { found, planted, twice } = recall(archive, env)
    row('planted needles found', `${found} of ${planted}, ${twice} of them twice`, 'all, none twice')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(name, archive, index) {
  const child = spawnSync(process.execPath, [self, '--measure', name, archive, index], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${name}: ${child.stderr}`)
  return JSON.parse(child.stdout.trim().split('\n').at(-1))
}

/** The middle of eleven, after two to warm up the page cache. */
function end(start) {
  const times = []
  for (let turn = 0; turn < 13; turn++) {
    const started = performance.now()
    const { status } = start()
    if (status !== 0) throw new Error('the command failed')
    times.push(performance.now() - started)
  }
  return Math.round(times.slice(2).sort((one, other) => one - other)[5])
}

async function build(archive, index) {
  const { findArchive } = await dist('load/archive.js')
  const { Index } = await dist('search/open-index.js')
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(index + suffix, { force: true })
  const started = performance.now()
  const found = findArchive([archive])
  const opened = new Index(index)
  await opened.refresh(found, { nowMs: Date.now() })
  const ms = Math.round(performance.now() - started)
  opened.close()
  const inputBytes = found.projects.reduce((sum, project) => sum + project.sizeBytes, 0)
  const sizeMB = Math.round(statSync(index).size / 1e6)
  return { ms, inputBytes, sizeMB, peakMB: Math.round(process.resourceUsage().maxRSS / 1024) }
}

async function refresh(archive, index) {
  const { findArchive } = await dist('load/archive.js')
  const { Index } = await dist('search/open-index.js')
  const opened = new Index(index)
  await opened.refresh(findArchive([archive]), { nowMs: Date.now() })
  const statTimes = []
  const times = []
  for (let turn = 0; turn < 11; turn++) {
    let started = performance.now()
    statAll(archive)
    statTimes.push(performance.now() - started)
    started = performance.now()
    const state = await opened.refresh(findArchive([archive]), { nowMs: Date.now() })
    times.push(performance.now() - started)
    if (state !== 'unchanged') throw new Error(`the archive was ${state}`)
  }
  const middle = (values) => [...values].sort((one, other) => one - other)[5]
  const files = findArchive([archive]).projects.flatMap((project) => project.files)
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
    const found = findArchive([archive])
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

/** A hundred of each kind, taken from the archive itself; each once to warm up and once measured. */
async function query(archive, index) {
  const { findArchive } = await dist('load/archive.js')
  const { Index } = await dist('search/open-index.js')
  const found = findArchive([archive])
  const opened = new Index(index)
  await opened.refresh(found, { nowMs: Date.now() })
  const kinds = []
  const all = []
  for (const [kind, queries] of Object.entries(queriesFrom(found))) {
    const times = []
    for (const typed of queries) {
      opened.search(found, options(typed), ANYTHING, Date.now())
      const started = performance.now()
      opened.search(found, options(typed), ANYTHING, Date.now())
      times.push(performance.now() - started)
    }
    kinds.push({ kind, count: queries.length, ...percentiles(times) })
    all.push(...times)
  }
  opened.close()
  return { kinds, ...percentiles(all) }
}

function percentiles(times) {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { p50: at(0.5), p99: at(0.99) }
}

function queriesFrom(found) {
  const files = found.projects.flatMap((project) => project.files).filter((file) => file.sizeBytes > 50_000)
  const texts = []
  const ids = []
  const counts = new Map()
  for (let step = 0; texts.length < 400; step++) {
    const file = files[(step * 37) % files.length]
    const lines = readFileSync(file.path, 'utf8').split('\n')
    for (let line = step % 7; line < lines.length && texts.length < 400; line += 97) {
      const { uuid, message } = tryParse(lines[line])
      const said = (Array.isArray(message?.content) ? message.content : [{ text: message?.content }])
        .map((block) => block.text ?? (typeof block.content === 'string' ? block.content : ''))
        .find((text) => typeof text === 'string' && text.length > 40)
      if (said === undefined) continue
      const words = said.match(/[A-Za-z]{3,}/g) ?? []
      if (words.length < 12) continue
      texts.push(words)
      ids.push(uuid)
      for (const word of new Set(words)) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
    }
  }
  const byCount = [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word)
  const hundred = (make) => Array.from({ length: 100 }, (_, turn) => make(texts[turn * 3], turn))
  return {
    'one word': hundred((words) =>
      words.reduce((best, word) => (counts.get(word.toLowerCase()) < counts.get(best.toLowerCase()) ? word : best)),
    ),
    'a common word': hundred((_, turn) => byCount[turn % 40]),
    'a phrase of three words': hundred((words) => `"${words.slice(4, 7).join(' ')}"`),
    'a prefix': hundred(
      (words, turn) => `${words.find((word) => word.length > 5)?.slice(0, 4 + (turn % 2)) ?? words[0]}*`,
    ),
    'three words': hundred((words) => [words[1], words[5], words[9]].join(' ')),
    'an id': hundred(
      (_, turn) => (turn % 2 === 0 ? ids[turn * 3] : files[turn % files.length].sessionId?.slice(0, 8)) ?? 'x',
    ),
  }
}

function tryParse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

async function exact(archive) {
  const { findArchive } = await dist('load/archive.js')
  const { scanFiles } = await dist('search/scan.js')
  const needle = Object.keys(JSON.parse(readFileSync(join(archive, '..', 'manifest.json'), 'utf8')).needles)[0]
  const files = findArchive([archive]).projects.flatMap((project) => project.files)
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
  const manifest = join(archive, '..', 'manifest.json')
  if (!existsSync(manifest)) return { found: 0, planted: 0, twice: 0 }
  let found = 0
  let planted = 0
  let twice = 0
  for (const [needle, { records }] of Object.entries(JSON.parse(readFileSync(manifest, 'utf8')).needles)) {
    const words = [clew, 'search', `"${needle}"`, '--json', '--limit', '5000', '--root', archive]
    const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8', maxBuffer: 1 << 28 })
    const hits = stdout.split('\n').filter((line) => line !== '')
    const uuids = hits.flatMap((line) => JSON.parse(line).records)
    const unique = new Set(uuids)
    twice += uuids.length - unique.size
    const wanted = new Set(records.map(({ uuid }) => uuid))
    planted += wanted.size
    found += [...wanted].filter((uuid) => unique.has(uuid)).length
  }
  return { found, planted, twice }
}
