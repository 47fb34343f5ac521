// What of a Claude directory is worth keeping: everything below the folders in which conversations and their neighbours
// lie, whatever it is, and the list of what was typed. Settings and credentials are not touched.

import type { Dirent } from 'node:fs'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { SourceFile } from './model.ts'

const FOLDERS = ['projects', 'file-history', 'todos', 'plans', 'tasks']
const FILES = ['history.jsonl']
const SESSION = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * By name. Links, sockets and the like are left out: what they lead to is not theirs. A folder that may not be listed is
 * named itself, for nobody knows what is in it: to keep it fails, and that is told.
 */
export function sourceFiles(root: string): readonly SourceFile[] {
  const names = FOLDERS.flatMap((folder) => namesBelow(root, folder))
  const top = (namesIn(root) ?? []).flatMap((found) =>
    found.isFile() && FILES.includes(found.name) ? [found.name] : [],
  )
  return [...names, ...top].map((name) => ({
    root,
    name,
    path: join(root, ...name.split('/')),
    sessionId: sessionIdIn(name),
  }))
}

/** Whether this is the name of something that is kept: nothing else comes into an archive, and nothing else out of it. */
export function isSourceName(name: string): boolean {
  return FILES.includes(name) || FOLDERS.some((folder) => name.startsWith(`${folder}/`))
}

/** The first thing in a name that looks like an id; a project may have one in its own name. */
export function sessionIdIn(name: string): string | null {
  return SESSION.exec(name.replace(/^projects\/[^/]*\//, ''))?.[0] ?? null
}

function namesBelow(root: string, name: string): readonly string[] {
  const all = namesIn(join(root, name))
  if (all === null) return [`${name}/`]
  return all.flatMap((found) => {
    const below = `${name}/${found.name}`
    if (found.isDirectory()) return namesBelow(root, below)
    return found.isFile() ? [below] : []
  })
}

/** Null when it may not be listed. */
function namesIn(folder: string): readonly Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    return ABSENT.has(systemCode(error) ?? '') ? [] : null
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])
