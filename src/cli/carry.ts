import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { summarise } from '../conversation/summary.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { SessionFile } from '../relocate/carry-files.ts'
import { placesOf, sessionFiles } from '../relocate/carry-files.ts'
import { isSessionId } from '../relocate/carry-format.ts'
import type { ImportPlan } from '../relocate/carry-in.ts'
import { applyImport, importConflicts, planImport, removeLeftImports } from '../relocate/carry-in.ts'
import { carryOut } from '../relocate/carry-out.ts'
import { CarryError } from '../relocate/carry-read.ts'
import { normalPath } from '../relocate/paths.ts'
import type { ImportReport } from '../render/carry.ts'
import { carriedJson, carriedText, importJson, importText } from '../render/carry.ts'
import { quoteWord, resumeCommand } from '../render/resume-command.ts'
import { deletedBefore } from '../store/doctor.ts'
import { WITHIN_DAYS } from '../store/examine.ts'
import { StoreError, writeError } from '../store/store-error.ts'
import { claudeFolders, usualFolder } from './archive-folders.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { refuseClaudeFolders } from './export-target.ts'
import { Failure } from './failure.ts'
import { packedFile } from './packed-file.ts'
import type { Referenced } from './reference.ts'
import { commandFor, openReference } from './reference.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  out: { type: 'string', short: 'o' },
  import: { type: 'string' },
  project: { type: 'string' },
  'keep-cwd': { type: 'boolean' },
  apply: { type: 'boolean' },
} as const

export const carry: Command = {
  name: 'carry',
  failureCode: 1,
  help: `clew carry <id|prefix|title|path|latest> -o FILE [--json] [--root DIR]
clew carry --import FILE [--project PATH] [--keep-cwd] [--apply] [--json] [--root DIR]

A session for another machine or container, in one file: the transcript, its subagents, spilled outputs, titles, file
backups and todos, byte for byte. Never settings, never credentials; but passwords that were said are in it, so for
somebody who shall only read it take clew export. --import puts it below the path it shall have there, so that the
client goes on with it; nothing that is there is replaced. Without --apply it only says what would be written.

  -o, --out FILE     the file to make; one that is there is not replaced
  --import FILE      the file to take a session from
  --project PATH     the folder of the project on this machine; without it, the path it had
  --keep-cwd         leave the folder in every record as it was, and add a record that says where the session is now
  --apply            write it
  --json             one JSON object
  --no-index         do not look into the index
  --root DIR         a Claude directory; repeatable, --import takes the first

Examples:
  clew carry latest -o tidewatch.clew
  clew carry --import tidewatch.clew --project ~/code/tidewatch
  clew carry --import tidewatch.clew --project ~/code/tidewatch --apply`,
  run,
}

type Values = ReturnType<typeof parseWords<typeof OPTIONS>>['values']

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(carry, words, OPTIONS)
  if (values.help) {
    world.output.print(carry.help)
    return 0
  }
  try {
    return values.import === undefined
      ? await carryAway(positionals.join(' '), values, world)
      : await bringIn(values.import, positionals, values, world)
  } catch (error) {
    if (error instanceof CarryError || error instanceof StoreError) throw new Failure(error.message)
    throw error
  }
}

async function carryAway(reference: string, values: Values, world: World): Promise<number> {
  if (reference === '') throw new Failure('carry takes a session: clew carry latest -o FILE. Try: clew carry --help')
  if (values.out === undefined) throw new Failure('carry needs a file to write to: -o FILE')
  const wrong = (['project', 'keep-cwd', 'apply'] as const).find((name) => values[name] !== undefined)
  if (wrong !== undefined) throw new Failure(`--${wrong} goes together with --import`)
  const file = resolve(world.folder, values.out)
  refuseClaudeFolders(file, values.root, world, 'files')
  if (REAL_DISK.stat(file) !== null) throw new Failure(`${file} is there already. Name another file, or move that one`)
  const referenced = await openReference(reference, values, world, 'resume')
  const { session } = referenced
  const { path } = session.main.file
  const sessionId = basename(path, '.jsonl')
  if (!isSessionId(sessionId)) throw new Failure(`${path} cannot be carried: its name is not the id of a session`)
  const { files, leftOut } = sessionFiles(REAL_DISK, claudeFolderOf(path), path)
  const { title, cwd, continues } = summarise(session.woven, 0)
  const head = { sessionId, title, cwd, nowMs: world.nowMs }
  const { manifest, packedBytes } = await carryOut(REAL_DISK, files, head, file).catch((error: unknown) => {
    throw writeError(file, error)
  })
  const [scanCommand, exportCommand] = [scanCommandFor(referenced, files), commandFor('export', referenced)]
  const report = { ...manifest, file, packedBytes, leftOut, continues, scanCommand, exportCommand }
  const { output, home } = world
  output.print(values.json ? carriedJson(report) : carriedText(report, { style: output.style, home }))
  return 0
}

