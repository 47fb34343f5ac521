// `npm run bench:archive`: ten days of an archive in which six bytes of ten are forks, kept by clew and, side by side, by tar
// with zstd, git, borg and restic. Then everything is wiped and restored, and a run without changes is timed against a
// walk that only looks at the files.
//   --size 250MB --days 10 --generator PATH --dist FOLDER --keep FOLDER --only clew,zstd,git,borg,restic --levels='-3,-19 --long=31'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { prepare, root } from './prepare.mjs'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '250MB' },
    days: { type: 'string', default: '10' },
    generator: { type: 'string' },
    dist: { type: 'string' },
    keep: { type: 'string' },
    only: { type: 'string', default: 'clew,zstd,git,borg,restic' },
    levels: { type: 'string', default: '-3,-3 --long=31,-19 --long=31' },
    step: { type: 'string' },
  },
})
if (values.dist === undefined && values.step === undefined) prepare({ quiet: true })
const dist = values.dist ?? join(root, 'dist')
const load = (name) => import(join(dist, 'archive', `${name}.js`))
if (values.step !== undefined) {
  await runStep(values.step, JSON.parse(process.env.CLEW_BENCH_ARCHIVE))
  process.exit(0)
}

const days = Number(values.days)
const only = values.only.split(',')
const scale = { KB: 1e3, MB: 1e6, GB: 1e9 }
const sizeBytes = Number.parseFloat(values.size) * (scale[values.size.slice(-2).toUpperCase()] ?? 1)
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'clew-bench-archive-'))
mkdirSync(folder, { recursive: true })
const live = join(folder, 'claude')
const place = Object.fromEntries(
  ['clew', 'git', 'borg', 'restic', 'restored'].map((name) => [name, join(folder, name)]),
)

