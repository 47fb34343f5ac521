// `clew archive prune`: what a rule lets go of. What lies nowhere else any more goes only when that is said.

import { join } from 'node:path'
import { allVersions, fileKey, openSnapshots, recordedKey, type Snapshots } from '../archive/catalogue.ts'
import type { ArchivedFile } from '../archive/model.ts'
import type { PruneReport } from '../archive/prune.ts'
import { pruneArchive } from '../archive/prune.ts'
import type { PrunePolicy } from '../archive/prune-plan.ts'
import { bytesOf } from '../base/size.ts'
import { sinceMs } from '../base/time.ts'
import { prunedJson, prunedText } from '../render/archive.ts'
import type { ArchiveDeed, ArchiveValues } from './archive.ts'
import { failing, ownArchive } from './archive-folders.ts'
import { beginsWithArchived } from './begins-with.ts'
import { wholeNumber } from './command.ts'
import { Failure } from './failure.ts'

export const archivePrune: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0) throw new Failure(`archive prune takes no “${names[0]}”. Try: clew archive --help`)
  const archive = ownArchive(world)
  const policy = policyOf(values, world.nowMs)
  const prune = (isDryRun: boolean): Promise<PruneReport> =>
    failing(() => pruneArchive(archive, { policy, nowMs: world.nowMs, isDryRun }))
  const plan = await prune(true)
  const lastCopies = lastCopiesOf(plan.going, openSnapshots(archive))
  if (values.apply && lastCopies.length > 0 && values['even-last-copies'] !== true) {
    const number = lastCopies.length
    const them = number === 1 ? '1 file lies' : `${number} files lie`
    throw new Failure(`nothing was removed: ${them} nowhere else any more. To lose that too, add --even-last-copies`)
  }
  const report = values.apply ? await prune(false) : plan
  const pruned = { ...report, isApplied: values.apply === true, lastCopies: lastCopies.length }
  const { output } = world
  output.print(values.json ? prunedJson(pruned) : prunedText(pruned, { style: output.style }))
  return 0
}

function policyOf(values: ArchiveValues, nowMs: number): PrunePolicy {
  const { 'older-than': olderThan, 'keep-last': keepLast, 'max-size': maxSize } = values
  if ([olderThan, keepLast, maxSize].filter((one) => one !== undefined).length !== 1) {
    throw new Failure('prune takes one of --older-than 365d, --keep-last N and --max-size 5G. Try: clew archive --help')
  }
  if (keepLast !== undefined) return { keepVersions: Math.max(1, wholeNumber(keepLast, 'keep-last')) }
  if (maxSize !== undefined) {
    const sizeBytesMax = bytesOf(maxSize)
    if (sizeBytesMax === null) throw new Failure(`--max-size takes 500M, 5G or bytes, not “${maxSize}”`)
    return { sizeBytesMax }
  }
  const olderThanMs = sinceMs(olderThan ?? '', nowMs)
  if (olderThanMs === null) throw new Failure(`--older-than takes 12h, 90d, 52w or a date, not “${olderThan}”`)
  return { olderThanMs }
}

/** The newest bytes of a file, where neither a version that stays nor the file itself has them. */
function lastCopiesOf(going: readonly ArchivedFile[], snapshots: Snapshots): readonly ArchivedFile[] {
  const places = new Set(going.map(placeOf))
  // Two processes may have archived the same bytes: which of the two rows goes says nothing, what is in them does.
  const kept = new Set(allVersions(snapshots).flatMap((file) => (places.has(placeOf(file)) ? [] : contentOf(file))))
  const newestOf = new Map(allVersions(snapshots).map((file) => [recordedKey(snapshots, file), file]))
  const newest = new Set([...newestOf.values()].map(contentOf))
  const lost = new Map<string, ArchivedFile>()
  for (const file of going) {
    const content = contentOf(file)
    if (newest.has(content) && !kept.has(content)) lost.set(content, file)
  }
  return [...lost.values()].filter((file) => !beginsWithArchived(file, join(file.root, file.name)))
}

function placeOf({ snapshotId, position }: ArchivedFile): string {
  return `${snapshotId} ${position}`
}

function contentOf(file: ArchivedFile): string {
  return `${fileKey(file)}\0${file.sha256}`
}
