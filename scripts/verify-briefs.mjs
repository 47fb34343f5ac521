// Checks Briefs without using any of the code that makes them: `clew brief --json` is compared with the transcripts
// themselves (every record that is cited exists, and holds what the line says) and with the tool calls that
// `clew show --json` lists (nothing is missing, nothing is invented).
//
//   node scripts/verify-briefs.mjs <root>…

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const CLEW = join(import.meta.dirname, '..', 'dist', 'bin', 'clew.js')
const FILE_TOOLS = new Map([
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
])
const SHELLS = new Set(['Bash', 'PowerShell', 'bash'])

const counts = { conversations: 0, turns: 0, cites: 0, files: 0, commands: 0, wrong: 0 }
const lines = new Map()

for (const root of process.argv.slice(2)) {
  const rows = clew(['list', '--json', '--no-index', '--root', root])
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  for (const row of rows) verify(row.path)
  lines.clear()
}
process.stdout.write(`${JSON.stringify(counts)}\n`)
process.exitCode = counts.wrong === 0 ? 0 : 1

function verify(path) {
  const brief = JSON.parse(clew(['brief', path, '--json', '--no-index']))
  const shown = JSON.parse(clew(['show', path, '--json', '--no-index', '--include', 'subagents,tools,injections']))
  counts.conversations++
  verifyCites(brief, path)
  const numbers = shown.turns.map(({ number }) => number)
  expectSame(
    brief.turns.map(({ number }) => number),
    numbers,
    `${path}: every turn has a brief`,
  )
  const agents = new Map((shown.subagents ?? []).map((agent) => [agent.agentId, agent]))
  const told = new Set()
  for (const turn of shown.turns) {
    const own = brief.turns.find(({ number }) => number === turn.number)
    if (own === undefined) continue
    counts.turns++
    const calls = callsOf(turn, agents, told)
    const where = `${path} turn ${turn.number}`
    const touched = calls.filter(({ status, name }) => status === 'ok' && FILE_TOOLS.has(name))
    const paths = touched.map(({ name, input }) => input?.[FILE_TOOLS.get(name)] ?? input?.file_path).filter(isText)
    const byShell = own.files.filter(({ path }) => !paths.includes(path))
    for (const file of byShell) {
      const commands = calls.filter(({ name }) => name === 'Bash').map(({ input }) => input?.command ?? '')
      const name = file.path.split('/').at(-1)
      if (!commands.some((one) => /\b(?:rm|mv|sed)\b/.test(one) && one.includes(name)))
        wrong(`${where}: nothing ${file.outcome} ${file.path}`)
    }
    const kept = own.files.filter((file) => !byShell.includes(file)).map((file) => file.path)
    expectSame(kept, paths, `${where}: files`)
    counts.files += kept.length
    const commands = calls.filter(({ name }) => SHELLS.has(name)).map(({ input }) => input?.command)
    expectSame(
      own.commands.map(({ command }) => command),
      commands.filter(isText),
      `${where}: commands`,
    )
    counts.commands += own.commands.length
    const uses = turn.parts.flatMap(toolParts).map(({ name }) => name)
    const tallied = own.tools.flatMap(({ name, calls: often }) => Array(often).fill(name))
    if (uses.sort().join() !== tallied.sort().join()) wrong(`${where}: tools ${tallied} but ${uses}`)
  }
}

/** The calls of a turn, and of the subagents it started, to any depth. */
function callsOf(turn, agents, told) {
  const calls = turn.parts.flatMap(toolParts)
  return calls.flatMap((call) => {
    const started = [...agents.values()].filter(
      ({ agentId, workflowId }) =>
        !told.has(agentId) &&
        (agentId === call.agentId || (workflowId !== null && call.result?.text.includes(workflowId) === true)),
    )
    for (const { agentId } of started) told.add(agentId)
    return [call, ...started.flatMap(({ turns }) => turns.flatMap((inner) => callsOf(inner, agents, told)))]
  })
}

function toolParts(part) {
  if (part.kind !== 'reply') return []
  const seen = new Set()
  return part.blocks.flatMap((block) => {
    if (block.kind !== 'tool' || seen.has(block.call.id)) return []
    seen.add(block.call.id)
    return [block.call]
  })
}

function verifyCites(value, path) {
  const pending = [value]
  while (pending.length > 0) {
    const one = pending.pop()
    if (typeof one !== 'object' || one === null) continue
    if (Array.isArray(one.cites)) {
      if (one.cites.length === 0) wrong(`${path}: a line without a record: ${JSON.stringify(one).slice(0, 100)}`)
      for (const cited of one.cites) verifyCite(cited, path)
    }
    for (const [key, inner] of Object.entries(one)) if (key !== 'cites') pending.push(inner)
  }
}

function verifyCite({ path, line, uuid }, where) {
  counts.cites++
  const text = linesOf(path)[line - 1]
  if (text === undefined) wrong(`${where}: there is no line ${line} in ${path}`)
  else if (uuid !== null && !text.includes(uuid)) wrong(`${where}: line ${line} of ${path} is not ${uuid}`)
}

function linesOf(path) {
  if (!lines.has(path)) lines.set(path, readFileSync(path, 'latin1').split('\n'))
  return lines.get(path)
}

function expectSame(found, wanted, what) {
  const one = [...new Set(found)].sort()
  const other = [...new Set(wanted)].sort()
  if (JSON.stringify(one) !== JSON.stringify(other))
    wrong(
      `${what}: only in the brief ${JSON.stringify(one.filter((x) => !other.includes(x))).slice(0, 300)}, missing ${JSON.stringify(other.filter((x) => !one.includes(x))).slice(0, 300)}`,
    )
}

function isText(value) {
  return typeof value === 'string'
}

function wrong(message) {
  counts.wrong++
  process.stderr.write(`${message}\n`)
}

function clew(words) {
  return execFileSync(process.execPath, [CLEW, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    // A note about a file in which nothing was said.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
