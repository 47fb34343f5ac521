// Which conversations belong to this folder, or to this repository with all its worktrees. Git's own files are read;
// git itself need not be installed.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { ConversationSummary } from '../conversation/summary.ts'

export interface ScopeChoice {
  readonly here?: boolean | undefined
  readonly repo?: boolean | undefined
  readonly project?: string | undefined
}

type ScopedRow = Pick<ConversationSummary, 'cwd' | 'project' | 'path'>

/** Which conversations --here, --repo and --project mean. */
export function conversationFilter({ here, repo, project }: ScopeChoice, from: string): (row: ScopedRow) => boolean {
  const folders = here ? [from] : repo ? repositoryFolders(from) : null
  const part = project?.toLowerCase()
  return ({ cwd, project: path, path: file }) => {
    if (folders !== null && !folders.some((folder) => cwd !== null && isInside(cwd, folder))) return false
    return part === undefined || [path, projectFolder(file)].some((name) => name.toLowerCase().includes(part))
  }
}

/** Some tools keep a project's transcripts one folder deeper. */
function projectFolder(path: string): string {
  const folder = dirname(path)
  return basename(folder) === 'sessions' ? basename(dirname(folder)) : basename(folder)
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** The folders of a repository: its main one and its worktrees. Just the folder itself outside of any repository. */
export function repositoryFolders(from: string): readonly string[] {
  const top = topFolder(from)
  if (top === null) return [from]
  const gitFolder = commonGitFolder(join(top, '.git'))
  const folders = new Set([top])
  // What a bare repository or a submodule lies in is no part of it.
  if (basename(gitFolder) === '.git') folders.add(dirname(gitFolder))
  for (const name of namesIn(join(gitFolder, 'worktrees'))) {
    const folder = join(gitFolder, 'worktrees', name)
    const pointer = textOf(join(folder, 'gitdir'))
    // Absolute, or relative to the folder it stands in (worktree.useRelativePaths).
    if (pointer !== null) folders.add(dirname(resolve(folder, pointer.trim())))
  }
  return [...folders]
}

function topFolder(from: string): string | null {
  for (let at = resolve(from); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return null
  }
}

/** In a worktree `.git` is a file that points to `<main>/.git/worktrees/<name>`. */
function commonGitFolder(dotGit: string): string {
  const pointer = textOf(dotGit)
  const target = pointer === null ? undefined : /^gitdir:\s*(.+)$/m.exec(pointer)?.[1]
  if (target === undefined) return dotGit
  const folder = resolve(dirname(dotGit), target.trim())
  const common = textOf(join(folder, 'commondir'))
  return common === null ? folder : resolve(folder, common.trim())
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
