// Every hostile text in every place of a conversation, exported to HTML and opened in a real browser: no script runs, no
// request leaves, and there is no element or attribute but our own.

import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERYTHING, exportedHostile } from '../render/exported.ts'
import { HOSTILE_TEXTS } from '../render/hostile-texts.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { lookAt } from './look.ts'

const PLACE = 'http://export.test'
const ADDRESS = `${PLACE}/0.html`

/** So many pages at once, each in a frame: a window is opened once for all of them. */
const AT_ONCE = 24

describe.skipIf(browserPath === null)(`${needsBrowser}hostile texts on a page`, () => {
  let browser: Browser
  let page: Page
  let shown: readonly string[] = []
  let asked: string[] = []
  let noticed: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    page = await browser.newPage({ javaScriptEnabled: true })
    await page.route('**/*', async (route) => {
      const url = route.request().url()
      const body =
        url === `${PLACE}/` ? framesOf(shown) : shown[shown.findIndex((_, place) => url === addressOf(place))]
      if (body !== undefined && !asked.includes(url)) {
        await route.fulfill({ contentType: 'text/html; charset=utf-8', body })
      } else await route.abort()
      asked.push(url)
    })
    page.on('dialog', (dialog) => {
      noticed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => noticed.push(message.text()))
    page.on('pageerror', (error) => noticed.push(error.message))
  })
  afterAll(() => browser?.close())

  async function open(pages: readonly string[], address: string): Promise<void> {
    shown = pages
    asked = []
    noticed = []
    await page.goto(address, { waitUntil: 'load' })
  }

  async function openOne(html: string): ReturnType<typeof lookAt> {
    await open([html], ADDRESS)
    return lookAt(page)
  }

  test.each(batches())('%s and those behind it', async (_, texts) => {
    const pages: { readonly what: string; readonly html: string }[] = []
    for (const [what, text] of texts)
      for (const more of [[], [...EVERYTHING, '--images', 'embedded']])
        pages.push({ what: `${what} ${more.join(' ')}`, html: await exportedHostile(text, 'html', more) })
    await open(
      pages.map(({ html }) => html),
      `${PLACE}/`,
    )
    const frames = page.frames().slice(1)
    expect(frames.map((frame) => frame.url())).toEqual(pages.map((_one, place) => addressOf(place)))
    for (const [place, { what }] of pages.entries())
      expect([what, await lookAt(frames[place] as Frame)]).toEqual([what, HARMLESS])
    // Some of them try the window around them.
    expect(await page.evaluate('"ran" in window')).toBe(false)
    expect([...asked].sort()).toEqual([`${PLACE}/`, ...pages.map((_one, place) => addressOf(place))].sort())
    expect(noticed).toEqual([])
  })

  test('what is looked for is found where it is', async () => {
    const evil =
      '<script>window.ran=1</script><img src="https://evil.example/a.png" onerror="1"><a href="javascript:1">x</a><svg></svg>'
    const found = await openOne(`<!doctype html><body>${evil}`)
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
    const found = await openOne(
      html.replace('<main>', '<main><script>window.ran=1</script><img src="https://evil.example/a.png">'),
    )
    expect(found.ran).toBe(false)
    expect(asked).toEqual([ADDRESS])
    expect(noticed.join(' ')).toContain('Content Security Policy')
  })
})

const HARMLESS = {
  ran: false,
  elements: [],
  handlers: [],
  links: [],
  pictures: [],
  metas: 6,
  styles: 1,
  policy: true,
}

function batches(): (readonly [string, typeof HOSTILE_TEXTS])[] {
  const starts = HOSTILE_TEXTS.map((_, place) => place).filter((place) => place % (AT_ONCE / 2) === 0)
  return starts.map((place) => [HOSTILE_TEXTS[place]?.[0] ?? '', HOSTILE_TEXTS.slice(place, place + AT_ONCE / 2)])
}

function addressOf(place: number): string {
  return `${PLACE}/${place}.html`
}

function framesOf(pages: readonly string[]): string {
  return pages.map((_, place) => `<iframe src="${addressOf(place)}" width="900" height="600"></iframe>`).join('')
}
