import type { FileHealth } from '../../server/api/health.ts'

/** Where the conversation of a file is shown, at a byte of it where one is given. Null for a file that is in none. */
export function conversationHref(
  { id, agentId }: Pick<FileHealth, 'id' | 'agentId'>,
  offset: number | null,
): string | null {
  if (id === null) return null
  const agent = agentId === null ? '' : `/${encodeURIComponent(agentId)}`
  return `/c/${encodeURIComponent(id)}${agent}${offset === null ? '' : `#@${offset}`}`
}
