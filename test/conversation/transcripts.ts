// Transcripts of the sample and of the corpora, where they are: each with a name and a way to read it.

import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findTranscripts, mainFiles } from '../../src/load/found.ts'
import { projectFolder } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'

const BYTES_MAX = 1_500_000

export function transcriptBytes(): readonly (readonly [string, () => Buffer])[] {
  const roots = [
    join(projectFolder, 'sample'),
    ...(corpus === null ? [] : [join(corpus, 'client'), join(corpus, 'public')]),
  ]
  return mainFiles(findTranscripts(roots))
    .filter(({ sizeBytes }) => sizeBytes > 0 && sizeBytes < BYTES_MAX)
    .map(({ path }) => [`${basename(dirname(path))}/${basename(path)}`, () => readFileSync(path)])
}
