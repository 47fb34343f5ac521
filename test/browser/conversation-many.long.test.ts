// A conversation of ten thousand turns in a real browser.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { longestTask } from './long-tasks.ts'
import { rowsShown } from './talk-page.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 30_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}a very long conversation`, () => {
  const root = newFolder('claude')
  const long = sessionId('b')
  let browser: Browser
  let viewer: Viewer

  beforeAll(async () => {
    writeBelow(root, { [`projects/-r/${long}.jsonl`]: turns(long, 1, 10_000) })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  test('ten thousand turns scroll from end to end without a long wait', async () => {
    const other = await viewer.open(`/c/${long}`)
    await rowsShown(other)
    await soon(() => other.locator('.outline-head').textContent()).toBe('10,000 turns')
    await other.waitForTimeout(1500)
    const longest = await longestTask(other, async () => {
      await other.evaluate(`(async () => {
        const all = document.querySelector('.talk-scroll')
        const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
        for (let step = 0; step < 60; step++) {
          all.scrollTop += 1500
          await frame()
        }
        for (let share = 0.05; share < 1; share += 0.05) {
          all.scrollTop = all.scrollHeight * share
          for (let step = 0; step < 8; step++) {
            await frame()
            all.scrollTop += 900
          }
        }
        all.scrollTop = all.scrollHeight
      })()`)
      await other.locator('article[data-turn="10000"]').first().waitFor({ timeout: 30_000 })
    })
    expect(longest).toBeLessThan(200)
    await keepScreen(other, 'conversation-huge')
    await other.locator('.talk-scroll').focus()
    await other.keyboard.press('k')
    await soon(() => other.evaluate(`document.activeElement?.dataset?.turn ?? null`)).toMatch(/^99\d\d$|^10000$/)
    await other.context().close()
  })
})
