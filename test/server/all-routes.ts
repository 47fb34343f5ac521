// Every address the server knows, from the app itself: a route that is added later is tested without being named here.

import { Index } from '../../src/search/open-index.ts'
import { makeApp } from '../../src/server/app.ts'
import { HomeList } from '../../src/server/home-list.ts'
import { News } from '../../src/server/news.ts'
import { OpenConversations } from '../../src/server/open-conversations.ts'
import { RunningSessions } from '../../src/server/running-sessions.ts'
import type { ServerWorld } from '../../src/server/server-world.ts'

const world: ServerWorld = {
  index: new Index(null),
  archive: () => ({ roots: [], copies: [], projects: [], problems: [] }),
  isSample: false,
  timeZone: 'UTC',
  environment: {},
  home: '/home/ada',
  nowMs: () => 0,
}

export function allRoutes(): readonly string[] {
  const news = new News()
  const sessions = new RunningSessions([], () => undefined)
  const list = new HomeList(world, news, sessions)
  const conversations = new OpenConversations(world)
  const app = makeApp({ world, conversations, list, news, sessions, files: new Map(), onError: () => undefined })
  return [...new Set(app.routes.map(({ path }) => path))].filter((path) => !path.includes('*'))
}
