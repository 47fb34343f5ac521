// Which files `clew scan` was asked for: transcripts with their subagents and Spills, or any file and folder by its path.

import type { Dirent } from 'node:fs'
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { TranscriptFile } from '../source/model.ts'
import { behindLink } from '../source/real-place.ts'
import { chooseFiles } from './choice.ts'
import type { World } from './command.ts'
import { lookIntoIndex } from './indexed.ts'
import type { ReferenceOptions } from './reference.ts'
import type { ScannedFile } from './scan-file.ts'

export interface ScanChoice {
  /** Each once, in the order of their paths. */
  readonly files: readonly ScannedFile[]
  /** Files and folders that nobody may look into, and why. */
  readonly unread: readonly Unread[]
  readonly roots: readonly string[]
}

export interface Unread {
  readonly path: string
  readonly reason: string
}

type OnUnread = (path: string, error: unknown) => void

export async function filesToScan(
  names: readonly string[],
  options: ReferenceOptions,
  world: World,
): Promise<ScanChoice> {
  const paths = names.map((name) => resolve(world.folder, name))
  const isPath = names.map((_, index) => isThere(paths[index] ?? ''))
  const ids = names.filter((_, index) => isPath[index] === false)
  const unread: Unread[] = []
  const onUnread: OnUnread = (path, error) =>
    unread.push({ path, reason: `cannot list the folder: ${systemCode(error)}` })
  const byPath = paths.filter((_, index) => isPath[index]).flatMap((path) => filesBelow(path, onUnread))
  if (names.length > 0 && ids.length === 0) return { files: once(byPath), unread, roots: paths }
  const named = await lookIntoIndex(options['no-index'], world, async (indexed) => {
    const { access } = indexed
    const { archive, isChosen } = await chooseFiles(ids, options.root, indexed, world)
    const files = archive.projects.flatMap((project) => project.files)
    // Only the records of a flat subagent's file know whose it is.
    const sessionOf = (file: TranscriptFile): string => file.sessionId ?? access.read(file).transcript.sessionId ?? ''
    const chosen = ids.length === 0 ? files : files.filter((file) => isChosen({ ...file, sessionId: sessionOf(file) }))
    unread.push(...refused(archive))
    return { roots: archive.roots, files: chosen.flatMap((file) => [transcript(file), ...spills(file, onUnread)]) }
  })
  return { files: once([...byPath, ...named.files]), unread, roots: named.roots }
}

/** A link is passed over, as everywhere; what may not be looked into is not. */
function refused({ problems }: FoundTranscripts): readonly Unread[] {
  return problems
    .filter(({ code }) => code === 'folder-unreadable' || code === 'file-unreadable')
    .map(({ position, message }) => ({ path: position?.path ?? '', reason: message }))
}

function transcript({ path, sizeBytes }: TranscriptFile): ScannedFile {
  return { path, sizeBytes, isTranscript: true }
}

function spills({ sessionFolder }: TranscriptFile, onUnread: OnUnread): readonly ScannedFile[] {
  if (sessionFolder === null) return []
  const folder = join(sessionFolder, 'tool-results')
  const found = foundIn(folder, onUnread).filter((one) => one.isFile())
  return found.map(({ name }) => scannedFile(join(folder, name), false))
}

/** A link that was named is followed, those below a folder are not, and what others made or can make again is left out. */
function filesBelow(path: string, onUnread: OnUnread): readonly ScannedFile[] {
  const files: ScannedFile[] = []
  const folders = [path]
  if (!isFolder(path)) return [scannedFile(behindLink(path))]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const found of foundIn(folder, onUnread)) {
      const below = join(folder, found.name)
      if (found.isDirectory() && !LEFT_OUT.has(found.name)) folders.push(below)
      else if (found.isFile()) files.push(scannedFile(below))
    }
  }
  return files
}

const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])

function scannedFile(path: string, isTranscript = path.endsWith('.jsonl')): ScannedFile {
  return { path, sizeBytes: sizeOf(path), isTranscript }
}

/** Nought where nobody may look: opening it will tell. */
function sizeOf(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

/** The other folders are looked through also where one may not be listed. */
function foundIn(folder: string, onUnread: OnUnread): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') onUnread(folder, error)
    return []
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What lies where nobody may look is a path too; opening it will tell. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return systemCode(error) === 'EACCES'
  }
}

function once(files: readonly ScannedFile[]): readonly ScannedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}
