// `npm run fuzz [files] [seed]`: 500,000 damaged files by default, in two processes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const files = Number(process.argv[2] ?? 500_000)
const seed = Number(process.argv[3] ?? 1 + (Date.now() % 1_000_000_000))
console.log(`fuzz: ${files} files from seed ${seed}`)
const half = Math.ceil(files / 2)
const run = (first) =>
  new Promise((resolve) => {
    const env = { ...process.env, CLEW_FUZZ_FILES: String(half), CLEW_FUZZ_SEED: String(first) }
    const words = ['run', 'test/property/mutation.test.ts', '--reporter=verbose']
    spawn(join(root, 'node_modules', '.bin', 'vitest'), words, { cwd: root, env, stdio: 'inherit' }).on('exit', resolve)
  })
const codes = await Promise.all([run(seed), run(seed + half)])
process.exit(codes.every((code) => code === 0) ? 0 : 1)
