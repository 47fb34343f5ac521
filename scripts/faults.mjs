// `npm run faults [kills] [seed]`: kills an ingest 200 times, and looks each time at what is left.
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

prepare()
const [kills = '200', seed = String(1 + (Date.now() % 1_000_000_000))] = process.argv.slice(2)
const env = { ...process.env, CLEW_FAULTS: kills, CLEW_FAULTS_SEED: seed }
const words = ['run', 'test/search/faults.test.ts', '--reporter=verbose']
process.exit(run(join(root, 'node_modules', '.bin', 'vitest'), words, { env }))
