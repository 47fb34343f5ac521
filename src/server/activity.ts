// What the token accounts say about days and sessions: for the calendar, and for the cost beside each title.

import { LIST_PRICES } from '../digest/prices.ts'
import type { Calendar } from '../digest/usage-calendar.ts'
import type { CountedMessage } from '../digest/usage-fold.ts'
import { foldUsage, sessionOf } from '../digest/usage-fold.ts'
import { usageTable } from '../digest/usage-rows.ts'
import { tokensOf } from '../digest/usage-sums.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { onlyFiles } from '../load/found.ts'
import { readUsage } from '../load/usage.ts'
import { exact } from '../render/usage.ts'
import type { KeptIndex } from '../search/kept-index.ts'
import type { ActiveDay, Activity, SessionCost } from './api/home.ts'

export async function activityOf(archive: FoundTranscripts, index: KeptIndex, calendar: Calendar): Promise<Activity> {
  const { files, stale } = index.usage(archive)
  const read = stale.length === 0 ? [] : await readUsage(onlyFiles(archive, stale))
  return tallyActivity(foldUsage([...files, ...read]), calendar)
}

function tallyActivity(messages: readonly CountedMessage[], calendar: Calendar): Activity {
  const timed = messages.filter(({ folded }) => folded.timestampMs !== null)
  const days = usageTable(timed, 'day', calendar, LIST_PRICES).rows.map(
    ({ key, messages: count, usage, costUsd, members }): ActiveDay => ({
      day: key ?? '',
      messages: count,
      outputTokens: usage.outputTokens,
      costUsd: costUsd === null ? null : exact(costUsd),
      sessions: [...new Set(members.map(sessionOf))],
    }),
  )
  const sessions = usageTable(messages, 'session', calendar, LIST_PRICES).rows.map(
    ({ key, usage, costUsd }): readonly [string, SessionCost] => [
      key ?? '',
      { costUsd: costUsd === null ? null : exact(costUsd), tokens: tokensOf(usage) },
    ],
  )
  return { days, sessions: Object.fromEntries(sessions) }
}
