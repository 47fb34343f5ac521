// The Claude directories that are archived, and the archive they go to, as every word of `clew archive` needs them.

import { join, resolve } from 'node:path'
import { ArchiveError } from '../archive/archive-error.ts'
import { idsLike } from '../archive/choose.ts'
import type { Archive } from '../archive/open-archive.ts'
import { archiveFolder, existingArchive } from '../archive/open-archive.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import { distinctPlaces } from '../source/real-place.ts'
import { chooseRoots, claudeFolder } from '../source/roots.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'

/** Those that are there; an explicit one must be. */
export function claudeFolders(roots: readonly string[] | undefined, world: World): readonly string[] {
  const choice = chooseRoots({ roots: roots ?? [], environment: world.environment, home: world.home })
  const missing = choice.missing[0]
  if (missing !== undefined) throw new Failure(`no such file or folder: ${missing}`)
  const folders = choice.roots.map(claudeFolder)
  const wrong = choice.roots.find((_, place) => folders[place] === null)
  if (wrong !== undefined && roots !== undefined) {
    throw new Failure(`archive needs a Claude directory, one with a “projects” folder in it, not ${wrong}`)
  }
  return distinctPlaces(folders.flatMap((folder) => folder ?? []))
}

/** Where the client would make one, on a machine that has none. */
export function usualFolder({ environment, home }: World): string {
  const configured = environment['CLAUDE_CONFIG_DIR']
  return configured ? resolve(configured) : join(home, '.claude')
}

/** Null when nothing was archived yet. */
export function findOwnArchive(world: World): Archive | null {
  return orFailure(() => existingArchive(archiveFolder(world), REAL_DISK))
}

export function ownArchive(world: World): Archive {
  const found = findOwnArchive(world)
  if (found === null) throw new Failure('nothing was archived yet. Try: clew archive')
  return found
}

/** What the archive says is meant for people. */
export function orFailure<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof ArchiveError) throw new Failure(error.message)
    throw error
  }
}

export async function failing<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ArchiveError) throw new Failure(error.message)
    throw error
  }
}

/** The sessions that were named, each by its id or the beginning of one. */
export function namedSessions(names: readonly string[], known: readonly (string | null)[], where: string): Set<string> {
  return new Set(
    names.map((name) => {
      const fitting = idsLike(known, name)
      const [only] = fitting
      if (only === undefined) throw new Failure(`no session ${where} has an id that begins with “${name}”`)
      if (fitting.length > 1) {
        const more = fitting.length > 10 ? ` and ${fitting.length - 10} more` : ''
        throw new Failure(`“${name}” fits ${fitting.length} sessions: ${fitting.slice(0, 10).join(', ')}${more}`)
      }
      return only
    }),
  )
}
