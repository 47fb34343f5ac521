// `npm run test:client [words of a name]`: lets the real client resume sessions, and looks at what it then sends.
// The client comes from npm, talks to an API of ours on loopback, and has no network. CLEW_CLIENT_FOLDER names a folder
// in which it is kept for the next run.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cases } from '../test/client/cases.mjs'
import { configFolder } from '../test/client/clean-env.mjs'
import { clientVersion, installClient } from '../test/client/install-client.mjs'
import { plainMessages } from '../test/client/plain-messages.mjs'
import { walledCommand } from '../test/client/walled.mjs'
import { root } from './prepare.mjs'

const wanted = process.argv.slice(2).join(' ')
const chosen = cases.filter(({ name }) => name.includes(wanted))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clew-client-')))
process.exitCode = await main()

async function main() {
  if (chosen.length === 0) return noCase()
  const walled = walledCommand()
  if (walled === undefined) return skipped('a network namespace is not to be had (unshare -n and ip are needed)')
  const clientFolder = process.env['CLEW_CLIENT_FOLDER'] || join(folder, 'client')
  let command
  try {
    command = installClient(clientFolder)
  } catch (error) {
    return skipped(`the client is not to be had: ${error.message}`)
  }
  console.log(`client ${clientVersion(clientFolder)}`)
  const results = runInside(walled, await makeJob(command))
  if (results === undefined) return failed('the run in the namespace has ended without a result')
  return report(results)
}

async function makeJob(command) {
  const home = join(folder, 'home')
  const made = []
  for (const [index, { name, make, prompt, args, answers }] of chosen.entries()) {
    // A folder of its own for each, because a folder's sessions know of each other.
    const cwd = join(folder, 'work', `case-${index + 1}`)
    mkdirSync(cwd, { recursive: true })
    made.push({ name, cwd, prompt, args, answers, sessionId: await make(configFolder(home), cwd) })
  }
  return { command, home, cases: made }
}

function runInside([first, ...words], job) {
  const jobFile = join(folder, 'job.json')
  const resultFile = join(folder, 'result.json')
  writeFileSync(jobFile, JSON.stringify(job))
  const inside = join(root, 'test', 'client', 'inside.mjs')
  const ran = spawnSync(first, [...words, process.execPath, inside, jobFile, resultFile], { stdio: 'inherit' })
  return ran.status === 0 ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined
}

function report(results) {
  let wrong = 0
  for (const [index, one] of chosen.entries()) {
    const complaint = complaintOf(one, results[index])
    if (complaint !== undefined) wrong += 1
    console.log(`${complaint === undefined ? 'ok      ' : 'MISMATCH'} ${one.name}`)
    if (complaint !== undefined) console.log(complaint.replace(/^/gm, '         '))
  }
  console.log(`${chosen.length - wrong} of ${chosen.length} cases as expected`)
  if (wrong === 0) return cleaned()
  return failed(`${wrong} of ${chosen.length} cases differ`)
}

function complaintOf({ expect, exitCode = 0 }, result) {
  const said = `${result.why ?? ''}\n${result.stderr}\n${result.stdout}`.trim().slice(0, 2000)
  if (result.exitCode !== exitCode) return `the client ended with ${result.exitCode} instead of ${exitCode}:\n${said}`
  if (exitCode === 0 && result.messages === undefined) return `no request holds the prompt: ${result.asked.join(', ')}`
  try {
    expect(plainMessages(result.messages ?? []), result)
  } catch (error) {
    return error.message
  }
}

function cleaned() {
  rmSync(folder, { recursive: true, force: true })
  return 0
}

function skipped(why) {
  console.log(`\nSKIPPED: ${why}\n`)
  return cleaned()
}

function noCase() {
  console.error(`test:client: no case has "${wanted}" in its name`)
  cleaned()
  return 1
}

/** What was written and sent is kept for whoever wants to know why, but not the client, which is big. */
function failed(why) {
  rmSync(join(folder, 'client'), { recursive: true, force: true })
  console.error(`test:client: ${why}; the files are in ${folder}`)
  return 1
}
