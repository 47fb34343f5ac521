// Builds dist/ and makes the command executable. Run by `npm ci` through `prepare`. The old build stays whole until the
// new one is finished, so that a command running meanwhile finds its files.
import { spawnSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const next = join(root, `dist.${process.pid}`)
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const built = spawnSync(process.execPath, [compiler, '-p', root, '--outDir', next], { stdio: 'inherit' })
if (built.status !== 0) {
  rmSync(next, { recursive: true, force: true })
  process.exit(built.status ?? 1)
}
chmodSync(join(next, 'cli', 'main.js'), 0o755)
rmSync(dist, { recursive: true, force: true })
renameSync(next, dist)
