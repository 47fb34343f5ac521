import { join } from 'node:path'
import type { FoundArchive } from '../load/archive.ts'
import type { ListedConversation } from '../load/list.ts'
import type { DoctorExpiring, DoctorFolder, DoctorReport } from '../render/doctor.ts'
import { doctorJson, doctorText } from '../render/doctor.ts'
import { diskUse, expiringSessions, lastCleanupMs, readRetention } from '../store/doctor.ts'
import { findDoubles } from '../store/doubles.ts'
import { filesBelow } from '../store/folder-files.ts'
import { REAL_DISK } from '../store/real-disk.ts'
import { trashFolder } from '../store/receipt.ts'
import { sessionFolder } from '../store/retire-rows.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'
import { isInside } from './scope.ts'

export const doctor: Command = {
  name: 'doctor',
  failureCode: 1,
  help: `clew doctor [--json] [--root DIR]

What Claude Code's own clean-up will delete and when: the days it keeps transcripts (cleanupPeriodDays in
settings.json or settings.local.json of the Claude directory, else 30) and the conversations that go within the next
7 days, by the times of their files, which is what the client looks at. How much disk each project takes, and which
transcripts hold what another one holds as well. Nothing is changed.

  --json      one JSON object
  --no-index  read every file, and leave the index alone
  --root DIR  a Claude directory; repeatable

Examples:
  clew doctor
  clew doctor --json | jq '.expiring[] | {title, daysLeft}'`,
  run,
}

const WITHIN_DAYS = 7

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(doctor, words, ROOT_OPTIONS)
  const { output, progress, home } = world
  if (values.help) {
    output.print(doctor.help)
    return 0
  }
  if (positionals.length > 0) throw new Failure(`doctor takes no “${positionals[0]}”. Try: clew doctor --help`)
  const archive = openClaudeFolders('doctor', values.root, world)
  const files = archive.projects.flatMap((project) => project.files)
  const { listed, doubles } = await bringUpIndex(values['no-index'], archive, world, async ({ access }) => {
    const listed = await access.list(archive, progress.show)
    return { listed, doubles: findDoubles(files, listed, access.read, progress.show) }
  })
  progress.clear()
  if (files.length === 0) output.note(nothingNote(archive.roots))
  const folders = archive.roots.map(examine)
  const report: DoctorReport = {
    withinDays: WITHIN_DAYS,
    folders,
    expiring: folders
      .flatMap((folder) => expiringIn(folder, archive, listed, world.nowMs))
      .sort((one, other) => one.deletableMs - other.deletableMs),
    projects: archive.roots
      .flatMap((root) => diskUse(REAL_DISK, root).map((use) => ({ root, ...use })))
      .sort((one, other) => other.totalBytes - one.totalBytes),
    doubles,
  }
  if (values.json) output.print(doctorJson(report))
  else if (folders.length > 0) output.page(doctorText(report, { columns: output.columns, style: output.style, home }))
  return 0
}

function examine(root: string): DoctorFolder {
  return {
    root,
    retention: readRetention(REAL_DISK, root),
    lastCleanupMs: lastCleanupMs(REAL_DISK, root),
    trashBytes: bytesBelow(trashFolder(root)),
  }
}

function expiringIn(
  { root, retention }: DoctorFolder,
  archive: FoundArchive,
  listed: readonly ListedConversation[],
  nowMs: number,
): readonly DoctorExpiring[] {
  const files = archive.projects.flatMap((project) => project.files)
  const times = new Map(files.map(({ path, modifiedMs }) => [path, modifiedMs]))
  const rows = listed
    .filter(({ path }) => isInside(path, join(root, 'projects')))
    .map(({ sessionId, title, project, path, sizeBytes, modifiedMs }) => ({
      root,
      sessionId,
      title,
      project,
      path,
      sizeBytes,
      fileModifiedMs: times.get(path) ?? modifiedMs,
    }))
  // Only what is listed needs the size of its folder.
  return expiringSessions(rows, retention.days, WITHIN_DAYS, nowMs).map((row) => ({
    ...row,
    sizeBytes: row.sizeBytes + bytesBelow(sessionFolder(row.path)),
  }))
}

function bytesBelow(folder: string): number {
  return filesBelow(REAL_DISK, folder).files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