const quietBorg = { BORG_BASE_DIR: join(folder, 'borg-home'), BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: 'yes' }
const forkNames = new Set()
let state = 7
const below = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 4294967296) * limit)
}
const uuid = () => {
  const hex = Array.from({ length: 4 }, () =>
    below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

try {
  await bench()
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}

async function bench() {
  const plan = planDays()
  const tools = toolsThere()
  const seconds = Object.fromEntries(tools.map((name) => [name, 0]))
  const stream = tools.includes('zstd') ? zstdStream() : null
  const figures = { restore: null }
  let peak = 0
  for (let day = 0; day < days; day++) {
    for (const added of plan[day]) append(added)
    for (const name of tools) {
      const startedMs = performance.now()
      if (name === 'clew') {
        const said = await step('snapshot', { live, folder: place.clew })
        peak = Math.max(peak, said.peakMB)
      } else if (name === 'git') git(day)
      else if (name === 'borg') borg(day)
      else if (name === 'restic') restic()
      else await stream.day()
      seconds[name] += (performance.now() - startedMs) / 1000
    }
    console.error(`day ${day + 1}: ${mega(sizeOf(live))} in ${filesBelow(live).length} files`)
  }
  const rows = []
  const add = (what, stored, took) => rows.push({ what, stored, took })
  for (const name of tools) {
    if (name === 'clew') add('clew archive', sizeOf(place.clew), seconds.clew)
    if (name === 'git') {
      const startedMs = performance.now()
      must('git', ['-C', place.git, 'gc', '-q'])
      add(
        'git, a commit a day, gc',
        sizeOf(join(place.git, '.git')),
        seconds.git + (performance.now() - startedMs) / 1000,
      )
    }
    if (name === 'borg') add('borg, zstd', sizeOf(place.borg), seconds.borg)
    if (name === 'restic') add('restic', sizeOf(place.restic), seconds.restic)
    if (name === 'zstd') {
      add('tar of ten days, zstd --long=31', await stream.end(), seconds.zstd)
      for (const level of values.levels.split(',')) add(...finalTar(level.split(' ')))
    }
  }
  if (tools.includes('clew')) figures.restore = await step('restore', { live, folder: place.clew, to: place.restored })
  const least = Math.min(...rows.map(({ stored }) => stored))
  const { total, forks } = shareOfForks()
  console.log(
    `\n${mega(total)} on the last day in ${filesBelow(live).length} files, ${percent(forks / total)} of it forks; ${days} days`,
  )
  console.log('\n| what | size | beside the smallest | time |\n|---|---|---|---|')
  for (const { what, stored, took } of rows) {
    console.log(`| ${what} | ${mega(stored)} | ${(stored / least).toFixed(2)} × | ${took.toFixed(1)} s |`)
  }
  if (figures.restore !== null) report(figures.restore, peak, rows, least)
}

function report(
  { files, identical, restoreSeconds, stat, unchanged, ratio, verifySeconds, isWhole, peakMB },
  peak,
  rows,
  least,
) {
  const mine = rows.find(({ what }) => what === 'clew archive').stored
  console.log(
    `\nwiped and restored: ${identical} of ${files} files identical by SHA-256, ${restoreSeconds.toFixed(1)} s`,
  )
  console.log(`verify: ${isWhole ? 'whole' : 'DAMAGED'}, ${verifySeconds.toFixed(1)} s`)
  console.log(
    `nothing changed: ${unchanged.toFixed(1)} ms, walk and stat ${stat.toFixed(1)} ms, ${ratio.toFixed(2)} × (limit 5 ×)`,
  )
  console.log(`memory: snapshots ${peak} MB, restore and verify ${peakMB} MB (limit 200 MB)`)
  console.log(`size: ${(mine / least).toFixed(3)} × the smallest (limit 1.10 ×)`)
  const isMet = identical === files && isWhole && ratio < 5 && mine / least <= 1.1
  process.exitCode = isMet ? 0 : 1
}

/** What is appended to which file on which day. A fork is of a session as it is on that day, and goes on with its own. */
function planDays() {
  const made = join(folder, 'made')
  const generator = values.generator ?? process.env.CLEW_GENERATOR ?? join(root, 'scripts', 'generate.mjs')
  const size = `${Math.round((sizeBytes * 0.46) / 1e6)}MB`
  must(process.execPath, [generator, '--out', made, '--size', size, '--files', String(Math.ceil(sizeBytes / 1.2e6))])
  const claude = existsSync(join(made, '.claude')) ? join(made, '.claude') : made
  const plan = Array.from({ length: days }, () => [])
  const mains = []
  const reserve = []
  for (const [index, path] of filesBelow(claude).entries()) {
    const bytes = withPromptIds(readFileSync(path))
    const name = relative(claude, path)
    const id = /([0-9a-f-]{36})\.jsonl$/.exec(name)?.[1]
    if (id !== undefined && index % 7 === 0) {
      reserve.push({ id, bytes })
      continue
    }
    const first = below(days)
    const cut = lineEndNear(bytes, Math.floor(bytes.length * 0.6))
    plan[first].push({ name, bytes: bytes.subarray(0, cut) })
    if (cut < bytes.length) plan[Math.min(days - 1, first + 1)].push({ name, bytes: bytes.subarray(cut) })
    if (id !== undefined && bytes.length > 20_000) mains.push({ name, id, bytes, first, cut })
  }
  rmSync(made, { recursive: true, force: true })
  for (let left = sizeBytes * 0.6; left > 0 && mains.length > 0; ) {
    const origin = mains[below(mains.length)]
    const day = origin.first + below(days - origin.first)
    const known = day === origin.first ? origin.bytes.subarray(0, origin.cut) : origin.bytes
    const id = uuid()
    const name = join(dirname(origin.name), `${id}.jsonl`)
    const bytes = Buffer.concat([forked(known, origin.id, id, below(3)), ownLines(reserve, known.length / 9, id)])
    forkNames.add(name)
    plan[day].push({ name, bytes })
    left -= bytes.length
  }
  return plan
}

/** Lines that stand nowhere else. */
function ownLines(reserve, length, id) {
  const next = reserve.at(-1)
  if (next === undefined) return Buffer.alloc(0)
  const cut = lineEndNear(next.bytes, Math.min(Math.floor(length), next.bytes.length))
  const lines = next.bytes.subarray(0, cut)
  next.bytes = next.bytes.subarray(cut)
  if (next.bytes.length === 0) reserve.pop()
  return Buffer.from(lines.toString('latin1').replaceAll(next.id, id), 'latin1')
}

/** As the client writes them: the same for all records of a turn. */
function withPromptIds(bytes) {
  let promptId = uuid()
  const lines = bytes.toString('latin1').split('\n')
  const changed = lines.map((line) => {
    if (!line.includes('"type":"user"') || !line.endsWith('}')) return line
    if (below(6) === 0) promptId = uuid()
    return `${line.slice(0, -1)},"promptId":"${promptId}"}`
  })
  return Buffer.from(changed.join('\n'), 'latin1')
}

/**
 * The three ways in which sessions are forked: new ids of session and prompt on every line (--fork-session), where each
 * record came from (/branch), and new ids for all records as well (the SDK).
 */
function forked(bytes, from, to, kind) {
  const ids = new Map()
  const fresh = (old) => {
    if (!ids.has(old)) ids.set(old, uuid())
    return ids.get(old)
  }
  const changed = bytes
    .toString('latin1')
    .split('\n')
    .map((line) => {
      const named = line.replaceAll(from, to)
      if (kind === 0) return named.replace(/"promptId":"([0-9a-f-]{36})"/, (all, old) => all.replace(old, fresh(old)))
      const messageUuid = /"uuid":"([0-9a-f-]{36})"/.exec(line)?.[1]
      if (messageUuid === undefined || !line.endsWith('}')) return named
      const origin = `,"forkedFrom":{"sessionId":"${from}","messageUuid":"${messageUuid}"}}`
      const renamed = named.replace(/"(?:uuid|parentUuid)":"([0-9a-f-]{36})"/g, (all, old) =>
        all.replace(old, fresh(old)),
      )
      return `${(kind === 1 ? named : renamed).slice(0, -1)}${origin}`
    })
  return Buffer.from(changed.join('\n'), 'latin1')
}

function lineEndNear(bytes, at) {
  const end = bytes.indexOf(10, at)
  return end === -1 ? bytes.length : end + 1
}

function append({ name, bytes }) {
  const path = join(live, name)
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, bytes)
}

function toolsThere() {
  const versions = {
    clew: null,
    zstd: ['zstd', '--version'],
    git: ['git', '--version'],
    borg: ['borg', '--version'],
    restic: ['restic', 'version'],
  }
  return Object.entries(versions).flatMap(([name, words]) => {
    if (!only.includes(name)) return []
    const there = words === null ? { status: 0 } : spawnSync(words[0], words.slice(1), { encoding: 'utf8' })
    if (there.status !== 0) console.error(`SKIPPED: ${name} is not installed`)
    else if (words !== null) console.error(there.stdout.trim().split('\n')[0])
    return there.status === 0 ? [name] : []
  })
}

function git(day) {
  mkdirSync(place.git, { recursive: true })
  const words = [
    '--git-dir',
    join(place.git, '.git'),
    '--work-tree',
    live,
    '-c',
    'user.name=ada',
    '-c',
    'user.email=ada@example.org',
  ]
  if (day === 0) must('git', ['init', '-q', place.git])
  must('git', [...words, 'add', '-A'])
  must('git', [...words, 'commit', '-q', '-m', `day ${day}`])
}

function borg(day) {
  if (day === 0) must('borg', ['init', '-e', 'none', place.borg], quietBorg)
  must('borg', ['create', '-C', 'zstd', `${place.borg}::day${day}`, live], quietBorg)
}

function restic() {
  const env = { RESTIC_PASSWORD: 'x', RESTIC_REPOSITORY: place.restic, RESTIC_CACHE_DIR: join(folder, 'restic-cache') }
  if (!existsSync(place.restic)) must('restic', ['init', '-q'], env)
  must('restic', ['backup', '-q', live], env)
}

/** All days in one stream: what the best compression without a memory of its own could do. */
function zstdStream() {
  const out = join(folder, 'days.tar.zst')
  const zstd = spawn('zstd', ['-3', '--long=31', '-T0', '-q', '-f', '-o', out], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise((resolve) => zstd.on('close', resolve))
  return {
    day: () =>
      new Promise((resolve) => {
        const tar = spawn('tar', ['c', '-C', live, '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
        tar.stdout.pipe(zstd.stdin, { end: false })
        tar.on('close', resolve)
      }),
    end: async () => {
      zstd.stdin.end()
      await ended
      return statSync(out).size
    },
  }
}

function finalTar(level) {
  const out = join(folder, 'final.tar.zst')
  const startedMs = performance.now()
  must('sh', ['-c', `tar c -C "$1" . | zstd ${level.join(' ')} -T0 -q -f -o "$2"`, 'sh', live, out])
  return [`tar of the last day, zstd ${level.join(' ')}`, statSync(out).size, (performance.now() - startedMs) / 1000]
}

/** In a process of its own, so that its memory can be told. */
async function step(name, given) {
  const words = [join(root, 'scripts', 'bench-archive.mjs'), '--step', name, '--dist', dist]
  const env = { ...process.env, CLEW_BENCH_ARCHIVE: JSON.stringify(given) }
  const ran = spawnSync(process.execPath, words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  if (ran.status !== 0) throw new Error(`the step ${name} failed`)
  return JSON.parse(ran.stdout)
}

async function runStep(name, { live: claude, folder: archiveFolder, to }) {
  const [{ openArchive }, { takeSnapshot }, { sourceFiles }] = await Promise.all(
    ['open-archive', 'snapshot', 'source-files'].map(load),
  )
  const archive = await openArchive(archiveFolder)
  const run = () => takeSnapshot(archive, sourceFiles(claude), { takenMs: Date.now() })
  // What getrusage says goes back to the process that started this one, which holds the whole plan.
  const peakMB = () =>
    Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024)
  if (name === 'snapshot') {
    const taken = await run()
    return say({ ...taken, peakMB: peakMB() })
  }
  const [{ readCatalogue }, { restoreFiles }, { verifyArchive }] = await Promise.all(
    ['catalogue', 'restore', 'verify'].map(load),
  )
  const looks = []
  const runs = []
  for (let round = 0; round < 9; round++) {
    looks.push(await timed(() => sourceFiles(claude).map(({ path }) => lstatSync(path).size)))
    runs.push(await timed(run))
  }
  const { files } = readCatalogue(archive)
  const verified = await timed(() => verifyArchive(archive))
  const before = new Map(files.map(({ name: file }) => [file, sha256(join(claude, file))]))
  let restored
  const restoring = await timed(async () => {
    restored = await restoreFiles(archive, files, { to })
  })
  const isLike = ({ file, path, outcome }) =>
    outcome === 'restored' &&
    sha256(path) === before.get(file.name) &&
    Math.abs(lstatSync(path).mtimeMs - file.modifiedMs) < 0.001
  say({
    files: before.size,
    identical: restored.filter(isLike).length,
    restoreSeconds: restoring.ms / 1000,
    verifySeconds: verified.ms / 1000,
    isWhole: verified.value.isWhole,
    stat: median(looks.map(({ ms }) => ms)),
    unchanged: median(runs.map(({ ms }) => ms)),
    ratio: median(runs.map(({ ms }, round) => ms / looks[round].ms)),
    peakMB: peakMB(),
  })
}

async function timed(act) {
  const startedMs = performance.now()
  const value = await act()
  return { value, ms: performance.now() - startedMs }
}

function say(value) {
  process.stdout.write(JSON.stringify(value))
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

function shareOfForks() {
  const sizes = filesBelow(live).map((path) => [relative(live, path), statSync(path).size])
  const sum = (chosen) => chosen.reduce((total, [, size]) => total + size, 0)
  return { total: sum(sizes), forks: sum(sizes.filter(([name]) => forkNames.has(name))) }
}

function filesBelow(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .flatMap((found) => (found.isFile() ? [join(found.parentPath, found.name)] : []))
    .filter((found) => !found.endsWith('manifest.json'))
    .sort()
}

function sizeOf(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true }).reduce(
    (sum, found) => sum + (found.isFile() ? statSync(join(found.parentPath, found.name)).size : 0),
    0,
  )
}

function must(command, words, env = {}) {
  const ran = spawnSync(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  if (ran.status !== 0) throw new Error(`${command} ${words[0]} failed`)
}

function mega(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function percent(share) {
  return `${Math.round(share * 100)} %`
}
