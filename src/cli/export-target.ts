// Where exports go: standard output, a file, or a folder. Nothing is written into a Claude directory, and no file is
// replaced that Clew did not write.

import { closeSync, existsSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import { decodeUtf8 } from '../base/text.ts'
import { makeFolders, replaceInPieces } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { ExportHead } from '../render/export/head.ts'
import { HTML_MARK } from '../render/export/html.ts'
import { MARKDOWN_MARK } from '../render/export/markdown.ts'
import { PLAIN_MARK } from '../render/export/plain.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import { realPlace } from '../source/real-place.ts'
import { chooseRoots, claudeFolder } from '../source/roots.ts'
import type { World } from './command.ts'
import type { ExportFormat, ExportPlan } from './export-plan.ts'
import { FORMATS, isFormatSuffix } from './export-plan.ts'
import { Failure } from './failure.ts'
import { isInside } from './scope.ts'

export type Pieces = Iterable<string | Uint8Array>

/** What has been written of one conversation. */
export interface Written {
  readonly head: ExportHead
  readonly format: ExportFormat
  /** The file to open first; null on standard output. */
  readonly path: string | null
  readonly files: number
  readonly sizeBytes: number
}

export interface Target {
  readonly isStandardOutput: boolean
  /** Several conversations go into one folder. */
  readonly isFolder: boolean
  /** The path of a conversation's own file, by the name that it would have in a folder. */
  readonly pathOf: (stem: string) => string
  /** Returns how many bytes it has written. */
  readonly write: (path: string, pieces: Pieces) => Promise<number>
}

export interface TargetChoice {
  readonly out: string | undefined
  readonly isSeveral: boolean
  readonly isFormatNamed: boolean
  readonly isForced: boolean
}

export function openTarget(
  { out, isSeveral, isFormatNamed, isForced }: TargetChoice,
  { format }: ExportPlan,
  world: World,
  roots: readonly string[] | undefined,
): Target {
  if (out === undefined) return { isStandardOutput: true, isFolder: false, pathOf: () => '', write: printed(world) }
  const place = resolve(world.folder, out)
  const kind = kindOf(place)
  if (kind === 'other') throw new Failure(`${out} is no regular file, and nothing is written to it`)
  if (isSeveral) refuseFileName(out, kind)
  const isFolder = isSeveral || out.endsWith('/') || kind === 'folder'
  if (!isFolder && !isFormatNamed) refuseSuffix(out)
  refuseClaudeFolders(place, roots, world)
  const taken = new Set<string>()
  return {
    isStandardOutput: false,
    isFolder,
    pathOf: (stem) => (isFolder ? join(place, `${unused(stem, taken)}.${format}`) : place),
    write: async (path, pieces) => {
      refuseOthers(path, isForced)
      try {
        await makeFolders(REAL_DISK, dirname(path))
        return await replaceInPieces(REAL_DISK, path, pieces)
      } catch (error) {
        const code = systemCode(error)
        if (code === null) throw error
        throw new Failure(`cannot write ${path}: ${code}`)
      }
    },
  }
}

export type PlaceKind = 'none' | 'file' | 'folder' | 'other'

/** What leads to an open file of this process is no place for a file, whatever it leads to at the moment. */
export function kindOf(path: string): PlaceKind {
  if (/^\/(?:proc\/|dev\/(?:fd\/|std))/.test(path)) return 'other'
  if (!existsSync(path)) return 'none'
  const stat = statSync(path)
  return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other'
}

function refuseFileName(out: string, kind: PlaceKind): void {
  if (kind === 'file') throw new Failure(`${out} is a file; several conversations need a folder`)
  if (kind === 'none' && !out.endsWith('/') && isFormatSuffix(extname(out)))
    throw new Failure(`${out} is the name of a file; several conversations need a folder: name one, or add a /`)
}

function refuseSuffix(out: string): void {
  const suffix = extname(out)
  if (suffix !== '' && !isFormatSuffix(suffix))
    throw new Failure(`${out}: there is no format “${suffix.slice(1)}”; there are ${FORMATS.join(', ')}, by --format`)
}

function refuseOthers(path: string, isForced: boolean): void {
  const kind = kindOf(path)
  if (kind === 'none') return
  if (kind !== 'file')
    throw new Failure(`${path} is ${kind === 'folder' ? 'a folder' : 'no regular file'}, and is not replaced`)
  if (!isForced && !isOurs(path)) throw new Failure(`${path} is there already and not from Clew; --force replaces it`)
}

/** A session that lies in two places is exported twice. */
function unused(stem: string, taken: Set<string>): string {
  let name = stem
  for (let number = 2; taken.has(name); number++) name = `${stem}-${number}`
  taken.add(name)
  return name
}

function printed(world: World): Target['write'] {
  return async (_, pieces) => {
    const text = [...pieces].join('')
    world.output.print(text.replace(/\n$/, ''))
    return Buffer.byteLength(text)
  }
}

export function refuseClaudeFolders(
  place: string,
  roots: readonly string[] | undefined,
  world: World,
  what = 'exports',
): void {
  const { environment, home } = world
  const usual = [join(home, '.claude'), join(home, '.config', 'claude'), environment['CLAUDE_CONFIG_DIR'] ?? '']
  const chosen = chooseRoots({ roots: roots ?? [], environment, home }).roots.flatMap(
    // A root may also be one project.
    (root) => claudeFolder(root) ?? (basename(dirname(root)) === 'projects' ? dirname(dirname(root)) : []),
  )
  const folders = [...usual, ...chosen].filter((folder) => folder !== '').map(realPlace)
  if (folders.some((folder) => isInside(realPlace(place), folder)))
    throw new Failure(`${place} is inside a Claude directory; ${what} are not written there`)
}

const BEGINNING_BYTES = 2048
const MARKS = [MARKDOWN_MARK, HTML_MARK, PLAIN_MARK, '"clew":{"format":"']

/** A file that an export has written before: it says so near its beginning. An image lies in a folder of ours. */
function isOurs(path: string): boolean {
  if (dirname(path).endsWith('.files') && /^image-\d+\.\w+$/.test(basename(path))) return true
  const opened = openTranscript(path)
  if (isProblem(opened)) return false
  try {
    const beginning = decodeUtf8(readBytes(opened.fd, 0, Math.min(opened.sizeBytes, BEGINNING_BYTES)))
    return MARKS.some((mark) => beginning.includes(mark))
  } finally {
    closeSync(opened.fd)
  }
}

/** `notes/tides.html` → `notes/tides`. */
export function withoutSuffix(path: string): string {
  return join(dirname(path), basename(path, extname(path)))
}
