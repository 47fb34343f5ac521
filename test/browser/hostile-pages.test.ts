// Every hostile text in every place of a conversation, exported to HTML and opened in a real browser: no script runs, no
// request leaves, and there is no element or attribute but our own.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERYTHING, exportedHostile } from '../render/exported.ts'
import { HOSTILE_TEXTS } from '../render/hostile-texts.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { lookAt } from './look.ts'

const ADDRESS = 'http://export.test/page.html'

describe.skipIf(browserPath === null)(`${needsBrowser}hostile texts on a page`, () => {
  let browser: Browser
  let page: Page
  let shown = ''
  let asked: string[] = []
  let noticed: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage({ javaScriptEnabled: true })
    await page.route('**/*', async (route) => {
      if (route.request().url() === ADDRESS && asked.length === 0) {
        await route.fulfill({ contentType: 'text/html; charset=utf-8', body: shown })
      } else await route.abort()
      asked.push(route.request().url())
    })
    page.on('dialog', (dialog) => {
      noticed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => noticed.push(message.text()))
    page.on('pageerror', (error) => noticed.push(error.message))
  })
  afterAll(() => browser?.close())

  async function open(html: string): ReturnType<typeof lookAt> {
    shown = html
    asked = []
    noticed = []
    await page.goto(ADDRESS, { waitUntil: 'load' })
    return lookAt(page)
  }

  test.each(HOSTILE_TEXTS)('%s', async (_, text) => {
    for (const more of [[], [...EVERYTHING, '--images', 'embedded']]) {
      const found = await open(await exportedHostile(text, 'html', more))
      expect(found).toEqual({
        ran: false,
        elements: [],
        handlers: [],
        links: [],
        pictures: [],
        metas: 6,
        styles: 1,
        policy: true,
      })
      expect(asked).toEqual([ADDRESS])
      expect(noticed).toEqual([])
    }
  })

  test('what is looked for is found where it is', async () => {
    const evil =
      '<script>window.ran=1</script><img src="https://evil.example/a.png" onerror="1"><a href="javascript:1">x</a><svg></svg>'
    const found = await open(`<!doctype html><body>${evil}`)
    expect(found).toMatchObject({
      ran: true,
      elements: ['script', 'svg'],
      handlers: ['onerror'],
      links: ['javascript:1'],
    })
    expect(found.pictures).toEqual(['https://evil.example/a.png'])
    expect(asked).toEqual([ADDRESS, 'https://evil.example/a.png'])
  })

  test('the policy of a page stops a script that got into it', async () => {
    const html = await exportedHostile('quite harmless', 'html')
    const found = await open(
      html.replace('<main>', '<main><script>window.ran=1</script><img src="https://evil.example/a.png">'),
    )
    expect(found.ran).toBe(false)
    expect(asked).toEqual([ADDRESS])
    expect(noticed.join(' ')).toContain('Content Security Policy')
  })
})
