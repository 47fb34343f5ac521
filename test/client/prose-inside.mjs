// node prose-inside.mjs <folder of the client's command> <scratch folder>: asks the real client by the route of prose,
// and once more as one would without thinking, so that each look at what it left is known to see something.
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRoute } from '../../dist/prose/open-route.js'
import { writeProse } from '../../dist/prose/write-prose.js'
import { cleanEnv, configFolder } from './clean-env.mjs'
import { startApi } from './scripted-api.mjs'
import { refuseWithNetwork } from './walled.mjs'

const ANSWER = '- I read the letter. [1]'
const LETTER = 'the-words-of-the-letter'
const MEMORY = 'the-memory-of-the-user'
const KEEPS_NOTHING = { text: (text) => ({ text, findings: [] }), value: (value) => value, counts: () => ({}) }

const [bin, scratch] = process.argv.slice(2)
refuseWithNetwork()
const checks = []
const check = (name, look) => checks.push({ name, look })

const plain = await used('plain', plainly)
const prose = await used('prose', byProse)

check('it answers, with its citation', () => {
  const [result] = prose.report.results
  strictEqual(result.error, null)
  deepStrictEqual(result.paragraphs, [
    { text: 'I read the letter.', cites: [{ path: 'a.jsonl', line: 1, uuid: null }] },
  ])
  deepStrictEqual([result.inputTokens, result.outputTokens], [10, 5])
})
check('one request, without tools', () => {
  strictEqual(prose.asked.length, 1)
  deepStrictEqual(prose.asked[0].tools ?? [], [])
  ok(prose.asked[0].max_tokens <= 2000)
})
check('no file that a line names is sent', () => {
  ok(JSON.stringify(plain.asked).includes(LETTER), 'asked plainly it is')
  ok(!JSON.stringify(prose.asked).includes(LETTER))
})
check('no memory of the user is sent', () => {
  ok(JSON.stringify(plain.asked).includes(MEMORY), 'asked plainly it is')
  ok(!JSON.stringify(prose.asked).includes(MEMORY))
})
check('no hook of the user runs', () => {
  ok(plain.hasRunHook, 'asked plainly it does')
  ok(!prose.hasRunHook)
})
check('nothing in the history', () => {
  ok(
    plain.kept.some((path) => path.endsWith('.jsonl')),
    'asked plainly there is',
  )
  deepStrictEqual(
    prose.kept.filter((path) => path.endsWith('.jsonl')),
    [],
  )
  deepStrictEqual(
    prose.kept.filter((path) => path.startsWith('projects')),
    [],
  )
  ok(!existsSync(join(prose.config, 'history.jsonl')))
})
check('no project is remembered', () => {
  const file = join(prose.config, '.claude.json')
  deepStrictEqual(Object.keys(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).projects ?? {}) : {}), [])
})

let wrong = 0
for (const { name, look } of checks) {
  try {
    look()
    console.log(`ok       ${name}`)
  } catch (error) {
    wrong += 1
    console.log(`MISMATCH ${name}\n         ${error.message.replaceAll('\n', '\n         ')}`)
  }
}
console.log(`${checks.length - wrong} of ${checks.length} as expected; it left ${prose.kept.join(', ') || 'nothing'}`)
process.exitCode = wrong === 0 ? 0 : 1

/** A home with a letter, a memory and a hook in it, and what has become of it. */
async function used(name, ask) {
  const home = join(scratch, name)
  const config = configFolder(home)
  const hook = { type: 'command', command: `touch ${join(home, 'hook-ran')}` }
  mkdirSync(config, { recursive: true })
  writeFileSync(join(home, 'letter.txt'), LETTER)
  writeFileSync(join(config, 'CLAUDE.md'), MEMORY)
  writeFileSync(
    join(config, 'settings.json'),
    JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] } }),
  )
  const given = new Set(readdirSync(config))
  const api = await startApi([ANSWER], ANSWER)
  const environment = { ...cleanEnv(home, api.port), PATH: `${bin}:${process.env['PATH']}` }
  const report = await ask(environment, `Read @${join(home, 'letter.txt')} aloud.`, home)
  await api.close()
  const kept = readdirSync(config, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && !given.has(found.name))
    .map((found) => join(found.parentPath, found.name).slice(config.length + 1))
  const asked = api.requests.filter(({ path }) => path === '/v1/messages').map(({ body }) => body)
  return { report, config, kept, asked, hasRunHook: existsSync(join(home, 'hook-ran')) }
}

async function byProse(environment, text) {
  return await writeProse(
    [{ id: 'one', heading: 'A day', lines: [{ text, cites: [{ path: 'a.jsonl', line: 1, uuid: null }] }] }],
    {
      route: openRoute('claude', { environment }),
      redactor: KEEPS_NOTHING,
      priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 5 }),
      maxCostUsd: 1,
      maxTokens: null,
      cacheFolder: null,
    },
  )
}

async function plainly(environment, text, home) {
  const child = spawn('claude', ['--print'], { cwd: home, env: environment, stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(text)
  await new Promise((resolve) => child.once('close', resolve))
}
