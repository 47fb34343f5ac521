// A conversation as the page lists it.

import type { ListedConversation } from '../load/list.ts'
import { repositoryOf } from '../source/repository.ts'
import type { HomeRow, RunState } from './api/home.ts'

export function homeRow(listed: ListedConversation, isGone: boolean, running: RunState | null): HomeRow {
  const { sessionId, title, firstPrompt, cwd, project, gitBranch, model, createdMs, modifiedMs } = listed
  const { turns, messages, sizeBytes, segments, branches, subagents, problems, continues, forkOf } = listed
  return {
    id: sessionId,
    title,
    firstPrompt,
    project,
    repository: cwd === null ? project : knownRepository(cwd),
    gitBranch,
    model,
    createdMs,
    modifiedMs,
    turns,
    messages,
    sizeBytes,
    compactions: Math.max(0, segments - 1),
    branches,
    subagents,
    problems,
    continues,
    forkOf,
    tag: listed.tag,
    isArchived: listed.archived,
    isGone,
    isCopy: listed.isCopy,
    running,
  }
}

const repositories = new Map<string, string>()

/** Thousands of conversations ran in a few folders, and to look for a repository is a dozen questions to the disk. */
function knownRepository(folder: string): string {
  const known = repositories.get(folder)
  if (known !== undefined) return known
  const found = repositoryOf(folder)
  repositories.set(folder, found)
  return found
}
