// Which files of a Claude directory to keep: all of them, those of some projects, or those of some sessions. Chosen by
// names, places and times; nothing is read.

import type { SourceFile } from './model.ts'
import { ownersOf, transcriptId } from './owner.ts'
import { sourceFiles } from './source-files.ts'

export interface OwnedFile extends SourceFile {
  readonly projectKey: string | null
  readonly isFlat: boolean
}

/** All that is worth keeping, each with whose it is. */
export function ownedFiles(root: string): readonly OwnedFile[] {
  const files = sourceFiles(root)
  const ownerOf = ownersOf(files.map(({ name }) => name))
  return files.map((file) => ({ ...file, ...ownerOf(file.name) }))
}

/** Those of the projects whose folder a text names, in part or as the path it was made from. */
export function filesOfProject(files: readonly OwnedFile[], part: string): readonly OwnedFile[] {
  const wanted = [part, part.replaceAll(/[^A-Za-z0-9]/g, '-')].map((text) => text.toLowerCase())
  const isWanted = (key: string): boolean => wanted.some((text) => key.toLowerCase().includes(text))
  const ids = new Set(
    files.flatMap(({ projectKey, sessionId }) =>
      projectKey !== null && isWanted(projectKey) ? (sessionId ?? []) : [],
    ),
  )
  return files.filter(
    ({ projectKey, sessionId }) =>
      (projectKey !== null && isWanted(projectKey)) || (sessionId !== null && ids.has(sessionId)),
  )
}

/** Those of these sessions, and the flat files beside their transcripts. */
export function filesOfSessions(files: readonly OwnedFile[], ids: ReadonlySet<string>): readonly OwnedFile[] {
  const isWanted = ({ sessionId }: OwnedFile): boolean => sessionId !== null && ids.has(sessionId)
  const keys = new Set(files.filter(isWanted).map(({ projectKey }) => projectKey))
  return files.filter((file) => isWanted(file) || (file.isFlat && keys.has(file.projectKey)))
}

/** Sessions that begin like this. Every id of which something lies there counts, its transcript may be gone. */
export function idsLike(ids: Iterable<string | null>, beginning: string): readonly string[] {
  const known = new Set([...ids].flatMap((id) => id ?? []))
  if (known.has(beginning)) return [beginning]
  return [...known].filter((id) => id.startsWith(beginning.toLowerCase()) || id.startsWith(beginning)).sort()
}

/**
 * Those that a clean-up would delete, with all that belongs to the same sessions: whoever loses one file of a session
 * is about to lose the session.
 */
export function expiringFiles(
  files: readonly OwnedFile[],
  modifiedMs: (file: OwnedFile) => number | null,
  beforeMs: number,
): readonly OwnedFile[] {
  const old = new Set(files.filter((file) => (modifiedMs(file) ?? Number.POSITIVE_INFINITY) <= beforeMs))
  const ids = new Set([...old].flatMap(({ sessionId }) => sessionId ?? []))
  return files.filter((file) => old.has(file) || (file.sessionId !== null && ids.has(file.sessionId)))
}

/** How many conversations there are among some files. */
export function sessionCount(files: readonly { readonly name: string }[]): number {
  return new Set(files.flatMap(({ name }) => transcriptId(name) ?? [])).size
}