/** All that was packed: a session that is named by its id is looked through with all of its conversation, a path alone. */
function scanCommandFor(referenced: Referenced, files: readonly SessionFile[]): string {
  const places = placesOf(files).filter(({ isOfConversation }) => referenced.isByPath || !isOfConversation)
  const words = places.map(({ path }) => quoteWord(path))
  return referenced.isByPath ? `clew scan ${words.join(' ')}` : [commandFor('scan', referenced), ...words].join(' ')
}

/** Where file backups and todos lie: beside `projects`, if the transcript lies in such a folder. */
function claudeFolderOf(path: string): string {
  const projects = dirname(dirname(path))
  return basename(projects) === 'projects' ? dirname(projects) : dirname(path)
}

async function bringIn(named: string, positionals: readonly string[], values: Values, world: World): Promise<number> {
  if (positionals.length > 0 || values.out !== undefined) throw new Failure('--import takes no session and no -o')
  const file = packedFile(named, 'carry', world)
  const root = importRoot(values.root, world)
  const project =
    values.project === undefined ? null : (normalPath(values.project) ?? resolve(world.folder, values.project))
  const { nowMs } = world
  const plan = await planImport(REAL_DISK, root, file, {
    project,
    keepsCwd: values['keep-cwd'] === true,
    expiringMs: deletedBefore(REAL_DISK, root, WITHIN_DAYS, nowMs),
    nowMs,
  })
  const conflicts = plan.isThere ? [] : importConflicts(REAL_DISK, plan)
  const isApplied = values.apply === true
  if (isApplied && conflicts.length > 0) {
    throw new Failure(
      `nothing was written: ${conflicts[0]} is there already and is another file. Move it elsewhere first`,
    )
  }
  const newFolder = existsSync(join(root, 'projects')) ? null : join(root, 'projects')
  const written = isApplied ? await applied(root, file, plan) : 0
  const report = { ...reportOf(plan, conflicts, isApplied, written, values['keep-cwd'] !== true), newFolder }
  const { output, home } = world
  output.print(values.json ? importJson(report) : importText(report, { style: output.style, home }))
  return 0
}

/** On a machine that has none it is the one that the client would make. One that is named must be there. */
function importRoot(roots: readonly string[] | undefined, world: World): string {
  const [first] = roots === undefined ? claudeFolders(roots, world) : openClaudeFolders('carry', roots, world).roots
  return first ?? usualFolder(world)
}

async function applied(root: string, file: string, plan: ImportPlan): Promise<number> {
  try {
    await removeLeftImports(REAL_DISK, root)
    return plan.isThere ? 0 : await applyImport(REAL_DISK, root, file, plan)
  } catch (error) {
    if (error instanceof CarryError) throw error
    throw writeError(root, error)
  }
}

function reportOf(
  plan: ImportPlan,
  conflicts: readonly string[],
  isApplied: boolean,
  written: number,
  changesCwd: boolean,
): Omit<ImportReport, 'newFolder'> {
  const { manifest, sessionId, isRenamed, cwd, move, isThere } = plan
  return {
    isApplied,
    manifest,
    sessionId,
    isRenamed,
    cwd,
    rewritesCwd: changesCwd && move !== null,
    isThere,
    files: plan.files.map(({ to, carried }) => ({ to, sizeBytes: carried.sizeBytes })),
    renewed: plan.files.filter(({ carried, modifiedMs }) => modifiedMs !== carried.modifiedMs).length,
    conflicts,
    written,
    resume: resumeCommand({ sessionId, cwd }),
  }
}
