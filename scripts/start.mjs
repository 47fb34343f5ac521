// `npm start`: the main job on the user's own sessions, or on the bundled sample when there are none.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

prepare({ quiet: true })
const command = join(root, 'dist', 'bin', 'clew.js')
const words = process.argv.slice(2)
const own = spawnSync(process.execPath, [command, 'list', '--limit', '1', '--json', ...words], {
  encoding: 'utf8',
  cwd: process.env.INIT_CWD ?? root,
})
if (own.status === 0 && own.stdout.trim() === '') {
  console.error('clew: there are no sessions of your own yet, so here is the bundled sample.\n')
  const sample = join(root, 'sample')
  const status = run(process.execPath, [command, 'list', '--root', sample, ...words])
  console.error(`\nNext: npx clew show latest --root ${sample}`)
  process.exit(status)
}
const status = run(process.execPath, [command, 'list', ...words], { cwd: process.env.INIT_CWD ?? root })
if (status === 0) console.error('\nNext: npx clew show latest')
process.exit(status)
