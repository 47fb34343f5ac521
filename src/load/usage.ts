// What all transcripts of an archive say about tokens, file by file. Nothing is folded here: a message may have copies in
// any other file.

import type { UsageRecord } from '../record/usage-record.ts'
import type { TranscriptFile, TranscriptRole } from '../source/model.ts'
import type { FoundTranscripts } from './found.ts'
import type { OnProgress } from './pool.ts'
import { runProjects } from './pool.ts'
import { unpackUsageRuns } from './usage-pack.ts'

/** A transcript that used tokens, as far as its place on disk tells. */
export interface UsageFile {
  readonly path: string
  readonly role: TranscriptRole
  readonly sessionId: string | null
  readonly agentId: string | null
  readonly projectKey: string
  /** Deleted since; only an index remembers it. */
  readonly isGone: boolean
  readonly records: readonly UsageRecord[]
}

export async function readUsage(archive: FoundTranscripts, onProgress?: OnProgress): Promise<readonly UsageFile[]> {
  const found = (await runProjects(archive.projects, 'usage', onProgress)).flat()
  const packedBy = new Map(found.map(({ path, packed }) => [path, packed]))
  const files: UsageFile[] = []
  for (const file of archive.projects.flatMap((project) => project.files)) {
    const packed = packedBy.get(file.path)
    if (packed !== undefined) files.push(usageFile(file, unpackUsageRuns(packed)))
  }
  return files
}

export function usageFile(file: TranscriptFile, records: readonly UsageRecord[]): UsageFile {
  const { path, role, sessionId, agentId, projectKey } = file
  return { path, role, sessionId, agentId, projectKey, isGone: false, records }
}
