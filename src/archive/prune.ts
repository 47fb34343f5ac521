// Lets go of versions, and of the packs that nothing needs afterwards. New packs come first, then new snapshots, and only
// then is anything removed: a prune that is killed leaves more than it should, never less. What is left of a pack that
// is hardly used is archived again, from the archive itself.

import { dirname, join } from 'node:path'
import { ArchiveError } from './archive-error.ts'
import { openSnapshots, type Snapshots, snapshotIds, snapshotPath, stretchesOf } from './catalogue.ts'
import { removeAll } from './export-archive.ts'
import { type Manifest, type ManifestBase, type ManifestFile, manifestBytes, snapshotIdOf } from './manifest.ts'
import type { ArchivedFile, Stretch } from './model.ts'
import type { Archive } from './open-archive.ts'
import { packFolder, publish, snapshotFolder, UNFINISHED } from './open-archive.ts'
import { doom, doomedFolder, doomedPaths } from './pack-list.ts'
import { packPath } from './pack-writer.ts'
import { type PrunePlan, type PrunePolicy, planPrune } from './prune-plan.ts'
import { whileLocked } from './run-alone.ts'
import { damagedAmong } from './verify.ts'
import { weavePieces } from './weave-pieces.ts'
import { Weaving } from './weaving.ts'

export interface PruneOptions {
  readonly policy: PrunePolicy
  readonly nowMs: number
  /** Only says what would go. */
  readonly isDryRun?: boolean
}

export interface PruneReport extends Omit<PrunePlan, 'kept'> {
  readonly keptCount: number
  /** What processes that were killed had left behind. */
  readonly leftovers: number
}

/** What nobody has written to for this long is nobody's any more. */
const LEFTOVER_MS = 24 * 3600 * 1000

/** One at a time: what another prune is about to remove must not be planned with. */
export async function pruneArchive(archive: Archive, options: PruneOptions): Promise<PruneReport> {
  if (options.isDryRun === true) return await prune(archive, options)
  const lock = join(archive.folder, 'prune.running')
  const report = await whileLocked(archive.disk, lock, () => prune(archive, options), { nowMs: options.nowMs })
  if (report === null) throw new ArchiveError('missing', 'another prune is at work: nothing was removed, try again')
  return report
}

async function prune(archive: Archive, options: PruneOptions): Promise<PruneReport> {
  const snapshots = openSnapshots(archive)
  if (snapshots.damaged.length > 0) {
    throw new ArchiveError('damaged', 'a snapshot is damaged, and nobody knows what it needs: nothing was removed')
  }
  const plan = planPrune(archive, snapshots, options.policy)
  const leftovers = leftoversOf(archive, options.nowMs)
  if (options.isDryRun !== true) {
    for (const path of leftovers) removeAll(archive.disk, path)
    const isNeeded = plan.going.length + plan.unusedPacks.length + plan.halfUsedPacks.length > 0
    if (isNeeded || doomedPaths(archive).length > 0) await applyPlan(archive, snapshots, plan)
  }
  const { kept, ...rest } = plan
  return { ...rest, keptCount: kept.length, leftovers: leftovers.length }
}

