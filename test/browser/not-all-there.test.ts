// What a page does when not everything is there: an index that is still being made, rows before and after the one that a
// link leads to.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Indexing } from '../../src/server/api.ts'
import { sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 25_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}not all is there`, () => {
  const root = newFolder('claude')
  const tides = sessionId('a')
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    writeBelow(root, { [`projects/-r/${tides}.jsonl`]: turns(tides, 1, 120) })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const prompts = (): Promise<readonly string[]> => page.locator('article.row-prompt .plain-text').allTextContents()
  const question = (turn: number): string => `Question ${turn}: what about the tide at ${turn} o'clock?`

  test('while the index is made a bar says how far it is, and then it goes', async () => {
    const other = await viewer.open('/usage')
    // The stream as it is, within reach: an index that takes minutes to make is nothing for a test.
    await other.addInitScript(
      'window.EventSource = class extends EventSource { constructor(url) { super(url); window.stream = this } }',
    )
    await other.goto(new URL('/', other.url()).href)
    await other.locator('.conversation').first().waitFor()
    const say = (indexing: Indexing | null): Promise<unknown> =>
      other.evaluate(`stream.onmessage({ data: ${JSON.stringify(JSON.stringify({ kind: 'indexing', indexing }))} })`)
    await say({ doneBytes: 310e6, totalBytes: 1240e6 })
    const bar = other.getByRole('progressbar', { name: 'Indexing' })
    await bar.waitFor()
    expect(await bar.getAttribute('aria-valuetext')).toBe('Indexing 310 MB of 1.2 GB')
    expect(await bar.getAttribute('aria-valuenow')).toBe('25')
    await keepScreen(other, 'indexing')
    await say(null)
    await soon(() => bar.count()).toBe(0)
    expect(await other.locator('.banner').count()).toBe(0)
    await other.context().close()
  })

  test('a link into the middle: what is before and after it is there', async () => {
    page = await viewer.open(`/c/${tides}#aaaa00060-u`, { bypassCSP: true })
    await page.locator('article.is-target', { hasText: question(60) }).waitFor()
    expect(await prompts()).not.toContain(question(1))
    await page.keyboard.press('j')
    await soon(prompts).toContain(question(61))
    for (let step = 0; step < 3; step++) await page.keyboard.press('k')
    await soon(prompts).toContain(question(58))
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await soon(prompts).toContain(question(1))
    await page.keyboard.press('Shift+G')
    await soon(prompts).toContain(question(120))
  })
})
