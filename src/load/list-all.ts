import type { FoundTranscripts } from './found.ts'
import { isCopy } from './found.ts'
import type { ListedConversation } from './list.ts'
import type { OnProgress } from './pool.ts'
import { runProjects } from './pool.ts'

/** All conversations of an archive, newest first. */
export async function listConversations(
  archive: FoundTranscripts,
  onProgress?: OnProgress,
): Promise<readonly ListedConversation[]> {
  return newestFirst((await runProjects(archive.projects, 'list', onProgress)).flat(), archive)
}

export function newestFirst(
  rows: readonly ListedConversation[],
  archive: FoundTranscripts,
): readonly ListedConversation[] {
  const marked = rows.map((row) => ({ ...row, isCopy: isCopy(archive, row.path) }))
  return marked.sort((one, other) => other.modifiedMs - one.modifiedMs || (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** One session may be stored twice: its path tells which is which, so that the order is always the same. */
function keyOf({ sessionId, path }: ListedConversation): string {
  return `${sessionId} ${path}`
}
