// All routes, as a list: a topic is one line.

import { Hono } from 'hono'
import { Refused } from './asked.ts'
import { conversationRoutes } from './conversation-routes.ts'
import { healthRoutes } from './health-routes.ts'
import type { HomeList } from './home-list.ts'
import { homeRoutes } from './home-routes.ts'
import { journalRoutes } from './journal-routes.ts'
import { liveRoutes } from './live-routes.ts'
import type { News } from './news.ts'
import type { OpenConversations } from './open-conversations.ts'
import type { PageFiles } from './page-files.ts'
import { pageRoutes } from './page-routes.ts'
import type { RunningSessions } from './running-sessions.ts'
import { searchRoutes } from './search-routes.ts'
import type { ServerWorld } from './server-world.ts'
import { usageRoutes } from './usage-routes.ts'
import { wholeRoutes } from './whole-routes.ts'

export interface AppParts {
  readonly world: ServerWorld
  readonly conversations: OpenConversations
  readonly list: HomeList
  readonly news: News
  readonly sessions: RunningSessions
  readonly files: PageFiles
  /** A mistake of ours, for whoever looks at the terminal. */
  readonly onError: (error: unknown) => void
}

export function makeApp({ world, conversations, list, news, sessions, files, onError }: AppParts): Hono {
  const app = new Hono()
  homeRoutes(app, world, list)
  conversationRoutes(app, conversations, sessions)
  wholeRoutes(app, conversations)
  searchRoutes(app, world)
  usageRoutes(app, world)
  journalRoutes(app, world)
  healthRoutes(app, world)
  liveRoutes(app, { news, sessions, list, conversations })
  app.all('/api/*', (context) => context.json({ error: 'there is no such question' }, 404))
  pageRoutes(app, files)
  app.onError((error, context) => {
    if (error instanceof Refused) return context.json({ error: error.message }, error.status)
    onError(error)
    return context.json({ error: 'something went wrong inside Clew; the terminal says more' }, 500)
  })
  return app
}
