// Writes the sample archive that Clew shows to people who have no sessions yet: five sessions of an engineer named Ada,
// in the format of the client. The stories are told in sample/story; two runs give the same bytes.
//
//   node scripts/sample.mjs [--out <folder>]

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { play } from './sample/steps.mjs'
import { battery, greeting } from './sample/story/dotfiles.mjs'
import { moon } from './sample/story/moon.mjs'
import { tidewatch } from './sample/story/tidewatch.mjs'
import { openTranscript, saveTranscript } from './sample/transcript.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string', default: join(here, '..', 'sample') } } })

/** Path below `projects/` → text. */
const archive = new Map()
for (const { story, ...session } of [tidewatch, moon, battery, greeting]) {
  const transcript = openTranscript({ archive, ...session })
  play(transcript, story)
  saveTranscript(transcript)
}

for (const [path, text] of archive) {
  const target = join(values.out, 'projects', path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
const sizeBytes = [...archive.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
console.log(`${archive.size} files, ${sizeBytes} bytes, in ${join(values.out, 'projects')}`)
