// How archiving stands, for `clew doctor`.

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { readAuto, readLastRun } from '../archive/auto.ts'
import { snapshotIds } from '../archive/catalogue.ts'
import { hookPrograms } from '../archive/hook-command.ts'
import { keptFiles } from '../archive/kept.ts'
import { archiveFolder } from '../archive/open-archive.ts'
import { installedHooks } from '../archive/settings-file.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { REAL_DISK } from '../disk/real-disk.ts'
import type { DoctorArchiving } from '../render/doctor-archiving.ts'
import { sessionFolder } from '../store/retire-rows.ts'
import { findOwnArchive } from './archive-folders.ts'
import type { World } from './command.ts'

interface Expiring {
  readonly root: string
  readonly path: string
}

export function archivingState<Row extends Expiring>(
  roots: readonly string[],
  expiring: readonly Row[],
  world: World,
): { readonly archiving: DoctorArchiving; readonly expiring: readonly (Row & { readonly isArchived: boolean })[] } {
  const archive = findOwnArchive(world)
  const folder = archiveFolder(world)
  const hooks = roots.map((root) => ({ root, commands: installedHooks(REAL_DISK, root) }))
  const programs = new Set(hooks.flatMap(({ commands }) => commands.flatMap(hookPrograms)))
  // To read what is in it takes a while, and is for what goes soon.
  const isKept = expiring.length === 0 ? () => false : keptFiles(archive)
  const newest = archive === null ? undefined : snapshotIds(archive).at(-1)
  const archiving = {
    folder,
    hookedRoots: hooks.filter(({ commands }) => commands.length > 0).map(({ root }) => root),
    missingPrograms: [...programs].filter((path) => !existsSync(path)),
    isAuto: readAuto(REAL_DISK, world).isOn,
    lastSnapshotMs: newest === undefined ? null : Number(newest.slice(0, 15)),
    lastFailure: readLastRun(REAL_DISK, dirname(folder))?.failure ?? null,
  }
  return {
    archiving,
    expiring: expiring.map((row) => ({ ...row, isArchived: filesOf(row).every((file) => isKept(row.root, file)) })),
  }
}

function filesOf({ path }: Pick<Expiring, 'path'>): readonly { path: string; sizeBytes: number; modifiedMs: number }[] {
  const stat = REAL_DISK.stat(path)
  const own = stat === null ? [] : [{ path, sizeBytes: stat.sizeBytes, modifiedMs: stat.modifiedMs }]
  return [...own, ...filesBelow(REAL_DISK, sessionFolder(path)).files]
}
