// The picker on a real terminal, with the built command behind it: `picker-runner.mjs <dist> <root> <pid file> [mode]`.
// The mode says what is odd. It prints what was picked, as the last thing it does.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const [dist, root, pidFile, mode = ''] = process.argv.slice(2)
writeFileSync(pidFile, String(process.pid))
const load = (path) => import(pathToFileURL(`${dist}/${path}`).href)
const { pick } = await load('cli/picker.js')
const { resumeCommand } = await load('render/resume-command.js')
const { styleOf } = await load('render/style.js')

const NOW_MS = Date.parse('2026-11-15T12:00:00Z')
const listed = (await clew('list', '--json')).trim().split('\n').map(rowOf)
const rows = mode === 'many' ? manyOf(listed, 10_000) : listed

const preview = async (row) => {
  if (mode === 'throw-in-preview') throw new Error('the preview\u001b[2J failed')
  if (mode === 'slow') await sleep(1500)
  if (mode === 'uncaught') setTimeout(() => thrown('uncaught on purpose'), 300)
  if (mode === 'exit') setTimeout(() => process.exit(7), 300)
  return textOf(row)
}

const search = async (query) => {
  if (mode === 'slow') await sleep(1500)
  if (mode === 'throw-in-search') throw new Error('no index')
  const hits = await Promise.all(listed.map(async (row) => hitsIn(row, await textOf(row), query.toLowerCase())))
  return hits.flatMap((some) => some.slice(0, 3))
}

const style = styleOf(!process.env['NO_COLOR'])
const spoiled = mode === 'throw-in-draw' ? { ...style, note: () => thrown('drawing failed on purpose') } : style
const source = { rows, preview, search }
const { stdin: input, stdout: output } = process
try {
  const picked = await pick(source, { input, output, style: spoiled, nowMs: NOW_MS, home: '/home/ada' })
  console.log(picked?.action === 'resume' ? resumeCommand(picked.row) : `picked ${JSON.stringify(picked)}`)
} catch (error) {
  console.log(`caught ${error.message}`)
}

function thrown(message) {
  throw new Error(message)
}

async function clew(...words) {
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '100' }
  const ran = await promisify(execFile)(process.execPath, [`${dist}/cli/main.js`, ...words, '--root', root], { env })
  return ran.stdout
}

function rowOf(line) {
  const { modifiedAt, createdAt, ...row } = JSON.parse(line)
  return { ...row, modifiedMs: Date.parse(modifiedAt), createdMs: Date.parse(createdAt) }
}

/** Without its head: the picker has one of its own. */
async function textOf(row) {
  const text = await clew('show', row.path.replace(/#\d+$/, ''))
  return text.split('\n').slice(3).join('\n')
}

function hitsIn(row, text, query) {
  const line = text.replace(/\s+/g, ' ')
  const hits = []
  for (let at = line.toLowerCase().indexOf(query); at >= 0; at = line.toLowerCase().indexOf(query, at + 1)) {
    const from = Math.max(0, at - 40)
    hits.push({
      reference: `${row.sessionId}#${at}`,
      sessionId: row.sessionId,
      title: row.title,
      project: row.project,
      ageMs: NOW_MS - row.modifiedMs,
      snippet: line.slice(from, at + query.length + 80),
      marks: [[at - from, at - from + query.length]],
      path: row.path,
    })
  }
  return hits
}

function manyOf(some, count) {
  return Array.from({ length: count }, (_, place) => {
    const row = some[place % some.length]
    return { ...row, path: `${row.path}#${place}`, title: `${place} ${row.title}`, modifiedMs: NOW_MS - place * 3e6 }
  })
}
