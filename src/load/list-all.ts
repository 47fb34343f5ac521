import type { FoundArchive } from './archive.ts'
import type { ListedConversation } from './list.ts'
import type { OnProgress } from './pool.ts'
import { runProjects } from './pool.ts'

/** All conversations of an archive, newest first. */
export async function listConversations(
  archive: FoundArchive,
  onProgress?: OnProgress,
): Promise<readonly ListedConversation[]> {
  const rows = (await runProjects(archive.projects, 'list', onProgress)).flat()
  return rows.sort((one, other) => other.modifiedMs - one.modifiedMs || (one.sessionId < other.sessionId ? -1 : 1))
}
