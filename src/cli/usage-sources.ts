// Where the token accounts come from: the index where there is one, else the transcripts. Nobody waits for an index to be
// made, because reading all tokens from disk is a matter of seconds.

import { existsSync } from 'node:fs'
import type { FoundArchive } from '../load/archive.ts'
import { onlyFiles } from '../load/archive.ts'
import type { UsageFile } from '../load/usage.ts'
import { readUsage } from '../load/usage.ts'
import { indexPath } from '../search/database.ts'
import { KeptIndex } from '../search/kept-index.ts'
import type { World } from './command.ts'
import { orElse, withIndex } from './indexed.ts'

/** More than this is read for its tokens alone, and left to a command that needs the whole index. */
const WORTH_WAITING_BYTES = 32 << 20

export async function usageSources(
  noIndex: boolean | undefined,
  archive: FoundArchive,
  world: World,
): Promise<readonly UsageFile[]> {
  const fromDisk = (): Promise<readonly UsageFile[]> => readUsage(archive, world.progress.show)
  if (noIndex === true || !existsSync(indexPath(world))) return fromDisk()
  const fromIndex = async (index: KeptIndex): Promise<readonly UsageFile[]> => {
    if (!index.isKept) return fromDisk()
    const { nowMs, progress } = world
    await index.refresh(archive, { nowMs, onProgress: progress.show, mostBytes: WORTH_WAITING_BYTES })
    const { files, stale } = index.usage(archive)
    return stale.length === 0 ? files : [...files, ...(await readUsage(onlyFiles(archive, stale), progress.show))]
  }
  return orElse(world, () => withIndex((path) => new KeptIndex(path), world, fromIndex), fromDisk)
}
