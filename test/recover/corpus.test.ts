// Genuine transcripts: what a call wrote is what the client itself shows of the file later, unless a shell command or
// somebody else came in between.

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBodies } from '../../src/load/bodies.ts'
import { findTranscripts, mainFiles, onlyFiles } from '../../src/load/found.ts'
import { loadFile } from '../../src/load/read.ts'
import { certaintyOf } from '../../src/recover/content.ts'
import type { FileHistory } from '../../src/recover/model.ts'
import { recoverFiles } from '../../src/recover/recovered.ts'
import { corpus } from '../corpus/corpus.ts'

/** Session by session: in a corpus several lives of one folder lie side by side. */
function* histories(root: string): Generator<FileHistory, void, void> {
  const archive = findTranscripts([root])
  for (const main of mainFiles(archive)) {
    const own = archive.projects.flatMap(({ files }) => files.filter(({ sessionId }) => sessionId === main.sessionId))
    const bodies = openBodies()
    const scope = {
      archive: onlyFiles(archive, own),
      read: (file: typeof main) => loadFile(file),
      bodies,
      sessions: null,
      names: null,
      moves: [],
    }
    yield* recoverFiles(scope).histories.values()
    bodies.close()
  }
}

describe.skipIf(corpus === null)('files of genuine transcripts', () => {
  test.each(['client', 'public'])('%s', (name) => {
    let written = 0
    let certain = 0
    const contradicted: string[] = []
    for (const { path, versions } of histories(join(corpus ?? '', name))) {
      for (const [place, version] of versions.entries()) {
        if (!/^(?:created|written|edited)$/.test(version.cause)) continue
        written++
        if (/^(?:exact|text)$/.test(certaintyOf(version.content))) certain++
        const next = versions[place + 1]
        if (next?.cause === 'outside') contradicted.push(`${path} v${next.number} ${next.place.transcriptPath}`)
      }
    }
    process.stdout.write(
      `${name}: ${written} writes and edits, ${certain} certain, ${contradicted.length} changed in between\n`,
    )
    expect(written).toBeGreaterThan(20)
    if (name === 'client') expect([contradicted, certain]).toEqual([[], written])
    else expect(contradicted.length / written).toBeLessThan(0.1)
    if (process.env['CLEW_SHOW'] !== undefined) process.stdout.write(`${contradicted.join('\n')}\n`)
  })
})
