// Which versions a policy lets go of, and what that means for the packs. The rules are joined by "or". The newest version
// of a file goes by age or for want of room only, and only where the user said so.

import { allVersions, recordedKey, type Snapshots, stretchesOf } from './catalogue.ts'
import type { ArchivedFile } from './model.ts'
import type { Archive } from './open-archive.ts'
import { readTable } from './pack-format.ts'
import { packIds } from './pack-list.ts'
import { PackUse } from './pack-use.ts'
import { packPath } from './pack-writer.ts'

export interface PrunePolicy {
  /** Versions of files that were last changed before this go, the newest ones too. */
  readonly olderThanMs?: number
  /** So many of the newest versions of each file stay; at least one. */
  readonly keepVersions?: number
  /** The oldest go until the packs are about this small. */
  readonly sizeBytesMax?: number
}

export interface PrunePlan {
  readonly going: readonly ArchivedFile[]
  readonly kept: readonly ArchivedFile[]
  /** Nothing that stays is in them. */
  readonly unusedPacks: readonly string[]
  /** So little is that the rest is worth the work. */
  readonly halfUsedPacks: readonly string[]
  readonly storedBytes: number
  /** About what the packs will take afterwards. */
  readonly storedBytesAfter: number
}

interface PackSize {
  readonly sizeBytes: number
  readonly storedBytes: number
}

/** A pack is written anew when less of it is needed. */
const USED_SHARE_MIN = 0.7

export function planPrune(archive: Archive, snapshots: Snapshots, policy: PrunePolicy): PrunePlan {
  const sizes = new Map(packIds(archive).map((id) => [id, sizeOf(archive, id)]))
  const versions = allVersions(snapshots)
  const byRules = new Set(goingByRules(snapshots, versions, policy))
  const use = new PackUse()
  const kept = new Set<ArchivedFile>()
  let storedBytesAfter = 0
  // The newest first: what they need is there anyway, and an older version costs what only it has.
  const candidates = versions
    .filter((file) => !byRules.has(file))
    .sort((one, other) => other.modifiedMs - one.modifiedMs)
  for (const file of candidates) {
    let cost = 0
    for (const [id, bytes] of use.add(stretchesOf(snapshots, file))) {
      const { sizeBytes = 0, storedBytes = 0 } = sizes.get(id) ?? {}
      cost += sizeBytes === 0 ? 0 : (bytes / sizeBytes) * storedBytes
    }
    if (storedBytesAfter + cost > (policy.sizeBytesMax ?? Number.POSITIVE_INFINITY)) break
    storedBytesAfter += cost
    kept.add(file)
  }
  const needed = new PackUse()
  for (const file of kept) needed.add(stretchesOf(snapshots, file))
  const shareOf = ([id, { sizeBytes }]: [string, PackSize]): number => needed.bytesOf(id) / Math.max(1, sizeBytes)
  const packs = [...sizes]
  return {
    going: versions.filter((file) => !kept.has(file)),
    kept: versions.filter((file) => kept.has(file)),
    unusedPacks: packs.filter(([id]) => needed.bytesOf(id) === 0).map(([id]) => id),
    halfUsedPacks: packs
      .filter(([id]) => needed.bytesOf(id) > 0)
      .filter((pack) => shareOf(pack) < USED_SHARE_MIN)
      .map(([id]) => id),
    storedBytes: packs.reduce((sum, [, { storedBytes }]) => sum + storedBytes, 0),
    storedBytesAfter: Math.round(storedBytesAfter),
  }
}

function goingByRules(
  snapshots: Snapshots,
  versions: readonly ArchivedFile[],
  policy: PrunePolicy,
): readonly ArchivedFile[] {
  const { olderThanMs = Number.NEGATIVE_INFINITY, keepVersions = Number.POSITIVE_INFINITY } = policy
  const later = new Map<string, number>()
  return versions.toReversed().filter((file) => {
    const key = recordedKey(snapshots, file)
    const count = later.get(key) ?? 0
    later.set(key, count + 1)
    return file.modifiedMs < olderThanMs || count >= Math.max(1, keepVersions)
  })
}

function sizeOf(archive: Archive, id: string): PackSize {
  const { disk } = archive
  const path = packPath(archive, id)
  const fd = disk.openToRead(path)
  try {
    const { blocks } = readTable(disk, fd, path)
    return { sizeBytes: blocks.reduce((sum, block) => sum + block.sizeBytes, 0), storedBytes: disk.sizeOf(fd) }
  } finally {
    disk.close(fd)
  }
}
