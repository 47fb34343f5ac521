// Archives again and again until somebody kills it, and says what it was promised:
//   node killed-archiver.mjs DIST ROOT ARCHIVE NAME SEED COUNT
// Each round some of its own files are appended to, made or rewritten; then a snapshot is taken, and a line tells the parent
// the hash of every file that is in it. A count of 0 has no end.
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [dist, root, folder, writer, seed, count] = process.argv.slice(2)
const load = (name) => import(pathToFileURL(join(dist, 'archive', `${name}.js`)))
const [{ openArchive }, { takeSnapshot }] = await Promise.all([load('open-archive'), load('snapshot')])
let state = Number(seed)
const below = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 4294967296) * limit)
}
const archive = await openArchive(folder)
writeSync(1, 'ready\n')
for (let round = 0; Number(count) === 0 || round < Number(count); round++) {
  const names = [0, 1, 2].map((file) => `projects/-home-ada-tide/${writer}-${file}.jsonl`)
  for (const name of names) change(join(root, name))
  const files = names.map((name) => ({ root, name, path: join(root, name), sessionId: null }))
  await takeSnapshot(archive, files, { takenMs: Date.now(), partBytes: 100_000 })
  const hashes = files.map(({ name, path }) => [name, createHash('sha256').update(readFileSync(path)).digest('hex')])
  writeSync(1, `${JSON.stringify(hashes)}\n`)
}
writeSync(1, 'done\n')

function change(path) {
  mkdirSync(dirname(path), { recursive: true })
  const line = `${JSON.stringify({ number: below(1e9), words: Array.from({ length: below(4000) }, () => below(1e6)) })}\n`
  if (below(5) === 0) writeFileSync(path, line)
  else appendFileSync(path, line)
}
