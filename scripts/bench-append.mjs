// node scripts/bench-append.mjs <Claude directory> [appends]: what one appended record costs. The directory is copied; to
// the files of its largest project records are appended one by one, each followed by a refresh of the index. Says how
// long the commit of the record took, from BEGIN to COMMIT, and the whole refresh behind looking for files.
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const [, , source, appends = '250'] = process.argv
const dist = (path) => import(join(root, 'dist', path))
const { findTranscripts } = await dist('load/found.js')
const { Index } = await dist('search/open-index.js')
const folder = mkdtempSync(join(tmpdir(), 'clew-append-'))
try {
  const archive = join(folder, '.claude')
  cpSync(source, archive, { recursive: true })
  const index = new Index(join(folder, 'cache', 'clew', 'index.sqlite'))
  await index.refresh(findTranscripts([archive]), { nowMs: Date.now() })
  const commits = timeCommits(index.database)
  const [{ files }] = [...findTranscripts([archive]).projects].sort(
    (one, other) => other.files.length - one.files.length,
  )
  console.log(`${files.length} files in the largest project, ${appends} records appended`)
  const figures = { commit: [], 'commit, processor': [], refresh: [], 'refresh, processor': [] }
  for (let turn = 0; turn < Number(appends); turn++) {
    const file = files[(turn * 271) % files.length]
    appendFileSync(file.path, `${JSON.stringify(recordOf(turn, file))}\n`)
    const found = findTranscripts([archive])
    commits.length = 0
    const started = process.cpuUsage()
    const startedMs = performance.now()
    await index.refresh(found, { nowMs: Date.now() })
    figures.refresh.push(performance.now() - startedMs)
    figures['refresh, processor'].push(cpuMs(started))
    figures.commit.push(commits[0].ms)
    figures['commit, processor'].push(commits[0].cpuMs)
  }
  index.close()
  for (const [name, times] of Object.entries(figures)) {
    const sorted = times.sort((one, other) => one - other)
    const at = (share) => `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)} ms`
    console.log(`${name}: middle ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Every transaction from now on, in order. */
function timeCommits(database) {
  const commits = []
  const exec = database.exec.bind(database)
  let began = null
  const timed = (sql) => {
    if (sql === 'BEGIN IMMEDIATE') began = { ms: performance.now(), cpu: process.cpuUsage() }
    exec(sql)
    if (sql === 'COMMIT') commits.push({ ms: performance.now() - began.ms, cpuMs: cpuMs(began.cpu) })
  }
  Object.defineProperty(database, 'exec', { value: timed })
  return commits
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Prompts, replies and results in turn, of some sixty words, most of which are there already. */
function recordOf(turn, { sessionId }) {
  const text = Array.from({ length: 60 }, (_, word) => `w${((turn * 61 + word * 17) % 5000).toString(36)}`).join(' ')
  const contents = [text, [{ type: 'text', text }], [{ type: 'tool_result', tool_use_id: `t${turn}`, content: text }]]
  const type = turn % 3 === 1 ? 'assistant' : 'user'
  const message = { role: type, content: contents[turn % 3] }
  return { type, uuid: crypto.randomUUID(), parentUuid: null, sessionId, timestamp: new Date().toISOString(), message }
}
