import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import { makeFolders, replaceInPieces } from '../disk/durable.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { FileHistory, Version } from '../recover/model.ts'
import { nameOf } from '../recover/paths.ts'
import type { Recovered } from '../recover/recovered.ts'
import { toJson } from '../render/terminal.ts'
import { iso } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { kindOf, refuseClaudeFolders } from './export-target.ts'
import { Failure } from './failure.ts'
import { oneFile, withRecovered } from './recovered-files.ts'
import { restoreTree } from './restore-tree.ts'
import type { GapRule } from './restored.ts'
import { bytesOf, surenessOf } from './restored.ts'
import type { At } from './version-choice.ts'
import { chooseVersion, parseAt } from './version-choice.ts'
import { refOf, versionRows } from './version-rows.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  at: { type: 'string' },
  session: { type: 'string' },
  project: { type: 'string' },
  all: { type: 'boolean' },
  out: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  partial: { type: 'boolean' },
  'mark-gaps': { type: 'boolean' },
} as const

export const restoreFile: Command = {
  name: 'restore-file',
  failureCode: 1,
  help: `clew restore-file <file> [--at turn|time|version] [--session ID] [--project P] [-o FILE] [--force]
                  [--partial|--mark-gaps] [--json] [--root DIR]
clew restore-file --all (--session ID|--project P) -o FOLDER [--at time] [--partial|--mark-gaps] [--root DIR]

A file as some conversation wrote, edited or read it: the newest version of which every line is certain. A path may
be the end of one (day.ts, src/day.ts) where only one file fits. What is certain of it and what is not is said on
standard error. Nothing is ever written into a Claude directory.

  --at WHEN       the file as it was after turn 7, at a time (2026-03-01T10:00Z, 2h ago as 2h), or as version v3 of
                  clew files
  --session ID    only this conversation; a turn needs it where several saw the file
  --project P     only conversations of projects whose path or folder name contains P
  -o, --out FILE  write it there instead of to standard output; a different file that is there needs --force
  --force         replace a different file
  --partial       also a file that is known in parts: what nobody saw is left out
  --mark-gaps     the same, with a line in place of each gap
  --all           every file of the conversations into a new folder, as it was last (or --at a time), with
                  clew-manifest.jsonl, which says how certain each is. What was deleted with its whole folder is
                  restored, what was deleted by its own name is not.
  --json          one object about what was written, on standard output (needs -o)

Examples:
  clew restore-file day.ts
  clew restore-file src/day.ts --at v3 -o /tmp/day.ts
  clew restore-file --all --project tidewatch -o ./tidewatch-back`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(restoreFile, words, OPTIONS)
  if (values.help) {
    world.output.print(restoreFile.help)
    return 0
  }
  const at = parseAt(values.at, world)
  const rule: GapRule = values['mark-gaps'] ? 'mark' : values.partial ? 'leave-out' : 'refuse'
  const place = values.out === undefined ? null : resolve(world.folder, values.out)
  if (place !== null) refuseClaudeFolders(place, values.root, world, 'files')
  if (values.all) {
    if (positionals.length > 0) throw new Failure('--all takes no file; it restores them all')
    if (place === null) throw new Failure('--all needs a folder to write into: -o FOLDER')
    if (values.session === undefined && values.project === undefined)
      throw new Failure('all files of what? Say --project P or --session ID')
    if (at !== null && at.kind === 'version') throw new Failure('--all takes a time or a turn for --at, not a version')
    return withRecovered(values, world, (recovered) =>
      restoreTree(recovered, { folder: place, at, rule, json: values.json === true }, world),
    )
  }
  const [file, more] = positionals
  if (file === undefined) throw new Failure('which file? Try: clew restore-file src/day.ts, or clew files latest')
  if (more !== undefined) throw new Failure(`restore-file takes one file, not “${more}” too`)
  if (values.json && place === null) throw new Failure('--json goes with -o: without it standard output is the file')
  return withRecovered({ ...values, names: [file] }, world, (recovered) => {
    const history = oneFile(recovered, file, resolve(world.folder, file))
    return restore(
      recovered,
      history,
      { at, rule, place, roots: values.root, isForced: values.force === true, json: values.json === true },
      world,
    )
  })
}

