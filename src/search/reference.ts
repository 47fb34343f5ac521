// How a place in a conversation is named: `<session>[/<agent>]#<record>`. A record keeps its uuid whatever is written
// after it, so a reference stays good when Turns are renumbered by a rewind.

/** Made to be unlike others, so that its beginning tells it: not one that somebody counted up from eight equal digits. */
const UUID = /^([0-9a-f])(?!\1{7})[0-9a-f]{7}-[0-9a-f]{4}-/

export function referenceOf(sessionId: string, agentId: string | null, uuid: string | null, offset: number): string {
  const session = UUID.test(sessionId) ? sessionId.slice(0, 8) : sessionId
  const record =
    uuid === null || uuid.startsWith('event-log:') ? `@${offset}` : UUID.test(uuid) ? uuid.slice(0, 8) : uuid
  return `${session}${agentId === null ? '' : `/${agentId}`}#${record}`
}
