// Everything that can be said about the code without running it: format, lint, types, walls, dead code.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './prepare.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
const steps = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['--noEmit', '-p', 'src/web/tsconfig.json']],
  ['types of tests', bin('tsc'), ['--noEmit', '-p', 'test/tsconfig.json']],
  ['import walls', bin('depcruise'), ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err']],
  ['dead code', bin('knip'), ['--no-progress']],
]

let failed = 0
for (const [name, command, words] of steps) {
  if (!existsSync(command)) {
    console.error(`clew check: ${command} is missing; run npm ci`)
    process.exit(1)
  }
  const status = run(command, words)
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`)
  if (status !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
