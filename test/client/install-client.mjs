// Gets the real client from npm. A copy that happens to lie on this machine is never used: nobody knows what it is.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv } from './clean-env.mjs'

const PACKAGE = '@anthropic-ai/claude-code'
const INSTALL_MS = 300_000
const VERSION_MS = 60_000

/** The path of the command below `folder`. A client that an earlier run has put there is used again. */
export function installClient(folder) {
  mkdirSync(folder, { recursive: true })
  const command = join(folder, 'node_modules', '.bin', 'claude')
  if (!existsSync(command)) installInto(folder)
  if (!existsSync(command)) throw new Error(`npm has installed ${PACKAGE}, but it has no command named claude`)
  checkItRuns(command, folder)
  return command
}

export function clientVersion(folder) {
  return JSON.parse(readFileSync(join(folder, 'node_modules', PACKAGE, 'package.json'), 'utf8')).version
}

function installInto(folder) {
  // With a package.json of its own, npm cannot go looking for a project in a folder above.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const cache = join(folder, 'npm-cache')
  // `@latest` is meant: without it, npm quietly takes a far older client if the newest one asks for a newer Node than
  // this one. The client is a program of its own, and only its installer is run by Node.
  const words = ['install', '--ignore-scripts=false', '--no-audit', '--no-fund', '--prefix', folder, '--cache', cache]
  const ran = spawnSync('npm', [...words, `${PACKAGE}@latest`], { cwd: folder, encoding: 'utf8', timeout: INSTALL_MS })
  rmSync(cache, { recursive: true, force: true })
  if (ran.error !== undefined) throw new Error(`npm did not run: ${ran.error.message}`)
  if (ran.status !== 0) throw new Error(`npm install ${PACKAGE} ended with ${ran.status}: ${reasonOf(ran.stderr)}`)
}

/** npm skips the installer of a package if it is told to, and what is left is a command that only complains. */
function checkItRuns(command, folder) {
  const home = join(folder, 'version-home')
  mkdirSync(home, { recursive: true })
  const ran = spawnSync(command, ['--version'], { env: cleanEnv(home), encoding: 'utf8', timeout: VERSION_MS })
  rmSync(home, { recursive: true, force: true })
  if (ran.status === 0 && /^\d+\.\d+\.\d+/.test(ran.stdout)) return
  throw new Error(`the installed client does not run: ${ran.error?.message ?? reasonOf(ran.stderr || ran.stdout)}`)
}

function reasonOf(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('npm warn'))
  return lines.slice(0, 3).join(' / ') || 'it did not say why'
}
