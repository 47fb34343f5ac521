// What `clew list` shows, project by project, so that memory is bounded by the largest project.

import { statSync } from 'node:fs'
import type { ConversationSummary } from '../conversation/summary.ts'
import { summarise } from '../conversation/summary.ts'
import type { FoundArchive, Project } from './archive.ts'
import { runProjects } from './pool.ts'
import { loadProject, weaveSession } from './project.ts'
import type { LoadedFile } from './read.ts'

export interface ListedConversation extends ConversationSummary {
  readonly modifiedMs: number
  readonly sizeBytes: number
}

/** Newest first. */
export async function listConversations(
  archive: FoundArchive,
  onProgress?: (doneBytes: number, totalBytes: number) => void,
): Promise<readonly ListedConversation[]> {
  const rows = await runProjects(archive.projects, 'list', onProgress)
  return rows
    .flat()
    .sort((one, other) => other.modifiedMs - one.modifiedMs || (one.sessionId < other.sessionId ? -1 : 1))
}

export function listProject(project: Project): readonly ListedConversation[] {
  const loaded = loadProject(project, { readsAgents: false })
  const rows: ListedConversation[] = []
  for (const [index, main] of loaded.mains.entries()) {
    if (!isConversation(main)) continue
    const summary = summarise(weaveSession(loaded, index, 'resume'), main.transcript.problems.length)
    // The last record's own time: copying or touching files changes what the file system says.
    rows.push({ ...summary, modifiedMs: summary.lastRecordMs ?? main.file.modifiedMs, sizeBytes: main.file.sizeBytes })
  }
  return rows
}

/** Something was said in it, or it has a name. Queue leftovers, empty files and subagent stubs are no conversations. */
export function isConversation({ transcript }: LoadedFile): boolean {
  const { labels, envelopes } = transcript
  if (labels.customTitle !== null || labels.aiTitle !== null || labels.summary !== null) return true
  return envelopes.some(
    ({ kind, isSidechain }) => (kind === 'prompt' || kind === 'reply' || kind === 'injection') && !isSidechain,
  )
}

export function modifiedMsOf(path: string): number {
  try {
    return statSync(path).mtimeMs
  } catch {
    return 0
  }
}
