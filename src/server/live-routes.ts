// One stream a page: the index at work, rows of the list that changed, sessions that run, and what is written into the
// conversation it shows.

import type { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { LiveMessage } from './api.ts'
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
/** A page that takes nothing for so long is not looked at; it asks anew when it comes back. */
const WAITING_MAX = 1000

export function liveRoutes(app: Hono, { news, sessions, list, conversations }: LiveParts): void {
  app.get('/api/live', (context) => {
    if (news.hearers >= STREAMS_MAX) return context.json({ error: 'too many pages listen already; close some' }, 503)
    return streamSSE(context, async (stream) => {
      const ends: (() => void)[] = []
      let waiting = 0
      const send = (write: () => Promise<unknown>): void => {
        if (waiting >= WAITING_MAX) stream.abort()
        waiting++
        void write().finally(() => waiting--)
      }
      const tell = (message: LiveMessage): void => send(() => stream.writeSSE({ data: JSON.stringify(message) }))
      const closed = new Promise<void>((resolve) => stream.onAbort(resolve))
      ends.push(news.hear(tell), sessions.watch())
      const heart = setInterval(() => send(() => stream.write(': \n\n')), HEARTBEAT_MS)
      ends.push(() => clearInterval(heart))
      const id = context.req.query('conversation')
      if (id !== undefined) ends.push(conversations.follow(id, (grown) => tell({ kind: 'grew', id, ...grown })).stop)
      tell({ kind: 'indexing', indexing: list.indexing })
      tell({ kind: 'sessions', running: sessions.now() })
      await closed
      for (const end of ends) end()
    })
  })
}
