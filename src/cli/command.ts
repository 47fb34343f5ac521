// What every command gets and gives. A command is one file: its options, its help and a function.

import { readdirSync } from 'node:fs'
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { bringingOut, copyFolders } from '../archive/copies.ts'
import { archiveFolder, snapshotFolder } from '../archive/open-archive.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { BringOut, FoundTranscripts } from '../load/found.ts'
import { findTranscripts } from '../load/found.ts'
import { indexPath } from '../search/index-path.ts'
import { discoverAgain } from '../search/kept-walk.ts'
import { discover } from '../source/discover.ts'
import { chooseRoots } from '../source/roots.ts'
import { Failure } from './failure.ts'
import type { Output } from './output.ts'
import type { Progress } from './progress.ts'

export interface World {
  readonly output: Output
  readonly progress: Progress
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly folder: string
  readonly nowMs: number
}

export interface Command {
  readonly name: string
  readonly help: string
  /** The exit code for a call that cannot be understood. */
  readonly failureCode: number
  readonly run: (words: readonly string[], world: World) => Promise<number>
}

export const ROOT_OPTIONS = {
  root: { type: 'string', multiple: true },
  'no-index': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseWords<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: Command,
  words: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>> {
  try {
    return parseArgs({ args: joinDashed(words, options), options, allowPositionals: true, strict: true })
  } catch (error) {
    // Node's own words go on with advice in further lines.
    const reason = error instanceof Error ? error.message.split(/\.\s|\.$/)[0] : String(error)
    throw new Failure(`${reason}. Try: clew ${command.name} --help`, command.failureCode)
  }
}

/** `--project -home-ada-tidewatch`: folders of projects begin with a dash, which Node would take for an option. */
function joinDashed(words: readonly string[], options: NonNullable<ParseArgsConfig['options']>): string[] {
  const names = Object.entries(options).flatMap(([name, { short }]) => [`--${name}`, `-${short ?? name}`])
  const taking = Object.entries(options).flatMap(([name, { type }]) => (type === 'string' ? [`--${name}`] : []))
  const joined: string[] = []
  for (const word of words) {
    const before = joined.at(-1) ?? ''
    const isValue = taking.includes(before) && /^-./.test(word) && !names.includes(word.split('=')[0] ?? '')
    if (isValue) joined[joined.length - 1] = `${before}=${word}`
    else joined.push(word)
  }
  return joined
}

/** The user's transcripts with copies of those that were deleted, or a clear word about why there are none. */
export function openTranscripts(
  roots: readonly string[] | undefined,
  world: World,
  options: OpenOptions = {},
): FoundTranscripts {
  let isTold = false
  const onFailure = (message: string): void => {
    if (!isTold) world.output.note(`clew: the archive could not be read: ${message}. Try: clew archive verify`)
    isTold = true
  }
  return openOwnTranscripts(roots, world, { ...options, bringOut: bringingOut(copyFolders(world), onFailure) })
}

export interface OpenOptions {
  readonly failureCode?: number
  /** Folders that have not changed need not be listed again. Not for whoever writes, nor without the index. */
  readonly mayLookAgain?: boolean
}

/** Only what is still where it belongs. */
export function openOwnTranscripts(
  roots: readonly string[] | undefined,
  world: World,
  { failureCode = 1, mayLookAgain = false, bringOut }: OpenOptions & { readonly bringOut?: BringOut } = {},
): FoundTranscripts {
  const choice = chooseRoots({ roots: roots ?? [], environment: world.environment, home: world.home })
  const missing = choice.missing[0]
  if (missing !== undefined) throw new Failure(`no such file or folder: ${missing}`, failureCode)
  const discoverRoot = mayLookAgain ? (root: string) => discoverAgain(indexPath(world), root) : discover
  const archive = findTranscripts(choice.roots, bringOut, discoverRoot)
  const refused = archive.problems.find((one) => one.code === 'folder-unreadable')
  if (refused !== undefined && archive.projects.length === 0) {
    throw new Failure(`${refused.position?.path}: ${refused.message}`, failureCode)
  }
  return archive
}

export function nothingNote(roots: readonly string[], world: World): string {
  const places = roots.length === 0 ? 'no Claude directory was found' : `no conversations in ${roots.join(', ')}`
  return `clew: ${places}. Name one with --root DIR or CLAUDE_CONFIG_DIR.${keptHint(roots, world)}`
}

/** Where the whole directory was deleted, nothing tells which of the archive's copies belong to it. */
export function keptHint(roots: readonly string[], world: World): string {
  return roots.length === 0 && hasSnapshots(world) ? ' To have back what was archived: clew archive list' : ''
}

/** The folder itself is there as soon as somebody has asked for an archive of nothing, or was killed at the first one. */
function hasSnapshots(world: World): boolean {
  try {
    const names = readdirSync(snapshotFolder({ folder: archiveFolder(world), disk: REAL_DISK }))
    return names.some((name) => name.endsWith('.snapshot'))
  } catch {
    return false
  }
}

/** How many of something; none of it is never what was meant. */
export function numberFromOne(text: string, option: string): number {
  const number = wholeNumber(text, option)
  if (number === 0) throw new Failure(`--${option} takes a number from 1`)
  return number
}

export function wholeNumber(text: string, option: string): number {
  if (!/^\d+$/.test(text)) throw new Failure(`--${option} takes a whole number, not “${text}”`)
  return Number(text)
}
