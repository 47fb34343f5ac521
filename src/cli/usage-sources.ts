// The token accounts made anew: from the index where there is one, else from the transcripts. Nobody waits for an index to
// be made, because reading all tokens from disk is a matter of seconds.

import { foldUsage } from '../digest/usage-fold.ts'
import { ledgerOf } from '../digest/usage-ledger.ts'
import { rollUp } from '../digest/usage-rollup.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { onlyFiles } from '../load/found.ts'
import type { UsageFile } from '../load/usage.ts'
import { readUsage } from '../load/usage.ts'
import { KeptIndex } from '../search/kept-index.ts'
import type { World } from './command.ts'
import { orElse, WORTH_WAITING_BYTES, withIndex } from './indexed.ts'
import type { UsageAccounts } from './usage-accounts.ts'

export async function madeAccounts(
  hasIndex: boolean,
  noGone: boolean,
  archive: FoundTranscripts,
  world: World,
): Promise<UsageAccounts> {
  const { nowMs, progress } = world
  const fromDisk = async (): Promise<UsageAccounts> => accountsOf(await readUsage(archive, progress.show))
  if (!hasIndex) return fromDisk()
  const fromIndex = async (index: KeptIndex): Promise<UsageAccounts> => {
    if (!index.isKept) return fromDisk()
    // What is too much is read for its tokens alone.
    await index.refresh(archive, { nowMs, onProgress: progress.show, mostBytes: WORTH_WAITING_BYTES })
    const { files, stale } = index.usage(archive)
    const wanted = noGone ? files.filter(({ isGone }) => !isGone) : files
    if (stale.length > 0) return accountsOf([...wanted, ...(await readUsage(onlyFiles(archive, stale), progress.show))])
    const accounts = accountsOf(wanted)
    const goneFiles = wanted.filter(({ isGone }) => isGone).length
    const kept = wanted.length === files.length ? rollUp(accounts.ledger) : null
    if (kept !== null) index.keepLedger(archive, kept, goneFiles)
    return accounts
  }
  return orElse(world, () => withIndex((path) => new KeptIndex(path), world, fromIndex), fromDisk)
}

function accountsOf(files: readonly UsageFile[]): UsageAccounts {
  const messages = foldUsage(files)
  return { ledger: ledgerOf(messages), messages }
}
