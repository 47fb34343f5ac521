// The longest a page was busy, without what other programs of this machine took from it meanwhile: the browser tells how
// long its tasks lasted, and how much of that they were really at work.

import type { Page } from 'playwright-core'

export async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const [atWork, passed] = [await clock(page, 'threadTicks'), await clock(page, 'timeTicks')]
  await page.evaluate(WATCH)
  await act()
  const longest = (await page.evaluate(READ)) as number
  const delay = (await passed()) / (await atWork())
  return Math.round(longest / Math.max(1, delay))
}

/** How much time all tasks of a page have taken since it was begun. */
async function clock(page: Page, timeDomain: 'threadTicks' | 'timeTicks'): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain })
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  const start = await read()
  return async () => (await read()) - start
}

const WATCH = `(() => {
  globalThis.watched = { longest: 0 }
  watched.take = (list) => {
    for (const one of list) watched.longest = Math.max(watched.longest, one.duration)
  }
  watched.observer = new PerformanceObserver((list) => watched.take(list.getEntries()))
  watched.observer.observe({ type: 'longtask' })
})()`

const READ = `(() => {
  watched.take(watched.observer.takeRecords())
  watched.observer.disconnect()
  return watched.longest
})()`
