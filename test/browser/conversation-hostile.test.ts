// Every hostile text in every place of a conversation, shown by the real page in a real browser with all of it opened: no
// script runs, no request leaves, and there is no element or attribute but our own.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileFiles } from '../cli/hostile.ts'
import { writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { HOSTILE_TEXTS } from '../render/hostile-texts.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { rowsShown } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { openViewer } from './viewer.ts'

describe.skipIf(browserPath === null)(`${needsBrowser}hostile texts in a conversation`, () => {
  const root = newFolder('hostile')
  const nameOf = (number: number): string => `7f3a1c52-0000-4000-8000-${String(number).padStart(12, '0')}`
  let browser: Browser
  let viewer: Viewer
  let page: Page
  let origin = ''
  const asked: string[] = []
  const noticed: string[] = []

  beforeAll(async () => {
    // File names have no room for a text: the folder is the same for all.
    for (const [number, [, text]] of HOSTILE_TEXTS.entries())
      writeBelow(root, inOneFolder(hostileFiles(text, nameOf(number))))
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    // So high that every row is drawn, however much of it is open.
    page = await viewer.open(`/c/${nameOf(0)}`, { viewport: { width: 1280, height: 6_000 } })
    origin = new URL(page.url()).origin
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => {
      noticed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => noticed.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of 40[04]/.test(message.text())) noticed.push(message.text())
    })
    page.on('response', (response) => {
      // A call whose id has more than a thousand letters is refused, and nothing else.
      if (response.status() === 400 && response.url().length < 1000) noticed.push(response.url())
    })
    await rowsShown(page)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  test(`${HOSTILE_TEXTS.length} texts`, async () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200)
    const found: string[] = []
    for (const [number, [what]] of HOSTILE_TEXTS.entries()) {
      // Another page of the same window, as a link would lead to it.
      await page.evaluate(`history.pushState(null, '', '/c/${nameOf(number)}?q=and')`)
      await expect
        .poll(() => page.evaluate(`(${OPENED})('${nameOf(number)}')`), { message: what, interval: 10 })
        .toBe(true)
      const seen = (await page.evaluate(LOOK)) as readonly string[]
      found.push(...seen.map((one) => `${what}: ${one}`))
    }
    expect(found).toEqual([])
    expect([...new Set(asked.filter((url) => new URL(url).origin !== origin))]).toEqual([])
    expect(noticed).toEqual([])
  }, 900_000)

  test('what is looked for is found where it is', async () => {
    await rowsShown(page)
    expect(noticed).toEqual([])
    await page.evaluate(
      `document.querySelector('.rows').append(Object.assign(document.createElement('marquee'), { onclick: 1 }))`,
    )
    expect(await page.evaluate(LOOK)).toEqual(['<marquee>'])
  })
})

function inOneFolder(files: ReturnType<typeof hostileFiles>): ReturnType<typeof hostileFiles> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path.replace(/^projects\/[^/]+\//, 'projects/-hostile/'), content]),
  )
}

/** Opens everything that can be opened, and says whether all of it has come. Runs in the page. */
const OPENED = `(name) => {
  const has = (selector) => document.querySelector(selector) !== null
  if (document.querySelector('.talk')?.dataset.conversation !== name || !has('.recap') || has('.row-waiting')) return false
  const closed = document.querySelectorAll('article [aria-expanded="false"]:not(.row-menu-button)')
  for (const one of closed) one.click()
  const calls = document.querySelectorAll('.call-inside:not(.is-loading), .call .failed').length
  return closed.length === 0 && calls >= 2 && !has('.is-loading') && has('.agent-end') && has('.depth-1 article')
}`

const LOOK = `(() => {
  const own = new Set((
    'html head meta noscript title link style script body div a header nav svg path button kbd span main section p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd bdi ' +
    'article pre code search input output details summary table caption thead tbody tr th td blockquote em strong del sup br hr img canvas'
  ).split(' '))
  const found = []
  if ('ran' in window) found.push('a script ran')
  for (const one of document.querySelectorAll('*')) {
    if (!own.has(one.localName)) found.push('<' + one.localName + '>')
    for (const name of one.getAttributeNames()) {
      const value = one.getAttribute(name)
      if (/^on|^srcdoc$|^srcset$|^ping$/.test(name)) found.push(name)
      if (name === 'href' && !/^(?:https?:\\/\\/|mailto:|\\/|#|\\?)/i.test(value)) found.push('href ' + value)
      if (name === 'src' && !value.startsWith('/')) found.push('src ' + value)
      if (name === 'style' && /url\\(|expression/i.test(value)) found.push('style ' + value)
    }
  }
  if (document.querySelectorAll('main svg, main script, main style, main link').length > 0) found.push('an element where none belongs')
  return [...new Set(found)]
})()`
