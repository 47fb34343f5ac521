// Where to look. Explicit roots win over the environment, and the environment over the two places clients use.
// A root may be a Claude directory, its `projects` folder, one project, any folder with transcripts, or one transcript.

import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { distinctPlaces } from './real-place.ts'

export interface RootChoice {
  readonly roots: readonly string[]
  /** Explicitly named roots that do not exist: the user should hear about those. */
  readonly missing: readonly string[]
}

export interface RootSettings {
  readonly roots: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

export function chooseRoots(settings: RootSettings): RootChoice {
  const { roots, environment, home } = settings
  if (roots.length > 0) {
    const named = [...new Set(roots.map((root) => transcriptBehind(resolve(root))))]
    return { roots: distinctPlaces(named.filter(existsSync)), missing: named.filter((root) => !existsSync(root)) }
  }
  const configured = environment['CLAUDE_CONFIG_DIR']
  const places = configured ? [resolve(configured)] : [join(home, '.claude'), join(home, '.config', 'claude')]
  return { roots: distinctPlaces(places.filter(existsSync)), missing: [] }
}

/** The Claude directory that a root is or lies in; any other folder with transcripts does not say where that is. */
export function claudeFolder(root: string): string | null {
  if (existsSync(join(root, 'projects'))) return root
  return basename(root) === 'projects' ? dirname(root) : null
}

/** A transcript that somebody names may be a link to one; what belongs to it lies beside the one it leads to. */
export function transcriptBehind(path: string): string {
  try {
    const isLink = path.endsWith('.jsonl') && lstatSync(path).isSymbolicLink()
    const target = isLink ? realpathSync(path) : path
    return target.endsWith('.jsonl') ? target : path
  } catch {
    return path
  }
}
