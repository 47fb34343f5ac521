// A conversation that is itself the hit: by its id or by its title.

import type { Conversations } from './conversations.ts'
import { matchIn } from './matched.ts'
import type { SearchHit } from './model.ts'
import type { Query } from './query.ts'

export function whole(
  id: number,
  kind: 'title' | 'conversation',
  score: number,
  query: Query,
  conversations: Conversations,
): SearchHit | null {
  const file = conversations.file(id)
  if (file === null) return null
  const row = conversations.row(id)
  const sessionId = file.sessionId ?? ''
  const { agentId } = file
  const text = kind === 'title' ? (row?.title ?? '') : (row?.firstPrompt ?? row?.title ?? '')
  return {
    ref:
      agentId === null
        ? sessionId.slice(0, /^[0-9a-f]{8}-/.test(sessionId) ? 8 : undefined)
        : `${sessionId}/${agentId}`,
    sessionId,
    agentId,
    uuid: null,
    kind,
    field: 'titles',
    title: row?.title ?? '',
    project: row?.project ?? file.projectKey,
    gitBranch: row?.gitBranch ?? null,
    model: row?.model ?? null,
    branch: null,
    turn: null,
    timestampMs: row?.modifiedMs ?? null,
    snippet: text === '' ? null : { text, marks: matchIn(text, query).places },
    path: file.path,
    offset: 0,
    length: 0,
    isGone: file.goneMs !== null,
    records: [],
    more: 0,
    score,
  }
}
