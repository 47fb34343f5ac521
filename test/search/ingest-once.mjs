// One ingest in a process of its own, for those who want to kill it: the built index, but with sizes of their choosing.
//   node ingest-once.mjs DIST INDEX ROOT SIZES
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [dist, path, root, sizes] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(join(dist, name)))
const { findTranscripts } = await load('load/found.js')
const { openDatabase } = await load('search/database.js')
const { ingest } = await load('search/ingest.js')
const { SIZES } = await load('search/sizes.js')

const database = openDatabase(path)
const archive = findTranscripts([root])
writeSync(1, 'ready\n')
const onProgress = (done, total) => {
  if (done >= total) writeSync(1, 'read\n')
}
const options = { nowMs: Date.now(), onProgress, sizes: { ...SIZES, ...JSON.parse(sizes) } }
const state = await ingest(database, path, archive, options)
writeSync(1, `${state}\n`)
database.close()
