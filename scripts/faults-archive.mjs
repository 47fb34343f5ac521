// `npm run faults:archive [kills] [seed]`: kills an archiver 100 times, flips every byte of an archive of a megabyte, cuts the
// power at every operation of a simulated disk, and looks each time at what is left.
import { join } from 'node:path'
import { prepare, root, run } from './prepare.mjs'

prepare()
const [kills = '100', seed = String(1 + (Date.now() % 1_000_000_000))] = process.argv.slice(2)
const env = { ...process.env, CLEW_ARCHIVE_KILLS: kills, CLEW_ARCHIVE_SEED: seed, CLEW_ARCHIVE_FLIPS: 'all' }
const files = ['killed-faults', 'crash-faults', 'damage'].map((name) => `test/archive/${name}.test.ts`)
const words = ['run', ...files, '--reporter=verbose', '--no-file-parallelism']
process.exit(run(join(root, 'node_modules', '.bin', 'vitest'), words, { env }))
