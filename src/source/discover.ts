// Which transcripts exist below a root, by the names and places clients have used so far. Only names and sizes are read
// here. Links are not followed (a root itself may be one), and what is not a plain file becomes a Problem, not a hang.

import type { Dirent, Stats } from 'node:fs'
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import type { Walked } from './look-again.ts'
import { marksOfFolder, marksOfSidecar } from './look-again.ts'
import type { TranscriptFile } from './model.ts'
import type { FilePlace } from './transcript-file.ts'
import { SUFFIX, transcriptFile } from './transcript-file.ts'

export interface Discovery {
  readonly files: readonly TranscriptFile[]
  readonly problems: readonly Problem[]
  /** What clients keep beside a transcript about the whole session; some of these may not be there. */
  readonly sidecars: readonly string[]
  /** How the folders stood, for whoever wants to look again later. */
  readonly walked?: Walked
}

/** The names of those, in the folder of a session. */
const SIDECARS: readonly string[] = ['custom-title.json', 'archived.json']

const DEPTH_MAX = 12

export function discover(root: string): Discovery {
  return discoverBelow(root, false)
}

/** Tells also how the folders stood: each is looked at before it is listed. */
export function discoverMarked(root: string): Discovery {
  return discoverBelow(root, true)
}

function discoverBelow(root: string, isMarked: boolean): Discovery {
  const startedMs = Date.now()
  const found: Found = { files: [], problems: [], sidecars: [], folders: [], folderMarks: [], isMarked }
  if (root.endsWith(SUFFIX) && !isFolder(root)) {
    addFile(found, dirname(root), basename(root), placeOfFile(root))
    addSidecars(found, root.slice(0, -SUFFIX.length))
  } else {
    walk(found, startOf(root))
  }
  const { files, problems, sidecars } = found
  const walked = isMarked ? walkedOf(found, startedMs) : null
  return { files, problems, sidecars, ...(walked === null ? {} : { walked }) }
}

/** The folder that a walk over a root begins with. */
export function startOf(root: string): string {
  const projects = join(root, 'projects')
  return isFolder(projects) ? projects : root
}

interface Found {
  readonly files: TranscriptFile[]
  readonly problems: Problem[]
  readonly sidecars: string[]
  readonly folders: string[]
  readonly folderMarks: number[]
  readonly isMarked: boolean
}

/** Null where not all of it could be looked at. */
function walkedOf({ folders, folderMarks, sidecars, problems }: Found, startedMs: number): Walked | null {
  if (folders.length === 0 || problems.length > 0) return null
  try {
    const sidecarMarks = sidecars.flatMap(marksOfSidecar)
    return { startedMs, folders, folderMarks, sidecarMarks, keptAs: null }
  } catch {
    return null
  }
}

interface Place extends FilePlace {
  readonly siblings: ReadonlySet<string>
}

function walk(found: Found, root: string): void {
  const top: Place = { projectKey: basename(root), sessionId: null, workflowId: null, siblings: new Set() }
  const queue: { folder: string; place: Place; depth: number }[] = [{ folder: root, place: top, depth: 0 }]
  for (let next = 0; next < queue.length; next++) {
    const { folder, place, depth } = queue[next] as (typeof queue)[number]
    const listing = list(found, folder, next === 0)
    const folders = new Set(listing.filter((one) => one.isDirectory()).map((one) => one.name))
    const names = new Set(listing.map((one) => one.name))
    const here = { ...place, siblings: folders }
    for (const one of listing) {
      if (one.isDirectory() && !one.name.endsWith(SUFFIX)) {
        if (depth < DEPTH_MAX && !OTHER_FOLDERS.has(one.name)) {
          queue.push({ folder: `${folder}${sep}${one.name}`, place: below(here, one.name, names), depth: depth + 1 })
        } else if (names.has(`${one.name}${SUFFIX}`)) addSidecars(found, `${folder}${sep}${one.name}`)
      } else if (one.name.endsWith(SUFFIX)) {
        addFile(found, folder, one.name, here)
      } else if (SIDECARS.includes(one.name)) found.sidecars.push(`${folder}${sep}${one.name}`)
    }
  }
}

/** Of a folder that is not looked into. */
function addSidecars(found: Found, sessionFolder: string): void {
  for (const name of SIDECARS) found.sidecars.push(`${sessionFolder}${sep}${name}`)
}

/** Beside transcripts, but never with transcripts in them. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set(['tool-results', 'memory', 'node_modules', '.git'])

function below(place: Place, name: string, names: ReadonlySet<string>): Place {
  if (name === 'subagents' || name === 'workflows') return place
  if (name.startsWith('wf_')) return { ...place, workflowId: name }
  // Some tools keep a project's transcripts one folder deeper.
  if (name === 'sessions') return place
  const isSession = isSessionName(name) || names.has(`${name}${SUFFIX}`)
  return isSession ? { ...place, sessionId: name } : { ...place, projectKey: name, sessionId: null }
}

function isSessionName(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(name)
}

/** For a single file that was named: its own folders tell the same as a walk from above would have. */
function placeOfFile(path: string): Place {
  const parts = dirname(path).split('/')
  const subagents = parts.lastIndexOf('subagents')
  const siblings = new Set<string>()
  const stem = basename(path, SUFFIX)
  if (isFolder(join(dirname(path), stem))) siblings.add(stem)
  if (subagents < 1) return { projectKey: parts.at(-1) ?? '', sessionId: null, workflowId: null, siblings }
  const workflowId = parts.slice(subagents).find((part) => part.startsWith('wf_')) ?? null
  return { projectKey: parts[subagents - 2] ?? '', sessionId: parts[subagents - 1] ?? null, workflowId, siblings }
}

function addFile(found: Found, folder: string, name: string, place: Place): void {
  // The journal of a workflow lists its agents; it is no conversation.
  if (name === 'journal.jsonl' && place.workflowId !== null) return
  // Both are clean already; to join them the long way costs as much as to look at the file.
  const path = `${folder}${sep}${name}`
  const stat = statOf(found, path)
  if (stat === null) return
  found.files.push(transcriptFile(path, place, place.siblings, stat))
}

function statOf(found: Found, path: string): Stats | null {
  const position = { path, line: 0, offset: 0, length: 0 }
  try {
    const stat = lstatSync(path)
    if (stat.isFile()) return stat
    found.problems.push(problem('file-not-regular', position))
  } catch (error) {
    found.problems.push(problem('file-unreadable', position, refusal('cannot look at the file', error)))
  }
  return null
}

function list(found: Found, folder: string, isRoot: boolean): readonly Dirent[] {
  try {
    if (found.isMarked) {
      found.folderMarks.push(...marksOfFolder(folder, isRoot))
      found.folders.push(folder)
    }
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    const position = { path: folder, line: 0, offset: 0, length: 0 }
    found.problems.push(problem('folder-unreadable', position, refusal('cannot list the folder', error)))
    return []
  }
}

export function refusal(what: string, error: unknown): string {
  return `${what}: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}`
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
