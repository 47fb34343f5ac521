// What genuine clients wrote, shown by the real page: every conversation of the newest client of the corpus is opened with
// all of its calls, and what only those have (images, questions, refusals) is looked for.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus } from '../corpus/corpus.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { rowsShown } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const needsCorpus = corpus === null ? 'SKIPPED, no corpus (set CLEW_CORPUS): ' : ''

describe.skipIf(browserPath === null || corpus === null)(`${needsBrowser}${needsCorpus}genuine conversations`, () => {
  const noticed: string[] = []
  let browser: Browser
  let viewer: Viewer
  let page: Page
  let origin = ''
  let ids: readonly string[] = []
  const found = new Map<string, number>()

  beforeAll(async () => {
    const client = join(corpus ?? '', 'client')
    const newest =
      readdirSync(client)
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
        .at(-1) ?? ''
    browser = await openBrowser()
    viewer = await openViewer(browser, join(client, newest))
    await viewer.indexed
    page = await viewer.open('/')
    origin = new URL(page.url()).origin
    await page.locator('.conversation').first().waitFor()
    const home = (await page.evaluate(`fetch('/api/home').then((answer) => answer.json())`)) as {
      readonly rows: readonly { readonly id: string; readonly turns: number }[]
    }
    ids = home.rows.filter(({ turns }) => turns > 0).map(({ id }) => id)
    page.on('pageerror', (error) => noticed.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') noticed.push(message.text())
    })
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  test('each can be opened, with everything in it', async () => {
    expect(ids.length).toBeGreaterThan(20)
    for (const id of ids) {
      await page.goto(`${origin}/c/${id}`)
      await rowsShown(page)
      await page.evaluate(`(async () => {
        const all = document.querySelector('.talk-scroll')
        const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
        for (let step = 0; step < 12; step++) {
          for (const closed of all.querySelectorAll('article [aria-expanded="false"]:not(.row-menu-button)')) closed.click()
          await rest(50)
          const before = all.scrollTop
          all.scrollTop += 600
          if (all.scrollTop === before) break
        }
        await rest(200)
      })()`)
      for (const name of [
        '.image img',
        '.question',
        '.call-denied',
        '.diff',
        '.place.depth-1',
        '.boundary',
        '.branches',
      ])
        if ((await page.locator(name).count()) > 0) {
          if (!found.has(name)) await keepScreen(page, `genuine${name.replace(/\W+/g, '-')}`)
          found.set(name, (found.get(name) ?? 0) + 1)
        }
    }
    expect(noticed).toEqual([])
  }, 600_000)

  test('there was something of everything', () => {
    expect([...found.keys()].sort()).toEqual(
      ['.boundary', '.branches', '.call-denied', '.diff', '.image img', '.place.depth-1', '.question'].sort(),
    )
  })
})
