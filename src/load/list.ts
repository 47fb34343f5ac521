// What `clew list` shows, project by project, so that memory is bounded by the largest project.

import type { ConversationSummary } from '../conversation/summary.ts'
import { summarise } from '../conversation/summary.ts'
import type { Project } from './archive.ts'
import { loadProject, weaveSession } from './project.ts'
import type { LoadedFile } from './read.ts'

export interface ListedConversation extends ConversationSummary {
  readonly modifiedMs: number
  readonly sizeBytes: number
}

export function listProject(project: Project): readonly ListedConversation[] {
  const loaded = loadProject(project, { readsAgents: false })
  const rows: ListedConversation[] = []
  for (const [index, main] of loaded.mains.entries()) {
    if (!isConversation(main)) continue
    const summary = summarise(weaveSession(loaded, index, 'resume'), seriousProblems(main))
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

/** Notes (a missing last line end, say) are for `clew check`; here they would only alarm. */
function seriousProblems({ transcript }: LoadedFile): number {
  return transcript.problems.filter(({ severity }) => severity !== 'info').length
}
