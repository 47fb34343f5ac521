// `clew archive list`: what the archive holds, by session. It understands nothing itself, so titles come from the index.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { allVersions, fileKey, openSnapshots } from '../archive/catalogue.ts'
import type { ArchivedFile } from '../archive/model.ts'
import { ownersOf, transcriptId } from '../archive/owner.ts'
import type { ArchivedSession } from '../render/archive.ts'
import { archiveTable, sessionJson } from '../render/archive.ts'
import type { ArchiveDeed, ArchiveValues } from './archive.ts'
import { claudeFolders, findOwnArchive } from './archive-folders.ts'
import type { World } from './command.ts'
import { openTranscripts } from './command.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'

export const archiveList: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0) throw new Failure(`archive list takes no “${names[0]}”. Try: clew archive --help`)
  const { output } = world
  const archive = findOwnArchive(world)
  if (archive === null) {
    output.note('clew: nothing was archived yet. Try: clew archive')
    return 0
  }
  const snapshots = openSnapshots(archive)
  for (const id of snapshots.damaged) output.note(`clew: the snapshot ${id} is damaged. Try: clew archive verify`)
  const taken = new Map([...snapshots.byId].map(([id, { takenMs }]) => [id, takenMs]))
  const wanted = values.root === undefined ? null : new Set(claudeFolders(values.root, world).map(snapshots.rootOf))
  const titles = await titlesOf(values, world)
  const rows = sessionsIn(allVersions(snapshots), taken)
    .filter(({ root }) => wanted === null || wanted.has(root))
    .map((row) => ({ ...row, title: titles.get(row.sessionId) ?? null }))
    .sort((one, other) => other.modifiedMs - one.modifiedMs)
  if (values.json) for (const row of rows) output.print(sessionJson(row))
  else if (rows.length === 0) output.note('clew: the archive holds no sessions of this directory')
  else {
    const { columns, style } = output
    output.page(archiveTable(rows, { columns, style, nowMs: world.nowMs, home: world.home }))
  }
  return 0
}

async function titlesOf(values: ArchiveValues, world: World): Promise<ReadonlyMap<string, string>> {
  const found = openTranscripts(values.root, world)
  const listed = await bringUpIndex(values['no-index'], found, world, ({ access }) =>
    access.list(found, world.progress.show),
  )
  world.progress.clear()
  return new Map(listed.map(({ sessionId, title }) => [sessionId, title]))
}

type Row = Omit<ArchivedSession, 'title'>

function sessionsIn(versions: readonly ArchivedFile[], taken: ReadonlyMap<string, number>): readonly Row[] {
  const newest = new Map(versions.map((file) => [fileKey(file), file]))
  const ownerOf = ownersOf([...newest.values()].map(({ name }) => name))
  const rows = new Map<string, { -readonly [key in keyof Row]: Row[key] }>()
  const rowOf = ({ root, name }: ArchivedFile): (typeof rows extends Map<string, infer One> ? One : never) | null => {
    const { sessionId, projectKey } = ownerOf(name)
    if (sessionId === null) return null
    const key = `${root}\0${sessionId}`
    const known = rows.get(key) ?? {
      sessionId,
      root,
      projectKey,
      files: 0,
      sizeBytes: 0,
      versions: 0,
      modifiedMs: 0,
      lastSnapshotMs: 0,
      isSourceThere: false,
    }
    rows.set(key, known)
    return known
  }
  for (const file of newest.values()) {
    const row = rowOf(file)
    if (row === null) continue
    row.files++
    row.sizeBytes += file.sizeBytes
    row.projectKey ??= ownerOf(file.name).projectKey
    row.modifiedMs = Math.max(row.modifiedMs, file.modifiedMs)
    if (transcriptId(file.name) !== null) {
      // Where nobody may look, or a link leads in a circle, there is none.
      row.isSourceThere ||= existsSync(join(file.root, file.name))
    }
  }
  for (const file of versions) {
    const row = rowOf(file)
    if (row === null) continue
    row.lastSnapshotMs = Math.max(row.lastSnapshotMs, taken.get(file.snapshotId) ?? 0)
    if (transcriptId(file.name) !== null) row.versions++
  }
  return [...rows.values()]
}
