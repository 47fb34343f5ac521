// `npm start`: the main job, in the browser, on the user's own sessions or on the bundled sample when there are none.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare({ quiet: true })
const command = join(root, 'dist', 'bin', 'clew.js')
const child = spawn(process.execPath, [command, 'serve', ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: process.env.INIT_CWD ?? root,
})
// Ctrl-C reaches both; the server says when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
