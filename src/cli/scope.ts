// Which conversations belong to this folder, or to this repository with all its worktrees.

import { sep } from 'node:path'
import type { ConversationSummary } from '../conversation/summary.ts'
import { isProjectNamed } from '../load/project-name.ts'
import { repositoryFolders } from '../source/repository.ts'

export interface ScopeChoice {
  readonly here?: boolean | undefined
  readonly repo?: boolean | undefined
  readonly project?: string | undefined
}

type ScopedRow = Pick<ConversationSummary, 'cwd' | 'project' | 'path'>

/** Which conversations --here, --repo and --project mean. */
export function conversationFilter({ here, repo, project }: ScopeChoice, from: string): (row: ScopedRow) => boolean {
  const folders = here ? [from] : repo ? repositoryFolders(from) : null
  return (row) => {
    const { cwd } = row
    if (folders !== null && !folders.some((folder) => cwd !== null && isInside(cwd, folder))) return false
    return project === undefined || isProjectNamed(row, project)
  }
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
