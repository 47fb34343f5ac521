// One stream a page: the index at work, rows of the list that changed, sessions that run, and what is written into the
// conversation it shows.

import type { Hono } from 'hono'
import type { SSEStreamingApi } from 'hono/streaming'
import { streamSSE } from 'hono/streaming'
import type { LiveMessage } from './api/live.ts'
import type { HomeList } from './home-list.ts'
import type { News } from './news.ts'
import type { OpenConversations } from './open-conversations.ts'
import type { RunningSessions } from './running-sessions.ts'

export interface LiveParts {
  readonly news: News
  readonly sessions: RunningSessions
  readonly list: HomeList
  readonly conversations: OpenConversations
}

const STREAMS_MAX = 64
const HEARTBEAT_MS = 15_000
const RETRY_MS = 500
/** A page that takes nothing for so long is not looked at; it asks anew when it comes back. */
const WAITING_MAX = 1000

export function liveRoutes(app: Hono, parts: LiveParts): void {
  app.get('/api/live', (context) => {
    // Nobody would read the stream, nor end it.
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' })
    if (parts.news.hearers >= STREAMS_MAX)
      return context.json({ error: 'too many pages listen already; close some' }, 503)
    const id = context.req.query('conversation') ?? null
    return streamSSE(context, async (stream) => {
      const closed = new Promise<void>((resolve) => stream.onAbort(resolve))
      const ends = listen(stream, parts, id)
      await closed
      for (const end of ends) end()
    })
  })
}

/** Gives back what ends it. */
function listen(
  stream: SSEStreamingApi,
  { news, sessions, list, conversations }: LiveParts,
  id: string | null,
): readonly (() => void)[] {
  let waiting = 0
  const send = (write: () => Promise<unknown>): void => {
    if (waiting >= WAITING_MAX) stream.abort()
    waiting++
    void write().finally(() => waiting--)
  }
  const tell = (message: LiveMessage): void => send(() => stream.writeSSE({ data: JSON.stringify(message) }))
  const follow = id === null ? null : conversations.follow(id, (news) => tell({ id, ...news }))
  const heart = setInterval(() => send(() => stream.write(': \n\n')), HEARTBEAT_MS)
  const ends = [news.hear(tell), sessions.watch(), () => clearInterval(heart), () => follow?.stop()]
  // A browser would wait three seconds before it takes up a stream that was cut.
  send(() => stream.write(`retry: ${RETRY_MS}\n\n`))
  tell({ kind: 'indexing', indexing: list.indexing })
  tell({ kind: 'sessions', running: sessions.now() })
  return ends
}
