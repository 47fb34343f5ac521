// Everything below a Claude directory that knows the path of a project, and what would become of it. Nothing is written
// here. All bytes of the files that would go are read, so that the receipt can say what they were and what they become.

import { dirname, join, relative, sep } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { readWhole } from '../disk/durable.ts'
import type { Alteration, Extent } from './file-pieces.ts'
import { measure, UNCHANGED } from './file-pieces.ts'
import type { LiveReason } from './live-there.ts'
import { liveThere } from './live-there.ts'
import type { Mention } from './mentions.ts'
import { countMentions, mentionsBelow } from './mentions.ts'
import type { PathMove } from './paths.ts'
import type { FileRole, GoingFile, GoingFolder, StayingFile } from './project-folder.ts'
import { planProjectFolder } from './project-folder.ts'
import type { ChangedSettings } from './project-settings.ts'
import { moveProjectSettings } from './project-settings.ts'

export type PlannedRole = FileRole | 'history' | 'settings' | 'state'

export interface PlannedFile {
  readonly path: string
  /** Null: put aside, because the client makes it anew. */
  readonly to: string | null
  readonly role: PlannedRole
  readonly sessionId: string | null
  readonly alteration: Alteration
  readonly modifiedMs: number
  readonly mode: number
  readonly before: Extent
  readonly after: Extent
  /** A link is moved as it is, and never opened. */
  readonly isLink: boolean
  /** Places in it that are changed, or records that are added. */
  readonly changes: number
  readonly unread: number
  readonly keys: ChangedSettings['keys']
}

export interface MovePlan {
  readonly root: string
  readonly move: PathMove
  readonly rewritesCwd: boolean
  readonly files: readonly PlannedFile[]
  readonly folders: readonly GoingFolder[]
  readonly staying: readonly StayingFile[]
  readonly leftAlone: readonly Mention[]
  /** Files that are there already where one would go. */
  readonly collisions: readonly string[]
  /** Names in .claude.json that stay, because the new one is there. */
  readonly takenNames: readonly string[]
  readonly live: readonly LiveReason[]
}

export interface MoveOptions {
  readonly rewritesCwd: boolean
  readonly nowMs: number
  readonly isRunning?: (pid: number) => boolean
}

export function planMove(disk: Disk, root: string, move: PathMove, options: MoveOptions): MovePlan {
  const projects = join(root, 'projects')
  const folders = disk.names(projects).filter((name) => disk.stat(join(projects, name))?.isFolder === true)
  const plans = folders.map((key) => planProjectFolder(disk, projects, key, move))
  const going = plans.flatMap((plan) => plan.going)
  const [shared, taken] = sharedFiles(disk, root, move)
  const files = [...shared, ...going.flatMap((file) => plannedProjectFile(disk, file, move, options.rewritesCwd))]
  const collisions = files.flatMap(({ path, to }) => (to !== null && to !== path && disk.stat(to) !== null ? [to] : []))
  const known = new Set(files.map(({ path }) => path))
  const settings = settingsPlaces(root).flatMap((path) => restMentions(disk, path, move.from, files))
  return {
    root,
    move,
    rewritesCwd: options.rewritesCwd,
    files,
    folders: plans.flatMap((plan) => plan.folders),
    staying: plans.flatMap((plan) => plan.staying),
    leftAlone: [...settings, ...mentionsBelow(disk, root, move.from, new Set([...known, ...settingsPlaces(root)]))],
    collisions,
    takenNames: taken,
    live: liveThere(disk, root, move, going, options),
  }
}

function plannedProjectFile(disk: Disk, file: GoingFile, move: PathMove, rewritesCwd: boolean): readonly PlannedFile[] {
  const { path, to, role, sessionId } = file
  const isIndex = role === 'project-file' && path.endsWith(`${sep}sessions-index.json`)
  if (isIndex && to !== path && disk.stat(to) !== null)
    return [planned(disk, { path, to: null, role, sessionId }, UNCHANGED)]
  const places = { from: dirname(path), to: dirname(to) }
  const alteration: Alteration = isIndex
    ? { kind: 'state', moves: [places, move] }
    : alterationOf(disk, file, move, rewritesCwd)
  return [planned(disk, { path, to, role, sessionId }, alteration)]
}

