// Builds dist/ and makes the command executable. Run by `npm ci` through `prepare`.
import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const built = spawnSync(process.execPath, [compiler, '-p', root], { stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)
chmodSync(`${root}dist/cli/main.js`, 0o755)
