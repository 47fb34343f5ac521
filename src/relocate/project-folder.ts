// Which files of a folder below `projects` belong to a path. The name of the folder is lossy, and several real paths may
// share one: each transcript says itself where it took place. What says nothing goes along only when the folder is
// nobody else's.

import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { projectKeyOf } from '../store/project-key.ts'
import { diskLines } from './file-pieces.ts'
import type { PathMove } from './paths.ts'
import { foldsCase, movedPath } from './paths.ts'

export type FileRole = 'transcript' | 'subagent' | 'sidecar' | 'project-file'

export interface GoingFile {
  readonly path: string
  readonly to: string
  readonly role: FileRole
  readonly sessionId: string | null
  /** Where the session is after the move; null where its file says nothing. */
  readonly cwd: string | null
}

export interface StayingFile {
  readonly path: string
  readonly why: 'another-path' | 'folder-is-shared' | 'folder-of-another-name' | 'unreadable'
}

export interface ProjectFolderPlan {
  readonly going: readonly GoingFile[]
  readonly staying: readonly StayingFile[]
  /** The outer ones first. */
  readonly folders: readonly GoingFolder[]
}

export interface GoingFolder {
  readonly path: string
  /** Null for one that others use too. */
  readonly to: string | null
}

const NOTHING: ProjectFolderPlan = { going: [], staying: [], folders: [] }
const TRANSCRIPT = '.jsonl'

export function planProjectFolder(disk: Disk, projects: string, key: string, move: PathMove): ProjectFolderPlan {
  if (!mayHold(key, move.from) && !mayHold(key, move.to)) return NOTHING
  const folder = join(projects, key)
  const { files, folders, isWhole } = filesBelow(disk, folder)
  if (!isWhole) return { ...NOTHING, staying: [{ path: folder, why: 'unreadable' }] }
  const groups = groupsOf(disk, folder, key, disk.names(folder))
  const homes = groups.flatMap(({ home }) => home ?? [])
  const isOurs = homes.length > 0 && homes.every((home) => movedPath(home, move) !== null)
  if (!homes.some((home) => movedPath(home, move) !== null)) return NOTHING
  const ownTarget = homes.map((home) => targetOf(home, key, move)).find((target) => target !== null) ?? null
  const going: GoingFile[] = []
  const staying: StayingFile[] = []
  const moving: GoingFolder[] = [{ path: folder, to: isOurs && ownTarget !== null ? join(projects, ownTarget) : null }]
  for (const { names, home, sessionId } of groups) {
    const cwd = home === null ? null : movedPath(home, move)
    const target = home === null ? (isOurs ? ownTarget : null) : targetOf(home, key, move)
    const why = home === null ? 'folder-is-shared' : cwd === null ? 'another-path' : 'folder-of-another-name'
    const isOwn = (path: string): boolean => names.some((name) => isAt(path, join(folder, name)))
    const to = (path: string): string => join(projects, target ?? key, path.slice(folder.length + 1))
    for (const { path } of files.filter((file) => isOwn(file.path))) {
      if (target === null) staying.push({ path, why })
      else going.push({ path, to: to(path), ...roleOf(path, folder, sessionId), cwd })
    }
    if (target !== null) moving.push(...folders.filter(isOwn).map((path) => ({ path, to: to(path) })))
  }
  return { going, staying, folders: moving }
}

function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}\\`)
}

function roleOf(path: string, folder: string, sessionId: string | null): Pick<GoingFile, 'role' | 'sessionId'> {
  const name = path.slice(folder.length + 1)
  if (sessionId === null) return { role: 'project-file', sessionId: null }
  if (!name.endsWith(TRANSCRIPT) || name.endsWith('journal.jsonl')) return { role: 'sidecar', sessionId }
  // Old clients kept their subagents beside the sessions.
  const isMain = name === `${sessionId}${TRANSCRIPT}` && !name.startsWith('agent-')
  return { role: isMain ? 'transcript' : 'subagent', sessionId }
}

/** A folder may be named after a path below, and names of long paths are cut off. */
function mayHold(key: string, path: string): boolean {
  const [name, start] = [key.slice(0, KEY_LENGTH), path.replace(/[^A-Za-z0-9]/g, '-').slice(0, KEY_LENGTH)]
  return name.startsWith(start) || (foldsCase(path) && name.toLowerCase().startsWith(start.toLowerCase()))
}

/** From here on a name ends in a hash, and not all clients made the same. */
const KEY_LENGTH = 200

function fits(cwd: string, key: string): boolean {
  const made = projectKeyOf(cwd)
  if (made === key || (foldsCase(cwd) && made.toLowerCase() === key.toLowerCase())) return true
  return key.length > KEY_LENGTH && made.slice(0, KEY_LENGTH) === key.slice(0, KEY_LENGTH)
}

/** The folder a session belongs into; its own when somebody has moved it there by hand. */
function targetOf(home: string, key: string, move: PathMove): string | null {
  const next = movedPath(home, move)
  if (next === null) return null
  return fits(home, key) || fits(next, key) ? projectKeyOf(next) : null
}

interface FileGroup {
  /** In the folder: a transcript and the folder of its session, or one thing that stands alone. */
  readonly names: readonly string[]
  readonly sessionId: string | null
  readonly home: string | null
}

function groupsOf(disk: Disk, folder: string, key: string, names: readonly string[]): readonly FileGroup[] {
  const stems = new Set(
    names.filter((name) => name.endsWith(TRANSCRIPT)).map((name) => name.slice(0, -TRANSCRIPT.length)),
  )
  return names.flatMap((name) => {
    const path = join(folder, name)
    const isFolder = disk.stat(path)?.isFolder === true
    if (isFolder && stems.has(name)) return []
    if (!isFolder && name.endsWith(TRANSCRIPT)) {
      const sessionId = name.slice(0, -TRANSCRIPT.length)
      return { names: [name, sessionId], sessionId, home: homeOf(disk, path, key) }
    }
    // The folder of a session whose transcript is gone: its subagents tell.
    const agents = isFolder ? filesBelow(disk, join(path, 'subagents')).files : []
    const home = agents.map((file) => homeOf(disk, file.path, key)).find((found) => found !== null) ?? null
    return { names: [name], sessionId: SESSION_ID.test(name) ? name : null, home }
  })
}

const SESSION_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const FIELDS = ['"relocatedCwd"', '"cwd"'].map((text) => Buffer.from(text))

/** Where a session is: where it was moved to last, else the first folder that its own folder is named after. */
function homeOf(disk: Disk, path: string, key: string): string | null {
  let first: string | null = null
  let fitting: string | null = null
  let moved: string | null = null
  try {
    for (const line of diskLines(disk, path)) {
      const isWanted = FIELDS.some((field, place) => (place === 0 || fitting === null) && line.includes(field))
      if (!isWanted) continue
      const { cwd, relocatedCwd } = fieldsOf(line)
      if (typeof cwd === 'string' && cwd !== '') {
        first ??= cwd
        if (fitting === null && fits(cwd, key)) fitting = cwd
      }
      if (typeof relocatedCwd === 'string' && relocatedCwd !== '') moved = relocatedCwd
    }
  } catch {
    return null
  }
  return moved !== null && (fitting === null || fits(moved, key)) ? moved : (fitting ?? first)
}

function fieldsOf(line: Buffer): { readonly cwd?: unknown; readonly relocatedCwd?: unknown } {
  try {
    return (JSON.parse(line.toString('utf8')) ?? {}) as ReturnType<typeof fieldsOf>
  } catch {
    return {}
  }
}
