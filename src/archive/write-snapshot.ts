// The moment from which a snapshot counts: its manifest is on disk for good, and all that it names stays.

import { dirname } from 'node:path'
import { type Snapshots, snapshotPath } from './catalogue.ts'
import { type Manifest, manifestBytes, snapshotIdOf } from './manifest.ts'
import type { Archive } from './open-archive.ts'
import { discard, publish } from './open-archive.ts'
import { doomedNames } from './pack-list.ts'
import { packPath } from './pack-writer.ts'

export interface WrittenSnapshot {
  readonly snapshotId: string
  readonly storedBytes: number
}

/** After all that are there, even when the clock was set back. */
export function laterThan({ byId, damaged }: Snapshots, takenMs: number): number {
  const last = [...byId.keys(), ...damaged].sort().at(-1)
  return Math.max(Math.floor(takenMs), last === undefined ? 0 : Number(last.slice(0, 15)) + 1)
}

/** Null, and nothing written, when something that it names is about to go or gone. */
export async function writeSnapshot(archive: Archive, manifest: Manifest): Promise<WrittenSnapshot | null> {
  const bytes = manifestBytes(manifest)
  const snapshotId = snapshotIdOf(manifest.takenMs, bytes)
  const path = snapshotPath(archive, snapshotId)
  await publish(archive, { to: path, bytes })
  if (!isGoing(archive, manifest)) return { snapshotId, storedBytes: manifest.storedBytes + bytes.length }
  discard(archive.disk, path)
  await archive.disk.syncFolder(dirname(path))
  return null
}

/** Whether something that a snapshot relies on is about to be removed, or was. */
function isGoing(archive: Archive, { files }: Manifest): boolean {
  const packs = new Set(files.flatMap(({ stretches }) => stretches.map(({ packId }) => packId)))
  const bases = new Set(files.flatMap(({ base }) => base?.snapshotId ?? []))
  const doomed = doomedNames(archive)
  const paths = [...[...packs].map((id) => packPath(archive, id)), ...[...bases].map((id) => snapshotPath(archive, id))]
  return [...packs, ...bases].some((id) => doomed.has(id)) || paths.some((path) => archive.disk.stat(path) === null)
}
