import type { Usage } from '../record/model.ts'
import { highestUsage } from '../record/usage-record.ts'
import { sumOf } from './usage-sums.ts'
import type { ReplyFact } from './work.ts'

/** Each API message once, with the highest value of each field: copies and old clients leave partial ones. */
export function usageOfReplies(replies: readonly ReplyFact[]): Usage | null {
  const byMessage = new Map<string, Usage>()
  for (const { messageId, usage } of replies) {
    if (usage === null) continue
    const known = byMessage.get(messageId)
    byMessage.set(messageId, known === undefined ? usage : highestUsage(known, usage))
  }
  return byMessage.size === 0 ? null : sumOf([...byMessage.values()])
}
