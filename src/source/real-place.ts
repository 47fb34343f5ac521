import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Where a path really lies: links are followed as far as there is anything, and what is not there is taken at its word.
 * Two names of one Claude directory, one of them a link, have the same place.
 */
export function realPlace(path: string): string {
  for (let at = resolve(path), rest = ''; ; rest = join(basename(at), rest), at = dirname(at)) {
    try {
      return join(realpathSync(at), rest)
    } catch (error) {
      if (dirname(at) === at) throw error
    }
  }
}

/** What a link leads to that a person named; any other path as it is. */
export function behindLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realPlace(path) : path
  } catch {
    return path
  }
}

/** Without those that lie where an earlier one does. */
export function distinctPlaces(paths: readonly string[]): readonly string[] {
  const first = new Map<string, string>()
  for (const path of paths) {
    const place = realPlace(path)
    if (!first.has(place)) first.set(place, path)
  }
  return [...first.values()]
}