/** By default the records stay as they are, and one that the client itself writes on such occasions says where to. */
function alterationOf(
  disk: Disk,
  { path, role, sessionId, cwd }: GoingFile,
  move: PathMove,
  rewritesCwd: boolean,
): Alteration {
  if (rewritesCwd) {
    return role === 'transcript' || role === 'subagent' ? { kind: 'records', moves: [move] } : UNCHANGED
  }
  if (role !== 'transcript' || cwd === null) return UNCHANGED
  const record = JSON.stringify({ type: 'relocated', sessionId, relocatedCwd: cwd })
  return { kind: 'append', text: `${endsInLine(disk, path) ? '' : '\n'}${record}\n` }
}

function endsInLine(disk: Disk, path: string): boolean {
  const fd = disk.openToRead(path)
  try {
    const size = disk.sizeOf(fd)
    return size === 0 || disk.read(fd, size - 1, 1)[0] === 0x0a
  } finally {
    disk.close(fd)
  }
}

/** Where the client keeps what it knows about projects: beside its folder, or in it when that was named. */
export function settingsPlaces(root: string): readonly string[] {
  const inside = join(root, '.claude.json')
  return /[\\/]\.claude$/.test(root) ? [join(dirname(root), '.claude.json'), inside] : [inside]
}

function sharedFiles(disk: Disk, root: string, move: PathMove): readonly [readonly PlannedFile[], readonly string[]] {
  const files: PlannedFile[] = []
  const taken: string[] = []
  const add = (path: string, role: PlannedRole, alteration: Alteration, keys: ChangedSettings['keys'] = []): void => {
    const stat = disk.stat(path)
    if (stat === null || stat.isFolder) return
    const file = planned(disk, { path, to: path, role, sessionId: null }, alteration, keys)
    if (file.changes > 0 && !file.isLink) files.push(file)
  }
  for (const path of settingsPlaces(root)) {
    const changed = disk.stat(path)?.isFolder === false ? settingsOf(disk, path, move) : null
    taken.push(...(changed?.taken ?? []))
    if (changed !== null) add(path, 'settings', { kind: 'settings', moves: [move] }, changed.keys)
  }
  add(join(root, 'history.jsonl'), 'history', { kind: 'history', moves: [move] })
  for (const path of stateFiles(disk, root)) add(path, 'state', { kind: 'state', moves: [move] })
  return [files, taken]
}

function settingsOf(disk: Disk, path: string, move: PathMove): ChangedSettings | null {
  try {
    return moveProjectSettings(readWhole(disk, path).toString('utf8'), move)
  } catch (error) {
    if (systemCode(error) === null) throw error
    return null
  }
}

/** Small files whose keys are known. */
function stateFiles(disk: Disk, root: string): readonly string[] {
  const json = (folder: string): readonly string[] =>
    disk.names(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []))
  const jobs = disk.names(join(root, 'jobs')).map((name) => join(root, 'jobs', name, 'state.json'))
  return [...json(join(root, 'sessions')), ...jobs, join(root, 'plugins', 'installed_plugins.json')]
}

function restMentions(disk: Disk, path: string, old: string, files: readonly PlannedFile[]): readonly Mention[] {
  const stat = disk.stat(path)
  if (stat === null || stat.isFolder) return []
  const planned = files.find((file) => file.path === path)
  try {
    const count = countMentions(readWhole(disk, path), old) - (planned?.changes ?? 0)
    return count > 0 ? [{ path, count }] : []
  } catch (error) {
    if (systemCode(error) === null) throw error
    return []
  }
}

function planned(
  disk: Disk,
  place: Pick<PlannedFile, 'path' | 'to' | 'role' | 'sessionId'>,
  alteration: Alteration,
  keys: ChangedSettings['keys'] = [],
): PlannedFile {
  const { modifiedMs = 0, mode = 0o600 } = disk.stat(place.path) ?? {}
  try {
    const measured = measure(disk, place.path, alteration)
    return { ...place, alteration, modifiedMs, mode, isLink: false, keys, ...measured }
  } catch (error) {
    // A link is not opened: it may lead anywhere.
    if (systemCode(error) !== 'ELOOP') throw error
    const none = { sizeBytes: 0, sha256: '' }
    const nothing = { before: none, after: none, changes: 0, unread: 0 }
    return { ...place, alteration: UNCHANGED, modifiedMs, mode, isLink: true, keys: [], ...nothing }
  }
}

/** Below the Claude directory, with slashes on every system; `../.claude.json` is the one that lies beside it. */
export function nameBelow(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}
