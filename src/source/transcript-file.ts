// A transcript from its path, the folders above it and how it stands on disk.

import { sep } from 'node:path'
import type { TranscriptFile } from './model.ts'

export const SUFFIX = '.jsonl'

/** What the folders above a file say about it. */
export interface FilePlace {
  readonly projectKey: string
  readonly sessionId: string | null
  readonly workflowId: string | null
}

export interface FileStat {
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly birthtimeMs: number
}

/** `siblings`: which folders lie beside it. */
export function transcriptFile(
  path: string,
  { projectKey, sessionId, workflowId }: FilePlace,
  siblings: { readonly has: (stem: string) => boolean },
  { dev, ino, size, mtimeMs, ctimeMs, birthtimeMs }: FileStat,
): TranscriptFile {
  const stem = path.slice(path.lastIndexOf(sep) + 1, -SUFFIX.length)
  const isAgent = stem.startsWith('agent-')
  return {
    path,
    role: isAgent ? 'subagent' : 'main',
    sessionId: isAgent ? sessionId : stem,
    agentId: isAgent ? stem.slice('agent-'.length) : null,
    workflowId,
    projectKey,
    sessionFolder: !isAgent && siblings.has(stem) ? path.slice(0, -SUFFIX.length) : null,
    sizeBytes: size,
    modifiedMs: mtimeMs,
    changedMs: ctimeMs,
    identity: `${dev}:${ino}:${Math.floor(birthtimeMs)}`,
  }
}
