// How a row of the accounts came about, with what the client itself says about a session.

import type { PriceTable } from '../digest/prices.ts'
import type { ExplainedUsage } from '../digest/usage-explain.ts'
import { compareWithClient, explainUsage } from '../digest/usage-explain.ts'
import type { CountedMessage } from '../digest/usage-fold.ts'
import type { UsageBy, UsageRow } from '../digest/usage-rows.ts'
import { readCostState } from '../load/cost-state.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { mainFiles } from '../load/found.ts'

export interface ExplainWith {
  readonly by: UsageBy
  readonly prices: PriceTable
  readonly archive: FoundTranscripts
  /** Before a range took some away: the client's account knows no range. */
  readonly all: readonly CountedMessage[]
}

export function explainRow(row: UsageRow, { by, prices, archive, all }: ExplainWith): ExplainedUsage {
  const client = by === 'session' && row.key !== null ? clientAccount(row.key, archive, all) : null
  return explainUsage(row, prices, client)
}

function clientAccount(
  sessionId: string,
  archive: FoundTranscripts,
  all: readonly CountedMessage[],
): ExplainedUsage['client'] {
  const files = mainFiles(archive).filter((file) => file.sessionId === sessionId)
  const states = files.flatMap((file) => readCostState(file.path) ?? [])
  const state = states.at(-1)
  if (state === undefined) return null
  return compareWithClient(all, sessionId, state)
}
