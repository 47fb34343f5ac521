// Words that are written from right to left beside others, and facts in narrow places: what is read stays in order.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { rowsShown } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const ARABIC = 'هل يمكنك إصلاح الخطأ في src/app.ts؟ أريد أن يعمل الاختبار من جديد.'

describe.skipIf(browserPath === null)(`${needsBrowser}directions`, () => {
  const root = newFolder('claude')
  const one = sessionId('a')
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    writeBelow(root, {
      [`projects/-r/${one}.jsonl`]: session(one, [
        prompt('u1', null, ARABIC),
        reply('a1', 'u1', `Two things:\n\n- plain\n- ${ARABIC}\n\n${ARABIC}`),
        prompt('u2', 'a1', 'And in English?'),
        reply('a2', 'u2', `${ARABIC}\n\n1. ${ARABIC}\n2. plain`),
      ]),
    })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    page = await viewer.open(`/c/${one}`)
    await rowsShown(page)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const styleOf = (selector: string, name: string): Promise<unknown> =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${name}']`)

  test('a title and its line in the outline begin on the right', async () => {
    await page.locator('.outline-text').first().waitFor()
    expect(await styleOf('h1', 'direction')).toBe('rtl')
    expect(await styleOf('.outline-text', 'direction')).toBe('rtl')
    await keepScreen(page, 'right-to-left')
  })

  test('each paragraph of a reply goes its own way', async () => {
    await page.locator('.markdown li').first().waitFor()
    for (const part of ['p', 'li']) expect(await styleOf(`.markdown ${part}`, 'unicodeBidi')).toBe('plaintext')
    // Where the words begin, whatever stands around them.
    const edges = (await page.evaluate(`[...document.querySelectorAll('.markdown > p, .markdown li')].map((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const [words, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
      return Math.round(words.left - box.left) === 0 ? 'left' : Math.round(box.right - words.right) === 0 ? 'right' : ''
    })`)) as readonly string[]
    expect(edges).toEqual(['left', 'left', 'left', 'right', 'right', 'right', 'right'])
  })

  test('what is narrower than its row begins where its words begin', async () => {
    const gaps = (await page.evaluate(`[...document.querySelectorAll('.row-prompt .plain-text')].map((one) => {
      const [text, row] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()]
      return [text.left - row.left, row.right - text.right].map((gap) => gap < 40)
    })`)) as readonly (readonly boolean[])[]
    expect(gaps).toEqual([
      [false, true],
      [true, false],
    ])
  })

  test('a line of facts ends between two of them', async () => {
    const narrow = await viewer.open(`/c/${one}`, { viewport: { width: 360, height: 800 } })
    await rowsShown(narrow)
    const lines = (await narrow.evaluate(
      `[...document.querySelectorAll('.facts span')].map((one) => one.getBoundingClientRect().height)`,
    )) as readonly number[]
    expect(lines.length).toBeGreaterThan(4)
    expect(Math.max(...lines)).toBeLessThan(26)
    await narrow.context().close()
  })
})
