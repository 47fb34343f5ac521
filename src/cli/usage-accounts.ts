// Where the token accounts come from. While nothing has changed since they were last made, the index has them ready; else
// they are made anew, and only then what reads, folds and ingests is loaded.

import { existsSync } from 'node:fs'
import type { CountedMessage } from '../digest/usage-fold.ts'
import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { UsageQuestion } from '../digest/usage-rollup.ts'
import { isFineEnough } from '../digest/usage-rollup.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { openDatabase } from '../search/database.ts'
import { indexPath } from '../search/index-path.ts'
import { readLedger } from '../search/kept-ledger.ts'
import { isOfSqlite } from '../search/sqlite-code.ts'
import type { World } from './command.ts'

export interface UsageAccounts {
  readonly ledger: UsageLedger
  /** What the ledger was made of, message by message; null when nobody needed to look. */
  readonly messages: readonly CountedMessage[] | null
}

export interface AccountsChoice {
  readonly noIndex: boolean
  readonly noGone: boolean
  /** The messages themselves are wanted. */
  readonly isExplained: boolean
  readonly question: UsageQuestion
}

export async function usageAccounts(
  choice: AccountsChoice,
  archive: FoundTranscripts,
  world: World,
): Promise<UsageAccounts> {
  const hasIndex = !choice.noIndex && existsSync(indexPath(world))
  const ledger = hasIndex && !choice.isExplained ? keptLedger(choice, archive, world) : null
  if (ledger !== null && isFineEnough(ledger, choice.question)) return { ledger, messages: null }
  const { madeAccounts } = await import('./usage-sources.ts')
  return madeAccounts(hasIndex, choice.noGone, archive, world)
}

/** Whatever is wrong with the index is seen to by those who make the accounts anew. */
function keptLedger({ noGone }: AccountsChoice, archive: FoundTranscripts, world: World): UsageLedger | null {
  try {
    const database = openDatabase(indexPath(world))
    try {
      return readLedger(database, archive, !noGone)
    } finally {
      database.close()
    }
  } catch (error) {
    if (isOfSqlite(error)) return null
    throw error
  }
}
