// `npm run test:sdk`: puts the official SDK into a temporary folder, without the programs it would bring along, and lets
// it read what Clew reads and writes. CLEW_SDK names one that is there already.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './prepare.mjs'

const NAME = '@anthropic-ai/claude-agent-sdk'
const folder = mkdtempSync(join(tmpdir(), 'clew-sdk-'))
try {
  process.exitCode = main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function main() {
  const sdk = process.env['CLEW_SDK'] ?? installed()
  if (sdk === undefined) {
    console.log(`SKIPPED: ${NAME} is not to be had; nothing was compared with it`)
    return 0
  }
  const env = { ...process.env, CLEW_SDK: sdk, HOME: folder }
  return spawnSync('npx', ['vitest', 'run', 'test/sdk', 'test/store'], { cwd: root, env, stdio: 'inherit' }).status ?? 1
}

function installed() {
  const words = ['install', '--no-save', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', NAME]
  const env = { ...process.env, npm_config_cache: join(folder, 'cache') }
  const ran = spawnSync('npm', [...words, '--prefix', folder], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const path = join(folder, 'node_modules', ...NAME.split('/'))
  return ran.status === 0 && existsSync(path) ? path : undefined
}