function leftoversOf(archive: Archive, nowMs: number): readonly string[] {
  const folders = [archive.folder, packFolder(archive), snapshotFolder(archive), doomedFolder(archive)]
  return folders
    .flatMap((folder) => archive.disk.names(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(UNFINISHED))
    .filter((path) => nowMs - (archive.disk.stat(path)?.modifiedMs ?? nowMs) > LEFTOVER_MS)
}

async function applyPlan(archive: Archive, snapshots: Snapshots, plan: PrunePlan): Promise<void> {
  const { disk } = archive
  const { damaged } = await damagedAmong(archive, plan.halfUsedPacks, {})
  if (damaged.length > 0) throw new ArchiveError('damaged', `packs/${damaged[0]}.pack is damaged: nothing was removed`)
  const avoided = new Set([...plan.unusedPacks, ...plan.halfUsedPacks])
  const manifests = await rewritten(archive, snapshots, plan.kept, avoided)
  // A prune that did not come to its end left the very pack that was woven again just now: it is in use from here on.
  const used = new Set(manifests.flatMap(({ packIds }) => packIds))
  const packs = [...avoided].filter((id) => !used.has(id))
  const written = manifests.map((manifest) => snapshotIdOf(manifest.takenMs, manifest.bytes))
  const replaced = [...snapshots.byId.keys()].filter((id) => !written.includes(id))
  const known = new Set(snapshots.byId.keys())
  // No other prune is at work: these are of some that were killed.
  const leftNotes = doomedPaths(archive)
  const note = await doom(archive, [...replaced, ...packs])
  // Whoever comes from now on sees what is about to go. Who came before is seen here.
  if (snapshotIds(archive).some((id) => !known.has(id))) {
    await removeForGood(archive, note)
    throw new ArchiveError('missing', 'a snapshot was taken meanwhile: nothing was removed, try again')
  }
  for (const [index, { bytes }] of manifests.entries()) {
    const id = written[index] ?? ''
    if (!known.has(id)) await publish(archive, { to: snapshotPath(archive, id), bytes })
  }
  // The later ones first, each for good: they may build on the earlier.
  for (const id of replaced.toReversed()) await removeForGood(archive, snapshotPath(archive, id))
  for (const id of packs) disk.remove(packPath(archive, id))
  await disk.syncFolder(packFolder(archive))
  // What was about to go is gone. A note that came meanwhile is somebody else's.
  for (const path of new Set([...leftNotes, note])) await removeForGood(archive, path)
}

async function removeForGood({ disk }: Archive, path: string): Promise<void> {
  disk.remove(path)
  await disk.syncFolder(dirname(path))
}

interface WrittenManifest {
  readonly takenMs: number
  readonly bytes: Buffer
  /** The packs that it names, some more than once. */
  readonly packIds: readonly string[]
}

interface Row extends Omit<ManifestFile, 'stretches'> {
  readonly stretches: () => readonly Stretch[]
}

/** The snapshots as they will be: with what is kept of each, and without a stretch in the packs that go. */
async function rewritten(
  archive: Archive,
  snapshots: Snapshots,
  kept: readonly ArchivedFile[],
  avoided: ReadonlySet<string>,
): Promise<readonly WrittenManifest[]> {
  const weaving = new Weaving(archive, avoided)
  const places = new Map<string, ManifestBase>()
  try {
    const drafts: { readonly id: string; readonly rows: readonly { position: number; row: Row }[] }[] = []
    const keptPlaces = new Set(kept.map(placeOf))
    for (const [id, { files }] of snapshots.byId) {
      const rows: { position: number; row: Row }[] = []
      for (const [position, file] of files.entries()) {
        if (!keptPlaces.has(placeOf({ snapshotId: id, position }))) continue
        rows.push({ position, row: await rowOf(snapshots, weaving, { id, position, file, keptPlaces, avoided }) })
      }
      if (rows.length > 0) drafts.push({ id, rows })
    }
    await weaving.seal()
    return drafts.map(({ id, rows }) => {
      const { takenMs = 0, storedBytes = 0 } = snapshots.byId.get(id) ?? {}
      const files = rows.map(({ row }) => ({
        ...row,
        base: row.base && (places.get(placeOf(row.base)) ?? row.base),
        stretches: row.stretches(),
      }))
      const manifest: Manifest = { takenMs, storedBytes, files }
      const bytes = manifestBytes(manifest)
      const snapshotId = snapshotIdOf(takenMs, bytes)
      for (const [index, { position, row }] of rows.entries()) {
        const depth = 1 + (row.base?.depth ?? 0)
        places.set(placeOf({ snapshotId: id, position }), {
          snapshotId,
          position: index,
          sizeBytes: row.sizeBytes,
          depth,
        })
      }
      return { takenMs, bytes, packIds: files.flatMap((file) => file.stretches.map(({ packId }) => packId)) }
    })
  } finally {
    await weaving.close()
  }
}

interface OldRow {
  readonly id: string
  readonly position: number
  readonly file: Omit<ManifestFile, 'stretches'>
  readonly keptPlaces: ReadonlySet<string>
  readonly avoided: ReadonlySet<string>
}

async function rowOf(snapshots: Snapshots, weaving: Weaving, old: OldRow): Promise<Row> {
  const { id, position, file, keptPlaces, avoided } = old
  const hasBase = file.base !== null && keptPlaces.has(placeOf(file.base))
  const place = { snapshotId: id, position }
  const stretches = hasBase ? (snapshots.byId.get(id)?.stretches(position) ?? []) : stretchesOf(snapshots, place)
  const base = hasBase ? file.base : null
  if (!stretches.some(({ packId }) => avoided.has(packId))) return { ...file, base, stretches: () => stretches }
  const woven = await weavePieces(weaving, piecesOf(weaving, stretches, file.name))
  return { ...file, base, stretches: () => weaving.stretches(woven) }
}

function* piecesOf({ shelf }: Weaving, stretches: readonly Stretch[], name: string): Generator<Buffer> {
  for (const { packId, offset, length } of stretches) {
    for (let done = 0; done < length; ) {
      const piece = shelf.view(shelf.numberOf(packId), offset + done).subarray(0, length - done)
      if (piece.length === 0) throw new ArchiveError('damaged', `${name} is damaged: nothing was removed`)
      yield piece
      done += piece.length
    }
  }
}

function placeOf({ snapshotId, position }: { readonly snapshotId: string; readonly position: number }): string {
  return `${snapshotId}/${position}`
}
