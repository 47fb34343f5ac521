// `npm run fuzz:repair [files] [seed]`: 10,000 damaged transcripts by default, each repaired and proved.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare, root } from './prepare.mjs'

prepare()
const files = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? 1)
console.log(`fuzz: ${files} repairs from seed ${seed}`)
const env = { ...process.env, CLEW_FUZZ_FILES: String(files), CLEW_FUZZ_SEED: String(seed) }
const words = ['run', 'test/mend/fuzz.test.ts', '--reporter=verbose']
const ran = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), words, { cwd: root, env, stdio: 'inherit' })
process.exit(ran.status ?? 1)
