// The heads of conversations when their files go or come back. What is being read stays, as far as it was loaded, but its
// head offers nothing that needs the file.

import type { QueryClient } from '@tanstack/react-query'
import type { ConversationHead, Resume } from '../../server/api/conversation.ts'
import type { LiveMessage } from '../../server/api/live.ts'

const NO_RESUME: Resume = { command: null, hindrance: null }

export function hearHeads(queries: QueryClient, message: LiveMessage): void {
  if (message.kind !== 'list') return
  for (const row of message.rows) {
    const queryKey = ['conversation', row.id]
    const head = queries.getQueryData<ConversationHead>(queryKey)
    if (head === undefined || (head.row.isGone === row.isGone && head.row.isCopy === row.isCopy)) continue
    if (row.isGone) queries.setQueryData<ConversationHead>(queryKey, { ...head, row, resume: NO_RESUME })
    // Whoever comes to it later asks anew.
    void queries.invalidateQueries({ queryKey, refetchType: row.isGone ? 'none' : 'active' })
    if (!row.isGone) void queries.invalidateQueries({ queryKey: ['reading'] })
  }
}
