// `clew usage --explain`: which row was meant, and what the client itself says about a session.

import type { PriceTable } from '../digest/prices.ts'
import type { ExplainedUsage } from '../digest/usage-explain.ts'
import { compareWithClient, explainUsage } from '../digest/usage-explain.ts'
import type { CountedMessage } from '../digest/usage-fold.ts'
import type { UsageBy, UsageRow, UsageTable } from '../digest/usage-rows.ts'
import type { FoundArchive } from '../load/archive.ts'
import { mainFiles } from '../load/archive.ts'
import { readCostState } from '../load/cost-state.ts'
import { Failure } from './failure.ts'

/** By its key or the beginning of it; a project also by its path. */
export function rowNamed(typed: string, { rows }: UsageTable, pathOf: (projectKey: string) => string): UsageRow {
  const namesOf = ({ key, members }: UsageRow): readonly string[] => [
    key ?? '',
    pathOf(members[0]?.source.projectKey ?? ''),
  ]
  const exact = rows.filter((row) => row.key === typed)
  const found = exact.length > 0 ? exact : rows.filter(({ key }) => key?.startsWith(typed))
  const named = found.length > 0 ? found : rows.filter((row) => namesOf(row).includes(typed))
  const [first, second] = named
  if (first === undefined) {
    const some = rows.slice(0, 3).map(({ key }) => key)
    throw new Failure(`there is no row “${typed}”. Rows are ${some.join(', ')}${rows.length > 3 ? ', …' : ''}`)
  }
  if (second !== undefined)
    throw new Failure(`“${typed}” fits ${named.length} rows, ${first.key} and ${second.key} among them`)
  return first
}

export interface ExplainWith {
  readonly by: UsageBy
  readonly prices: PriceTable
  readonly archive: FoundArchive
  /** Before a range took some away: the client's account knows no range. */
  readonly all: readonly CountedMessage[]
}

export function explainRow(row: UsageRow, { by, prices, archive, all }: ExplainWith): ExplainedUsage {
  const client = by === 'session' && row.key !== null ? clientAccount(row.key, archive, all) : null
  return explainUsage(row, prices, client)
}

function clientAccount(
  sessionId: string,
  archive: FoundArchive,
  all: readonly CountedMessage[],
): ExplainedUsage['client'] {
  const files = mainFiles(archive).filter((file) => file.sessionId === sessionId)
  const states = files.flatMap((file) => readCostState(file.path) ?? [])
  const state = states.at(-1)
  if (state === undefined) return null
  return compareWithClient(all, sessionId, state)
}
