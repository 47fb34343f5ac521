// `npm run fuzz [files] [seed] [lines]`: 500,000 damaged files by default, in two processes, and then 1,000,000 lines read
// by the Scanner and the exact way.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const files = Number(process.argv[2] ?? 500_000)
const seed = Number(process.argv[3] ?? 1 + (Date.now() % 1_000_000_000))
console.log(`fuzz: ${files} files from seed ${seed}`)
const half = Math.ceil(files / 2)
const lines = Number(process.argv[4] ?? 1_000_000)
const run = (test, variables) =>
  new Promise((resolve) => {
    const env = { ...process.env, ...variables }
    const words = ['run', test, '--reporter=verbose']
    spawn(join(root, 'node_modules', '.bin', 'vitest'), words, { cwd: root, env, stdio: 'inherit' }).on('exit', resolve)
  })
const damaged = (first) => ({ CLEW_FUZZ_FILES: String(half), CLEW_FUZZ_SEED: String(first) })
const scanned = (first) => ({ CLEW_SCAN_LINES: String(Math.ceil(lines / 2)), CLEW_SCAN_SEED: String(first) })
const both = (test, variables, step) =>
  Promise.all([seed, seed + step].map((first) => run(`test/${test}.test.ts`, variables(first))))
const codes = [
  ...(files > 0 ? await both('property/mutation', damaged, half) : []),
  ...(await both('record/scanner', scanned, Math.ceil(lines / 2))),
]
process.exit(codes.every((code) => code === 0) ? 0 : 1)
