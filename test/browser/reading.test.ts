// What a reader does with an exported page: find a word that is folded away, follow a link to a part, read it on a phone,
// in the dark and on paper.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder, sample } from '../cli/run.ts'
import { exported } from '../render/exported.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'

describe.skipIf(browserPath === null)(`${needsBrowser}reading an exported page`, () => {
  const folder = newFolder('pages')
  const whole = join(folder, 'whole.html')
  let browser: Browser

  beforeAll(async () => {
    browser = await openBrowser()
    await exported(['2ab65b76', '--root', sample, '--detail', 'full', '-o', whole])
  })
  afterAll(() => browser?.close())

  async function opened(path: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage(options)
    await page.goto(`file://${path}`)
    return page
  }

  test('find-in-page opens what is folded', async () => {
    const words = 'The instant at which a calendar day begins'
    const page = await opened(`${whole}#:~:text=${encodeURIComponent(words)}`)
    await expect.poll(() => openFolds(page)).toBeGreaterThan(0)
    const text = await page.evaluate(`document.querySelector('main details.call[open] pre.diff').textContent`)
    expect(text).toContain(words)
    await page.close()
  })

  test('a link to a part opens the fold it is in', async () => {
    const id = / id="(t-\w+)"/.exec(readFileSync(whole, 'utf8').split('class="agent"')[1] ?? '')?.[1] ?? ''
    expect(id).not.toBe('')
    const page = await opened(`${whole}#${id}`)
    await expect.poll(() => openFolds(page)).toBeGreaterThan(0)
    await page.close()
  })

  test.each([320, 390, 1280])('nothing is wider than %i columns of pixels', async (width) => {
    const page = await opened(whole, { viewport: { width, height: 800 } })
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    // The table of turns: beside the text, or folded above it.
    expect(await page.locator('nav.side').isVisible()).toBe(width > 1000)
    expect(await page.locator('details.toc').isVisible()).toBe(width < 1000)
    await page.close()
  })

  test.each(['light', 'dark'] as const)('every text can be read, %s', async (colorScheme) => {
    const page = await opened(whole, { colorScheme })
    await page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = true`)
    expect(await page.evaluate(`(${CONTRASTS})()`)).toEqual([])
    await page.close()
  })

  test('images are shown from the page itself, or from files beside it', async () => {
    const root = newFolder('images')
    const { writeBelow, prompt, reply, session } = await import('../cli/records.ts')
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }
    const asked = [
      { type: 'text', text: 'what is this?' },
      image,
      { ...image, source: { ...image.source, data: 'PHN2Zz4=' } },
    ]
    const said = prompt('u1', null, 'x')
    const records = [{ ...said, message: { role: 'user', content: asked } }, reply('a1', 'u1', 'a pixel')]
    writeBelow(root, { 'projects/p/11111111-1111-4111-8111-111111111111.jsonl': session('1', records) })
    for (const mode of ['embedded', 'referenced']) {
      const path = join(folder, `${mode}.html`)
      await exported(['latest', '--root', root, '--images', mode, '-o', path])
      const page = await opened(path)
      expect(await page.evaluate('Array.from(document.images, (one) => one.naturalWidth)')).toEqual([1])
      await page.close()
    }
    expect(statSync(join(folder, 'referenced.files', 'image-1.png')).mode & 0o777).toBe(0o600)
  })

  test('a long conversation is an index and pages, and links lead from one to the other', async () => {
    const path = join(folder, 'long.html')
    await exported(['2ab65b76', '--root', sample, '--detail', 'full', '--split', '10k', '-o', path])
    const page = await opened(join(folder, 'long', 'index.html'))
    expect(await page.locator('ol.index li').count()).toBe(11)
    await page.click('#turn-9 a')
    await page.waitForURL(/page-\d+\.html#turn-9$/)
    expect(await page.locator('section#turn-9').count()).toBe(1)
    await page.click('nav.pages >> text=All turns')
    await page.waitForURL(/index\.html$/)
    await page.close()
  })
})

async function openFolds(page: Page): Promise<number> {
  return (await page.evaluate(`document.querySelectorAll('main details.call[open]:not(:has(.plan))').length`)) as number
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Texts with a contrast below 4.5 to what is behind them. Runs in the page. */
const CONTRASTS = `() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return Array.from(canvas.getImageData(0, 0, 1, 1).data)
  }
  const light = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue].map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (one) => {
    for (let at = one; at !== null; at = at.parentElement) {
      const colour = parts(getComputedStyle(at).backgroundColor)
      if (colour[3] > 200) return colour
    }
    return [255, 255, 255, 255]
  }
  const found = new Set()
  for (const one of document.querySelectorAll('main *, header *, footer *')) {
    if (!Array.from(one.childNodes).some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue
    if (one.matches('.mark') || !one.checkVisibility()) continue
    const [a, b] = [light(parts(getComputedStyle(one).color)), light(ground(one))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) found.add(one.localName + '.' + one.className + ' ' + contrast.toFixed(2))
  }
  return [...found]
}`
