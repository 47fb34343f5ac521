// `npm test`: prepares what is missing, checks the code, runs all tests. Words behind it go to the test runner.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare, prepareBrowser, root, run } from './prepare.mjs'

prepare()
prepareBrowser()
const words = process.argv.slice(2)
const checked = words.length > 0 || process.env['CLEW_LONG'] === '1' ? 0 : run(process.execPath, ['scripts/check.mjs'])
// Tests must never see the sessions of whoever runs them.
const home = mkdtempSync(join(tmpdir(), 'clew-home-'))
const env = { ...process.env, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude'), NO_COLOR: '1' }
const tested = run(join(root, 'node_modules', '.bin', 'vitest'), ['run', ...words], { env })
rmSync(home, { recursive: true, force: true })
process.exit(checked !== 0 ? checked : tested)
