// node inside.mjs <job file> <result file>: runs the cases of a job, one after the other. Started in a network
// namespace that has only loopback; the API has to run in the same one, so it is started here as well.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cleanEnv } from './clean-env.mjs'
import { startApi } from './scripted-api.mjs'
import { refuseWithNetwork } from './walled.mjs'

const CASE_MS = 120_000

const [jobFile, resultFile] = process.argv.slice(2)
refuseWithNetwork()
const job = JSON.parse(readFileSync(jobFile, 'utf8'))
const results = []
for (const one of job.cases) results.push(await runCase(job, one))
writeFileSync(resultFile, JSON.stringify(results, null, 1))

async function runCase({ command, home }, { name, cwd, sessionId, prompt, args, answers }) {
  const api = await startApi(answers)
  const words = ['-p', prompt, '--resume', sessionId, ...(args ?? ['--output-format', 'json'])]
  const ran = await runClient(command, words, { cwd, env: cleanEnv(home, api.port) })
  await api.close()
  const main = mainRequest(api.requests, prompt)
  const asked = api.requests.map(({ method, path, body }) => `${method} ${path} ${body?.messages?.length ?? '-'}`)
  return { name, ...ran, asked, messages: main?.messages, system: main?.system }
}

function runClient(command, words, options) {
  return new Promise((resolve) => {
    // A stdin that stays open would be waited for: print mode reads it as a part of the prompt.
    const child = spawn(command, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const texts = { stdout: '', stderr: '' }
    for (const pipe of ['stdout', 'stderr']) {
      child[pipe].setEncoding('utf8').on('data', (text) => {
        texts[pipe] += text
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), CASE_MS)
    const end = (exitCode, why) => {
      clearTimeout(timer)
      resolve({ exitCode, ...texts, ...(why ? { why } : {}) })
    }
    child.once('error', (error) => end(null, error.message))
    child.once('close', (code, signal) => end(code, signal === null ? undefined : `ended by ${signal}`))
  })
}

/**
 * The last request whose last user message holds the prompt. Requests for titles quote it inside of a longer text, so
 * a block that is the prompt and nothing else comes first.
 */
function mainRequest(requests, prompt) {
  const bodies = requests.filter(({ path }) => path === '/v1/messages').map(({ body }) => body)
  const lastTexts = (body) => textsOf(body?.messages?.findLast((message) => message.role === 'user')?.content)
  return (
    bodies.findLast((body) => lastTexts(body).some((text) => text.trim() === prompt)) ??
    bodies.findLast((body) => lastTexts(body).some((text) => text.includes(prompt)))
  )
}

function textsOf(content) {
  if (typeof content === 'string') return [content]
  return (content ?? []).filter((block) => block.type === 'text').map((block) => block.text)
}
