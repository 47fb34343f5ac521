// Words that are written from right to left beside others, and facts in narrow places: what is read stays in order.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, talk, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { rowsShown } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const ARABIC = 'هل يمكنك إصلاح الخطأ في src/app.ts؟ أريد أن يعمل الاختبار من جديد.'

describe.skipIf(browserPath === null)(`${needsBrowser}directions`, () => {
  const root = newFolder('claude')
  const one = sessionId('a')
  const code = sessionId('c')
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
      [`projects/-home-ada-${'w'.repeat(80)}/${sessionId('d')}.jsonl`]: talk(sessionId('d'), 'And in a long folder?'),
      [`projects/-r/${code}.jsonl`]: session(code, [
        prompt('u1', null, `${ARABIC} `.repeat(6)),
        reply(
          'a1',
          'u1',
          `${ARABIC} \`run(1);\`\n\n\`\`\`ts\nrun(2);\n\`\`\`\n\n- ${ARABIC}\n\n  \`\`\`\n  run(3);\n  \`\`\``,
        ),
        prompt('u2', 'a1', `In two lines:\n${ARABIC}`),
        reply('a2', 'u2', `| ${ARABIC} | n |\n|---|---|\n| שלום | 1 |`),
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

  /** In the page: where a character of a text begins, and the texts of an element that have any. */
  const INK = `(() => {
    globalThis.leftOf = (text, at) => {
      const range = document.createRange()
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().left
    }
    globalThis.textsOf = (one) => {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
      const texts = []
      while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') texts.push(walker.currentNode)
      return texts
    }
  })()`

  test('code is written from left to right, whatever stands around it', async () => {
    const other = await viewer.open(`/c/${code}`)
    await rowsShown(other)
    await other.locator('.markdown .code').nth(1).waitFor()
    await other.evaluate(INK)
    const seen = await other.evaluate(`[...document.querySelectorAll('.markdown code')].map((one) => {
      const texts = textsOf(one)
      const [first, last] = [leftOf(texts[0], 0), leftOf(texts.at(-1), texts.at(-1).data.trimEnd().length - 1)]
      const box = (one.closest('.code') ?? one).getBoundingClientRect()
      return [one.textContent.trim(), first < last, first - box.left < 20]
    })`)
    expect(seen).toEqual([1, 2, 3].map((number) => [`run(${number});`, true, true]))
    await keepScreen(other, 'right-to-left-code')

    // A line of a prompt goes its own way, and so does a cell of a table.
    const gaps = (await other.evaluate(`[
      [...document.querySelectorAll('.row-prompt .plain-text')].at(-1),
      document.querySelector('.markdown td'),
    ].map((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      return Math.round(one.getBoundingClientRect().right - [...range.getClientRects()].at(-1).right)
    })`)) as readonly number[]
    expect(Math.max(...gaps)).toBeLessThan(2)
    await other.context().close()
  })

  test('the list shows how a prompt begins, where it is cut off too', async () => {
    const list = await viewer.open('/', { viewport: { width: 900, height: 800 } })
    await list.locator(`.conversation[href*="${code}"]`).waitFor()
    await list.evaluate(INK)
    const seen = await list.evaluate(`(() => {
      const text = textsOf(document.querySelector('.conversation[href*="${code}"] .conversation-prompt')).at(-1)
      const { left, right } = text.parentElement.getBoundingClientRect()
      const [first, second] = [leftOf(text, 0), leftOf(text, 1)]
      return [second < first, left < first && first < right]
    })()`)
    expect(seen).toEqual([true, true])
    await keepScreen(list, 'right-to-left-list')
    await list.context().close()
  })

  test('a long name makes no page wider, and the number of a turn stays in its line', async () => {
    const narrow = await viewer.open('/health', { viewport: { width: 360, height: 800 } })
    await narrow.locator('.health-disk').waitFor()
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await narrow.context().close()
    await page.locator('.outline-number').first().waitFor()
    const [long, short] = (await page.evaluate(`(() => {
      const [one, other] = document.querySelectorAll('.outline-number')
      one.textContent = '12345'
      return [one.offsetHeight, other.offsetHeight]
    })()`)) as readonly number[]
    expect(long).toBe(short)
  })
})
