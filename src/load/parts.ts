// A large Project in parts that tell nothing of each other. Each of its files is read once more for it, which is the price
// of never having all Envelopes of a Project in memory: some people work in one folder for years.

import { kinOf } from '../graph/kin.ts'
import type { RelatedFile } from '../graph/owners.ts'
import type { Project } from './found.ts'
import type { ReadFile } from './read.ts'

/** Of transcripts. What is made of them takes less. */
export const WHOLE_BYTES = 64 << 20

export function* partsOf(project: Project, read: ReadFile, wholeBytes: number): Generator<Project, void, void> {
  if (project.sizeBytes <= wholeBytes) {
    yield project
    return
  }
  for (const kin of kinOf(relatedFiles(project, read))) {
    const files = kin.flatMap((place) => project.files[place] ?? [])
    yield { ...project, files, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
  }
}

function* relatedFiles({ files }: Project, read: ReadFile): Generator<RelatedFile, void, void> {
  for (const file of files) {
    // What a Subagent's records name is in its own file or its caller's.
    if (file.role === 'subagent' && file.sessionId !== null) yield { sessionId: file.sessionId, envelopes: [] }
    else yield read(file).transcript
  }
}
