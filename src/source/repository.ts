// Which folders are worktrees of which repository. Git's own files are read; git itself need not be installed.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

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

/** The client makes worktrees here, and removes them again: then only the name tells. */
const MADE_BY_CLIENT = /^(.+?)[\\/]\.claude[\\/]worktrees[\\/]/

/** The main folder of the repository that a folder is a worktree of; the folder itself where it is none. */
export function repositoryOf(folder: string): string {
  const before = MADE_BY_CLIENT.exec(folder)?.[1]
  if (before !== undefined) return repositoryOf(before)
  if (resolve(folder) !== folder) return folder
  const top = topFolder(folder)
  if (top === null) return folder
  const dotGit = join(top, '.git')
  const common = commonGitFolder(dotGit)
  // A submodule points elsewhere too, but to a folder of its own.
  if (common === dotGit || !existsSync(join(common, 'worktrees'))) return folder
  return basename(common) === '.git' || basename(common) === '.bare' ? dirname(common) : common
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
