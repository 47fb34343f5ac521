// `npm run faults [kills] [seed] [crashes] [store kills]`: kills an ingest 200 times and a writer of the store 500 times,
// lets 100,000 simulated disks crash under the store, and looks each time at what is left.
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

prepare()
const [kills = '200', seed = String(1 + (Date.now() % 1_000_000_000)), crashes = '100000', storeKills = '500'] =
  process.argv.slice(2)
const store = { CLEW_STORE_CRASHES: crashes, CLEW_STORE_KILLS: storeKills, CLEW_STORE_SEED: seed }
const env = { ...process.env, CLEW_FAULTS: kills, CLEW_FAULTS_SEED: seed, ...store }
const files = ['test/search/faults.test.ts', 'test/store/crash-faults.test.ts', 'test/store/killed-faults.test.ts']
const words = ['run', ...files, '--reporter=verbose', '--no-file-parallelism']
process.exit(run(join(root, 'node_modules', '.bin', 'vitest'), words, { env }))
