// `clew archive` without a word: chooses files and takes a snapshot, once, for as long as somebody watches, or unseen.

import type { OwnedFile } from '../archive/choose.ts'
import { expiringFiles, filesOfProject, filesOfSessions, ownedFiles, sessionCount } from '../archive/choose.ts'
import { archiveFolder, openArchive } from '../archive/open-archive.ts'
import type { SnapshotTaken } from '../archive/snapshot.ts'
import { takeSnapshot } from '../archive/snapshot.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import { takenJson, takenText } from '../render/archive.ts'
import { deletedBefore } from '../store/doctor.ts'
import { WITHIN_DAYS } from '../store/examine.ts'
import type { ArchiveDeed, ArchiveValues } from './archive.ts'
import { runUnseen } from './archive-background.ts'
import { claudeFolders, failing, namedSessions } from './archive-folders.ts'
import { watchFolders } from './archive-watch.ts'
import type { World } from './command.ts'
import { nothingNote } from './command.ts'
import { Failure } from './failure.ts'

export const archiveTake: ArchiveDeed = async (names, values, world) => {
  const { all, project, expiring } = values
  if ([all, project, expiring, names.length > 0 || undefined].filter((one) => one !== undefined).length > 1) {
    throw new Failure('archive takes one of --all, --project P, --expiring and ids. Try: clew archive --help')
  }
  const take = (): Promise<Taken> => takeOnce(names, values, world)
  if (values.background) return runUnseen(world, async () => void (await take()))
  if (values.watch) return watch(take, values, world)
  const taken = await take()
  if (taken.roots.length === 0) world.output.note(nothingNote([], world))
  tell(taken, values, world)
  return taken.skipped.length === 0 ? 0 : 1
}

export interface Taken extends SnapshotTaken {
  readonly roots: readonly string[]
  readonly sessions: number
  readonly folder: string
}

async function takeOnce(names: readonly string[], values: ArchiveValues, world: World): Promise<Taken> {
  const roots = claudeFolders(values.root, world)
  const files = chosen(names, values, roots, world.nowMs)
  const folder = archiveFolder(world)
  const archive = await failing(() => openArchive(folder))
  const taken = await failing(() =>
    takeSnapshot(archive, files, {
      takenMs: values.watch ? Date.now() : world.nowMs,
      onProgress: ({ bytesDone, sizeBytes }) => world.progress.show(bytesDone, sizeBytes),
    }),
  )
  world.progress.clear()
  // What was deleted since it was found is nobody's fault.
  const skipped = taken.skipped.filter(({ code }) => code !== 'ENOENT')
  return { ...taken, skipped, roots, sessions: sessionCount(files), folder }
}

function chosen(
  names: readonly string[],
  { project, expiring }: ArchiveValues,
  roots: readonly string[],
  nowMs: number,
): readonly OwnedFile[] {
  const files = roots.map((root) => ({ root, files: ownedFiles(root) }))
  const all = files.flatMap((one) => one.files)
  if (expiring) {
    return files.flatMap((one) =>
      expiringFiles(one.files, modifiedMs, deletedBefore(REAL_DISK, one.root, WITHIN_DAYS, nowMs)),
    )
  }
  if (names.length > 0) {
    const ids = namedSessions(
      names,
      all.map(({ sessionId }) => sessionId),
      `in ${roots.join(', ')}`,
    )
    return files.flatMap((one) => filesOfSessions(one.files, ids))
  }
  if (project === undefined) return all
  const wanted = files.flatMap((one) => filesOfProject(one.files, project))
  if (wanted.length === 0) throw new Failure(`no project has “${project}” in its name. Try: clew list`)
  return wanted
}

function modifiedMs({ path }: OwnedFile): number | null {
  return REAL_DISK.stat(path)?.modifiedMs ?? null
}

function tell(taken: Taken, values: ArchiveValues, world: World): void {
  const { output, home } = world
  for (const { path, code } of taken.skipped) output.note(`clew: ${path} could not be archived: ${code}`)
  if (values.json) output.print(takenJson(taken))
  else if (taken.roots.length > 0) output.print(takenText(taken, { style: output.style, home }))
}

/** Only what was new is told after the first time. */
async function watch(take: () => Promise<Taken>, values: ArchiveValues, world: World): Promise<number> {
  let isFirst = true
  const step = async (): Promise<readonly string[]> => {
    const taken = await take()
    if (isFirst || taken.keptFiles > 0) tell(taken, values, world)
    if (isFirst && !values.json) world.output.note('clew: watching; Ctrl-C ends it')
    isFirst = false
    return taken.roots
  }
  await watchFolders(step, (failure) => world.output.note(`clew: ${failure}; trying again`))
  return 0
}