interface Choice {
  readonly at: At | null
  readonly rule: GapRule
  readonly place: string | null
  readonly roots: readonly string[] | undefined
  readonly isForced: boolean
  readonly json: boolean
}

async function restore(recovered: Recovered, history: FileHistory, choice: Choice, world: World): Promise<number> {
  const version = chooseVersion(history, choice.at, recovered)
  if (version === null) throw new Failure(nothingAt(history, choice.at))
  const bytes = bytesOf(version, choice.rule)
  if (bytes === null) throw new Failure(refusal(version))
  const where = choice.place === null ? null : targetOf(choice.place, history.path)
  // The name in a folder may be a link.
  if (where !== null) refuseClaudeFolders(where, choice.roots, world, 'files')
  if (where === null) world.output.write(bytes)
  else await writeTo(where, bytes, choice.isForced)
  const { number, cause, place } = version
  const when = `${cause}, ${iso(place.timeMs) ?? 'some time'}, ${refOf(place)}`
  const notes = [`${history.path} as of v${number} (${when}): ${surenessOf(version)}`, ...laterNotes(history, version)]
  if (!choice.json) for (const note of notes) world.output.note(`clew: ${note}`)
  const row = versionRows(history, recovered).find((one) => one.number === number)
  if (choice.json && row !== undefined) {
    const { diff: _, timeMs, number: version, ...facts } = row
    world.output.print(toJson({ ...facts, version, at: iso(timeMs), out: where, sizeBytes: bytes.length, notes }))
  }
  return 0
}

function nothingAt({ path, versions }: FileHistory, at: At | null): string {
  if (at === null) return `nothing is known of what was in ${path}; clew files tells what happened to it`
  return `${path} has no version there; it has v1 to v${versions.length}. Try: clew files <id> ${nameOf(path)}`
}

function refusal(version: Version): string {
  if (version.content.kind === 'parts')
    return `${version.path}: ${surenessOf(version)}. --partial or --mark-gaps writes what is known`
  return `${version.path}: ${surenessOf(version)} at v${version.number}. Try another: --at v${Math.max(1, version.number - 1)}`
}

/** What happened to the file after the version that is handed out. */
function laterNotes({ versions, later }: FileHistory, chosen: Version): readonly string[] {
  const last = versions.at(-1) as Version
  const notes: string[] = []
  if (last !== chosen) notes.push(`there is v${last.number} after it (${last.cause}): ${surenessOf(last)}`)
  if (later !== null) notes.push(`a shell command may have changed it since: clew show ${refOf(later)}`)
  return notes
}

/** A folder takes the file under its own name. */
function targetOf(place: string, path: string): string {
  return kindOf(place) === 'folder' ? join(place, nameOf(path)) : place
}

async function writeTo(path: string, bytes: Uint8Array, isForced: boolean): Promise<void> {
  const kind = kindOf(path)
  if (kind === 'none' && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new Failure(`${path} is a link that leads nowhere, and is not replaced`)
  if (kind === 'folder' || kind === 'other') throw new Failure(`${path} is no regular file, and is not replaced`)
  if (kind === 'file') {
    if (statSync(path).size === bytes.length && readFileSync(path).equals(bytes)) return
    if (!isForced)
      throw new Failure(`${path} is there already and different; --force replaces it, -o names another place`)
  }
  try {
    await makeFolders(REAL_DISK, dirname(path))
    const real = kind === 'file' ? realpathSync(path) : path
    const mode = REAL_DISK.stat(real)?.mode
    await replaceInPieces(REAL_DISK, real, [bytes])
    if (mode !== undefined) REAL_DISK.setMode(real, mode)
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    throw new Failure(`cannot write ${basename(path)} in ${dirname(path)}: ${code}`)
  }
}
