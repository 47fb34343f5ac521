// A long conversation and a long list, left in the middle: loaded anew, and come back to, they are where they were.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder, sample } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { isStill, rowsShown } from './talk-page.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 25_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}coming back`, () => {
  const root = newFolder('claude')
  const tides = sessionId('a')
  const scrolls = sessionId('b')
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    writeBelow(root, { [`projects/-r/${tides}.jsonl`]: turns(tides, 1, 120) })
    // Much higher than any guess at how high a record is; its beginning alone comes along.
    const scroll = Array.from({ length: 900 }, (_, line) => `Line ${line} of a very long answer, unrolled.`).join(
      '\n\n',
    )
    const name = (part: string, turn: number): string => `bbbb0000${turn + 10}-${part}`
    const asked = Array.from({ length: 40 }, (_, turn) => [
      prompt(name('u', turn), turn === 0 ? null : name('a', turn - 1), `Question ${turn}`),
      reply(name('a', turn), name('u', turn), turn % 10 === 0 ? scroll : 'Short.'),
    ])
    writeBelow(root, { [`projects/-r/${scrolls}.jsonl`]: session(scrolls, asked.flat()) })
    for (let one = 10; one < 60; one++)
      writeBelow(root, { [`projects/-r/${sessionId(String(one))}.jsonl`]: turns(sessionId(String(one)), 1, 1) })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    await viewer.indexed
    page = await viewer.open('/')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const leave = async (path: string): Promise<void> => {
    await page.goto(new URL(path, page.url()).href)
    await rowsShown(page)
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 6000)
    await soon(() => isStill(page)).toBe(true)
  }
  /** The first record in view, and how far it is from the top of the window. */
  const firstInView = (): Promise<readonly [row: string, top: number]> =>
    page.evaluate(`(() => {
      const first = [...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > 150)
      return [first.dataset.row, first.getBoundingClientRect().top]
    })()`) as Promise<readonly [string, number]>
  /** A browser scrolls by whole pixels. */
  const isBackAt = async ([row, top]: readonly [string, number]): Promise<void> => {
    await soon(async () => {
      const [nowRow, nowTop] = await firstInView()
      return nowRow === row && Math.abs(nowTop - top) < 2
    }).toBe(true)
  }

  test.each([`/c/${tides}`, `/c/${tides}#aaaa00060-u`, `/c/${scrolls}#bbbb000030-a`])(
    'a conversation, loaded anew: %s',
    async (path) => {
      await leave(path)
      const before = await firstInView()
      await page.reload()
      await rowsShown(page)
      await isBackAt(before)
      expect(await page.locator('article.is-target').count()).toBe(0)
      expect(await isStill(page)).toBe(true)
      await isBackAt(before)
    },
  )

  test('a record that was unfolded is the one that is come back to', async () => {
    await page.goto(new URL(`/c/${scrolls}`, page.url()).href)
    await page
      .getByRole('button', { name: /^Show all/ })
      .first()
      .click()
    await soon(() => page.evaluate(`document.querySelector('article[data-row="1"]').offsetHeight`)).toBeGreaterThan(
      25_000,
    )
    await page.mouse.move(700, 500)
    await page.mouse.wheel(0, 12_000)
    await soon(() => isStill(page)).toBe(true)
    expect((await firstInView())[0]).toBe('1')
    await page.reload()
    await rowsShown(page)
    await soon(async () => (await firstInView())[0]).toBe('1')
  })

  test('a conversation, left for another page and come back to; a link to it begins at its top', async () => {
    await leave(`/c/${tides}`)
    const before = await firstInView()
    await page.getByRole('link', { name: 'Journal' }).click()
    await page.locator('.journal-day').first().waitFor()
    await page.goBack()
    await rowsShown(page)
    await isBackAt(before)
    await page.goto('about:blank')
    await page.goBack()
    await rowsShown(page)
    await isBackAt(before)
    await page.getByRole('link', { name: 'Conversations', exact: true }).click()
    await page.locator(`.conversation[href*="${tides}"]`).first().click()
    await rowsShown(page)
    await soon(async () => (await firstInView())[0]).toBe('0')
    // Nor is the place of an earlier visit come back to.
    const top = await firstInView()
    await page.reload()
    await rowsShown(page)
    expect(await isStill(page)).toBe(true)
    await isBackAt(top)
  })

  test('nothing else of a conversation is seen before', async () => {
    const other = await viewer.open('/usage')
    await other.addInitScript(TOPS)
    await other.goto(new URL(`/c/${tides}`, other.url()).href)
    await rowsShown(other)
    await other.mouse.move(700, 500)
    await other.mouse.wheel(0, 6000)
    await soon(() => isStill(other)).toBe(true)
    for (const come of [
      () => other.reload(),
      async () => {
        await other.keyboard.type('gj')
        await other.locator('.journal-day').waitFor()
        await other.goBack()
      },
    ]) {
      await other.evaluate('tops.length = 0')
      await come()
      await other.locator('article[data-row] .row-body').first().waitFor()
      const tops = (await other.evaluate('tops')) as readonly number[]
      expect(tops.length).toBeGreaterThan(0)
      expect(Math.min(...tops)).toBeGreaterThan(3000)
    }
    await other.context().close()
  })

  test('places of one conversation, gone back and forth between', async () => {
    const find = async (): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.locator('.palette-field').fill('"tide at 90"')
      await page.locator('.found-place').first().waitFor()
      await page.keyboard.press('Enter')
    }
    const scrollBy = async (pixels: number): Promise<readonly [string, number]> => {
      await page.mouse.move(700, 500)
      await page.mouse.wheel(0, pixels)
      await soon(() => isStill(page)).toBe(true)
      return firstInView()
    }
    const target = page.locator('article.is-target', { hasText: 'Question 90' })
    await page.goto(new URL(`/c/${tides}`, page.url()).href)
    await rowsShown(page)
    const top = await firstInView()
    await find()
    await target.waitFor()
    await page.goBack()
    await isBackAt(top)
    const before = await scrollBy(6000)
    await find()
    await target.waitFor()
    const after = await scrollBy(-3000)
    await page.goBack()
    await isBackAt(before)
    expect(await target.count()).toBe(0)
    await page.goForward()
    await isBackAt(after)
    // Who looks for the same again wants to see it again.
    await find()
    await target.waitFor()
  })

  test('the list, loaded anew', async () => {
    await page.goto(new URL('/', page.url()).href)
    await page.locator('.conversation').first().waitFor()
    await page.evaluate('scrollTo(0, 1500)')
    await soon(() => page.evaluate('scrollY')).toBe(1500)
    await page.reload()
    await page.locator('.conversation').first().waitFor()
    await soon(() => page.evaluate('scrollY')).toBe(1500)
  })

  test('the list as it was narrowed down, ordered and folded before', async () => {
    const at = (): Promise<unknown> => page.evaluate('scrollY')
    await page.goto(new URL('/?group=project', page.url()).href)
    await page.locator('.group-name').first().click()
    await page.locator('.group-name[aria-expanded="false"]').waitFor()
    await page.selectOption('select[aria-label="Order"]', 'largest')
    await page.getByRole('button', { name: 'No groups' }).click()
    await page.locator('.conversation').first().waitFor()
    await page.evaluate('scrollTo(0, 1500)')
    await soon(at).toBe(1500)
    await page.selectOption('select[aria-label="Order"]', 'title')
    await soon(at).toBeLessThan(1000)
    await page.goBack()
    await soon(at).toBe(1500)
    await page.goBack()
    await page.locator('.group-name[aria-expanded="false"]').waitFor()
    await page.getByRole('link', { name: 'Journal' }).click()
    await page.locator('.journal-day').waitFor()
    await page.goBack()
    await page.locator('.group-name[aria-expanded="false"]').waitFor()
    await page.reload()
    await page.locator('.group-name[aria-expanded="false"]').waitFor()
  })

  test('the other pages', async () => {
    const other = await openViewer(browser, sample)
    await other.indexed
    const low = await other.open('/health', { viewport: { width: 1280, height: 300 } })
    // Nothing but the page itself scrolls: a mouse would bring what it clicks into view.
    const toList = async (): Promise<void> => {
      await low.keyboard.type('gh')
      await low.locator('.conversation').first().waitFor()
    }
    for (const [path, ready] of [
      ['/usage?range=all&by=session', '.usage-sum'],
      ['/journal/2026-10-27', '.journal-day li'],
      ['/health', '.health-totals'],
    ] as const) {
      const at = async (): Promise<readonly unknown[]> => [path, await low.evaluate('scrollY')]
      await low.goto(new URL(path, low.url()).href)
      await low.locator(ready).first().waitFor()
      await soon(() => low.evaluate('document.body.scrollHeight > 600')).toBe(true)
      await low.evaluate('scrollTo(0, 250)')
      await soon(at).toEqual([path, 250])
      await low.reload()
      await low.locator(ready).first().waitFor()
      await soon(at).toEqual([path, 250])
      await toList()
      await low.goBack()
      await low.locator(ready).first().waitFor()
      await soon(at).toEqual([path, 250])
      await toList()
    }
    // Who goes there anew begins at the top.
    await low.keyboard.type('gu')
    await low.locator('.usage-sum').waitFor()
    expect(await low.evaluate('scrollY')).toBe(0)
    await low.context().close()
    await other.close()
  })
})

/** How far the conversation was scrolled, whenever something was painted. */
const TOPS = `(() => {
  globalThis.tops = []
  const frame = () => requestAnimationFrame(() => {
    const painted = new MessageChannel()
    painted.port1.onmessage = () => {
      const pane = document.querySelector('.talk-scroll')
      if (pane !== null) tops.push(pane.scrollTop)
      frame()
    }
    painted.port2.postMessage(0)
  })
  frame()
})()`
