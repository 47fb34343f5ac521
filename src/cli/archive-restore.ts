// `clew archive restore`: files back to where they were. What is there stays; a transcript that went on since it was
// archived has all that the archive has of it, and is no conflict.

import { join, resolve } from 'node:path'
import { catalogueOf, openSnapshots } from '../archive/catalogue.ts'
import type { ArchivedFile } from '../archive/model.ts'
import { ownersOf, transcriptId } from '../archive/owner.ts'
import type { RestoredFile } from '../archive/restore.ts'
import { restoreFiles } from '../archive/restore.ts'
import { summarise } from '../conversation/summary.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { RestoreReport } from '../render/archive.ts'
import { restoreJson, restoreText } from '../render/archive.ts'
import { hindranceOf } from '../render/resumable.ts'
import { quoteWord, resumeCommand } from '../render/resume-command.ts'
import { realPlace } from '../source/real-place.ts'
import { deletedBefore } from '../store/doctor.ts'
import type { ArchiveDeed } from './archive.ts'
import { claudeFolders, failing, namedSessions, ownArchive } from './archive-folders.ts'
import { beginsWithArchived } from './begins-with.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'
import { openReference } from './reference.ts'

/** For more than these, the command that tells the command is enough. */
const COMMANDS_MAX = 5

export const archiveRestore: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0 === (values.all === true)) {
    throw new Failure('restore takes ids or --all. Try: clew archive list')
  }
  const archive = ownArchive(world)
  const snapshots = openSnapshots(archive)
  const { files } = catalogueOf(snapshots)
  const roots = values.root === undefined ? null : claudeFolders(values.root, world).map(snapshots.rootOf)
  const known = roots === null ? files : files.filter(({ root }) => roots.includes(root))
  const to = values.to === undefined ? null : resolve(world.folder, values.to)
  const wanted = values.all ? known : ofSessions(known, names)
  const restored = await failing(() =>
    restoreFiles(archive, wanted, {
      to,
      onProgress: ({ filesDone, fileCount }) => world.progress.show(filesDone, fileCount),
    }),
  )
  world.progress.clear()
  const judged = restored.map(judge)
  if (values.touch)
    for (const { path, outcome } of judged) if (outcome === 'restored') REAL_DISK.setModified(path, world.nowMs)
  const report = await reportOf(judged, values.touch === true, world)
  const { output, home } = world
  output.print(values.json ? restoreJson(report) : restoreText(report, { style: output.style, home }))
  return report.failed.length === 0 ? 0 : 1
}

export function ofSessions(files: readonly ArchivedFile[], names: readonly string[]): readonly ArchivedFile[] {
  const ownerOf = ownersOf(files.map(({ name }) => name))
  const owned = files.map((file) => ({ file, ...ownerOf(file.name) }))
  const ids = namedSessions(
    names,
    owned.map(({ sessionId }) => sessionId),
    'in the archive',
  )
  const isWanted = (sessionId: string | null): boolean => sessionId !== null && ids.has(sessionId)
  const keys = new Set(owned.flatMap(({ sessionId, projectKey }) => (isWanted(sessionId) ? (projectKey ?? []) : [])))
  return owned
    .filter(({ sessionId, isFlat, projectKey }) => isWanted(sessionId) || (isFlat && keys.has(projectKey ?? '')))
    .map(({ file }) => file)
}

type Judged = RestoreReport['failed'][number] & { readonly file: ArchivedFile }

function judge({ file, path, outcome, reason }: RestoredFile): Judged {
  const { sessionId } = ownersOf([file.name])(file.name)
  if (outcome !== 'conflict') return { file, path, outcome, reason }
  // What belongs to no session is written to by the client all the time: it is put back where it is missing.
  const isNobodys = sessionId === null && file.sessionId === null
  return { file, path, outcome: isNobodys || hasGoneOn(file, path) ? 'already-there' : outcome, reason }
}

/** An empty file was the beginning of any. */
function hasGoneOn(file: ArchivedFile, path: string): boolean {
  return file.sizeBytes > 0 && beginsWithArchived(file, path)
}

async function reportOf(judged: readonly Judged[], isTouched: boolean, world: World): Promise<RestoreReport> {
  const back = judged.filter(({ outcome }) => outcome === 'restored')
  const transcripts = back.filter(({ file }) => transcriptId(file.name) !== null)
  const commands: string[] = []
  for (const { path } of transcripts.slice(0, COMMANDS_MAX)) commands.push(await commandFor(path, world))
  const own = claudeFolders(undefined, world).map(realPlace)
  const roots = new Set(transcripts.map(({ file, path }) => path.slice(0, -file.name.length - 1)))
  return {
    restored: back.length,
    sizeBytes: back.reduce((sum, { file }) => sum + file.sizeBytes, 0),
    alreadyThere: judged.filter(({ outcome }) => outcome === 'already-there').length,
    failed: judged
      .filter(({ outcome }) => outcome !== 'restored' && outcome !== 'already-there')
      .map(({ path, outcome, reason }) => ({ path, outcome, reason })),
    sessions: [...new Set(transcripts.flatMap(({ file }) => transcriptId(file.name) ?? []))],
    commands,
    elsewhere: [...roots].filter((root) => !own.includes(realPlace(root))),
    expired: isTouched ? 0 : transcripts.filter((one) => isExpired(one, world.nowMs)).length,
  }
}

/** The client would delete it at its next start. */
function isExpired({ file, path }: Judged, nowMs: number): boolean {
  return file.modifiedMs <= deletedBefore(REAL_DISK, join(path.slice(0, -file.name.length - 1)), 0, nowMs)
}

async function commandFor(path: string, world: World): Promise<string> {
  const { session } = await openReference(path, { 'no-index': true }, world, 'resume')
  const summary = summarise(session.woven, 0)
  const hindrance = hindranceOf({ ...summary, isCopy: false }, quoteWord(path))
  return hindrance?.remedies[0]?.command ?? resumeCommand(summary)
}
