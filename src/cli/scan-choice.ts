// Which files `clew scan` was asked for: transcripts with their subagents and Spills, or any file and folder by its path.

import type { Dirent } from 'node:fs'
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spillsOf } from '../search/spills.ts'
import type { TranscriptFile } from '../source/model.ts'
import { chooseFiles } from './choice.ts'
import type { World } from './command.ts'
import { lookIntoIndex } from './indexed.ts'
import type { ReferenceOptions } from './reference.ts'
import type { ScannedFile } from './scan-file.ts'

export interface ScanChoice {
  /** Each once, in the order of their paths. */
  readonly files: readonly ScannedFile[]
  readonly roots: readonly string[]
}

export async function filesToScan(
  names: readonly string[],
  options: ReferenceOptions,
  world: World,
): Promise<ScanChoice> {
  const paths = names.map((name) => resolve(world.folder, name))
  const isPath = names.map((_, index) => isThere(paths[index] ?? ''))
  const ids = names.filter((_, index) => isPath[index] === false)
  const byPath = paths.filter((_, index) => isPath[index]).flatMap(filesBelow)
  if (names.length > 0 && ids.length === 0) return { files: once(byPath), roots: paths }
  const named = await lookIntoIndex(options['no-index'], world, async ({ access }) => {
    const { archive, isChosen } = await chooseFiles(ids, options.root, access, world)
    const files = archive.projects.flatMap((project) => project.files)
    // Only the records of a flat subagent's file know whose it is.
    const sessionOf = (file: TranscriptFile): string => file.sessionId ?? access.read(file).transcript.sessionId ?? ''
    const chosen = ids.length === 0 ? files : files.filter((file) => isChosen({ ...file, sessionId: sessionOf(file) }))
    return { roots: archive.roots, files: chosen.flatMap((file) => [transcript(file), ...spills(file)]) }
  })
  return { files: once([...byPath, ...named.files]), roots: named.roots }
}

function transcript({ path, sizeBytes }: TranscriptFile): ScannedFile {
  return { path, sizeBytes, isTranscript: true }
}

function spills(file: TranscriptFile): readonly ScannedFile[] {
  return spillsOf(file).map(({ path, sizeBytes }) => ({ path, sizeBytes, isTranscript: false }))
}

/** Links are not followed, and what others made or can make again is left out. */
function filesBelow(path: string): readonly ScannedFile[] {
  const files: ScannedFile[] = []
  const folders = [path]
  if (!statSync(path).isDirectory()) return [scannedFile(path)]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const found of foundIn(folder)) {
      const below = join(folder, found.name)
      if (found.isDirectory() && !LEFT_OUT.has(found.name)) folders.push(below)
      else if (found.isFile()) files.push(scannedFile(below))
    }
  }
  return files
}

const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules'])

function scannedFile(path: string): ScannedFile {
  const sizeBytes = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
  return { path, sizeBytes, isTranscript: path.endsWith('.jsonl') }
}

function foundIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // One that may not be listed; the others are looked through.
    return []
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

function once(files: readonly ScannedFile[]): readonly ScannedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return [...byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}
