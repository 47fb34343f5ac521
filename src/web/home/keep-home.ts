// The list as it was last heard of, kept up to date by what the live stream tells, whichever page is open. News may come
// while an answer is on its way that does not know of them yet: they are told to the answer as well.

import type { QueryClient } from '@tanstack/react-query'
import type { Home } from '../../server/api/home.ts'
import type { LiveMessage } from '../../server/api/live.ts'
import { ask } from '../ask.ts'
import { homeAfter } from './merge.ts'

/** The accounts of days are dearer than the list: they are asked for again once in a while. */
const ACTIVITY_MS = 15_000
let activityTimer: ReturnType<typeof setTimeout> | null = null

/** What was heard since each answer that is on its way was asked for. */
const meanwhile = new Set<LiveMessage[]>()

export async function askHome(signal: AbortSignal): Promise<Home> {
  const heard: LiveMessage[] = []
  meanwhile.add(heard)
  try {
    const home = await ask<Home>('home', signal)
    return heard.reduce(homeAfter, home)
  } finally {
    meanwhile.delete(heard)
  }
}

export function hearHome(queries: QueryClient, message: LiveMessage): void {
  if (message.kind === 'grew') return
  for (const heard of meanwhile) heard.push(message)
  const home = queries.getQueryData<Home>(['home'])
  if (home === undefined) return
  const next = homeAfter(home, message)
  if (next !== home) queries.setQueryData<Home>(['home'], next)
  if (message.kind === 'list') refreshActivitySoon(queries)
  if (home.indexing !== null && next.indexing === null) void queries.invalidateQueries({ queryKey: ['activity'] })
}

function refreshActivitySoon(queries: QueryClient): void {
  if (activityTimer !== null) return
  activityTimer = setTimeout(() => {
    activityTimer = null
    void queries.invalidateQueries({ queryKey: ['activity'] })
  }, ACTIVITY_MS)
}
