// How long the token accounts take beside ccusage, in the same run: cold (every file read) and from a warm index, turn by
// turn, medians and their ratios. ccusage is no dependency: install it anywhere and name its program.
//   npm install --prefix /tmp/ccusage ccusage@20.0.24
//   node scripts/bench-usage.mjs --ccusage /tmp/ccusage/node_modules/.bin/ccusage --claude DIR [--rounds 7]
// Without --claude an archive of --size (600MB) is generated into a temporary folder.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    claude: { type: 'string' },
    ccusage: { type: 'string' },
    size: { type: 'string', default: '600MB' },
    rounds: { type: 'string', default: '7' },
  },
})
const scratch = mkdtempSync(join(tmpdir(), 'clew-bench-usage-'))
const clew = join(root, 'dist', 'bin', 'clew.js')

try {
  const claude = values.claude ?? generated()
  const environment = {
    PATH: process.env['PATH'],
    HOME: scratch,
    XDG_CACHE_HOME: join(scratch, 'cache'),
    CLAUDE_CONFIG_DIR: claude,
    TZ: 'UTC',
  }
  const run = (program, words) => {
    const startedMs = performance.now()
    const ran = spawnSync(program, words, { env: environment, maxBuffer: 1 << 28 })
    if (ran.status !== 0) throw new Error(`${program} ${words.join(' ')}: ${ran.stderr}`)
    return performance.now() - startedMs
  }
  const indexMs = run(process.execPath, [clew, 'list', '-n', '1'])
  say(
    `index of ${claude} made in ${(indexMs / 1000).toFixed(1)} s, ${megabytes(join(scratch, 'cache/clew/index.sqlite'))} MB`,
  )
  const ways = {
    ...(values.ccusage === undefined ? {} : { ccusage: [values.ccusage, ['claude', 'daily', '--offline', '--json']] }),
    cold: [process.execPath, [clew, 'usage', '--no-index', '--json']],
    warm: [process.execPath, [clew, 'usage', '--json']],
  }
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, [program, words]] of Object.entries(ways)) times[name].push(run(program, words))
  }
  for (const [name, own] of Object.entries(times)) {
    const ratio = times.ccusage === undefined ? '' : `  ${(median(own) / median(times.ccusage)).toFixed(2)} × ccusage`
    say(`${name.padEnd(8)} median ${median(own).toFixed(0)} ms, least ${Math.min(...own).toFixed(0)} ms${ratio}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function generated() {
  const beside = join(root, '..', 'shared', 'tools', 'gen.mjs')
  if (!existsSync(beside)) throw new Error('no generator beside the project: name an archive with --claude DIR')
  const out = join(scratch, 'archive')
  const words = [beside, '--out', out, '--size', values.size, '--files', '1200', '--projects', '30', '--seed', '1']
  const made = spawnSync(process.execPath, words, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  return join(out, '.claude')
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]
}

function megabytes(path) {
  return (statSync(path).size / 1e6).toFixed(0)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
