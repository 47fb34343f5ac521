// The list of conversations, and what the token accounts say about days and sessions.

import type { Hono } from 'hono'
import { calendarOf } from '../digest/usage-calendar.ts'
import { ownRoots } from '../load/found.ts'
import { activityOf } from './activity.ts'
import type { Activity, Home } from './api/home.ts'
import { answered } from './asked.ts'
import type { HomeList } from './home-list.ts'
import { remembered } from './remembered.ts'
import type { ServerWorld } from './server-world.ts'

export function homeRoutes(app: Hono, world: ServerWorld, list: HomeList): void {
  app.get(
    '/api/home',
    answered(async (): Promise<Home> => {
      await list.soon()
      const { isSample, timeZone, nowMs, archive } = world
      const { indexing } = list
      return { rows: list.rows(), roots: ownRoots(archive()), isSample, timeZone, nowMs: nowMs(), indexing }
    }),
  )

  const activity = remembered(world, async (archive): Promise<Activity> => {
    const calendar = calendarOf(world.timeZone) ?? calendarOf('UTC')
    return calendar === null ? { days: [], sessions: {} } : activityOf(archive, world.index, calendar)
  })
  app.get('/api/activity', answered(activity))
}
