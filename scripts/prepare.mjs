// Prepares what is missing on a fresh machine: dependencies and the built command. Used by `npm start` and `npm test`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export function run(command, words, options = {}) {
  const ran = spawnSync(command, words, { stdio: 'inherit', cwd: root, ...options })
  return ran.status ?? 1
}

export function prepare({ quiet = false } = {}) {
  const stdio = quiet ? ['ignore', 'ignore', 'inherit'] : 'inherit'
  if (!existsSync(join(root, 'node_modules', 'typescript'))) {
    console.error('clew: installing what it needs (npm ci)…')
    const installed = run('npm', ['ci', '--no-audit', '--no-fund'], { stdio })
    if (installed !== 0) process.exit(installed)
  }
  if (isStale()) {
    const built = run(process.execPath, ['scripts/build.mjs'], { stdio })
    if (built !== 0) process.exit(built)
  }
}

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Some tests open exported pages in a real browser. Where it is missing and can be had with one command it is installed;
 * where not, those tests say that they were skipped.
 */
export function prepareBrowser() {
  const known = [process.env.CHROMIUM, ...BROWSERS].some((path) => path !== undefined && existsSync(path))
  if (known || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.error('clew: installing chromium for the tests that open a page (apt-get)…')
  const quiet = { stdio: 'ignore', timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const install = ['install', '-y', '--no-install-recommends', 'chromium']
  if (run('apt-get', install, quiet) !== 0 && run('apt-get', ['update'], quiet) === 0) run('apt-get', install, quiet)
}

function isStale() {
  const built = join(root, 'dist', 'bin', 'clew.js')
  if (!existsSync(built)) return true
  const builtMs = statSync(built).mtimeMs
  return newest(join(root, 'src')) > builtMs
}

function newest(folder) {
  let newestMs = 0
  for (const one of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (one.isFile()) newestMs = Math.max(newestMs, statSync(join(one.parentPath ?? one.path, one.name)).mtimeMs)
  }
  return newestMs
}
