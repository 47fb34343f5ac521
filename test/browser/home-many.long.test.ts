// Ten thousand conversations: scrolled from end to end, filtered key by key, and held still while new ones come.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prompt, reply, session, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { longestTask } from './long-tasks.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const MANY = 10_000
const PROJECTS = 40
const LONG_MS = 200
const WORDS = ['tide', 'moon', 'harbour', 'clock', 'ledger', 'battery', 'greeting', 'invoice']

describe.skipIf(browserPath === null)(`${needsBrowser}ten thousand conversations`, () => {
  const root = newFolder('many')
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    for (let number = 0; number < MANY; number++) writeSession(number)
    browser = await openBrowser()
    // Whoever has so many has an index of them from the last time.
    const indexFolder = newFolder('index')
    const first = await openViewer(browser, root, { indexFolder })
    await first.indexed
    await first.close()
    viewer = await openViewer(browser, root, { indexFolder })
    await viewer.indexed
    page = await viewer.open('/')
    await page.locator('.conversation').first().waitFor()
    await page.locator('.list-head', { hasText: '10,000 conversations' }).waitFor({ timeout: 60_000 })
    await page.locator('.heat-4').first().waitFor({ timeout: 60_000 })
    await page.waitForTimeout(2000)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
    rmSync(root, { recursive: true, force: true })
  }, 120_000)

  function writeSession(number: number): void {
    const id = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
    const project = `project-${number % PROJECTS}`
    const title = `${WORDS[number % 8]} and ${WORDS[(number * 7) % 5]} number ${number}`
    const timestamp = new Date(Date.now() - (MANY - number) * 2_000_000).toISOString()
    const message = {
      id: `msg_${number}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: 'Done.' }],
      usage: { input_tokens: 10, output_tokens: 5 },
    }
    const records = [prompt(`${number}-1`, null, title), reply(`${number}-2`, `${number}-1`, 'Done.', { message })]
    writeBelow(root, {
      [join('projects', `-home-ada-${project}`, `${id}.jsonl`)]: session(id, records, {
        cwd: `/home/ada/${project}`,
        timestamp,
      }),
    })
  }

  test('scroll from end to end without a long wait', async () => {
    let rows: unknown
    const longest = await longestTask(page, async () => {
      rows = await page.evaluate(SCROLL_THROUGH)
    })
    expect(longest).toBeLessThan(LONG_MS)
    expect(rows).toBe(MANY)
    expect(await page.locator('.conversation').count()).toBeLessThan(80)
    await keepScreen(page, 'home-many-end')
    await page.evaluate('scrollTo(0, 30000)')
    await page.waitForTimeout(300)
    // The heading of what is on top stays there.
    const held = await page.locator('.line.held').boundingBox()
    expect(Math.round(held?.y ?? 0)).toBe(104)
    await keepScreen(page, 'home-many')
  })

  test('every key of a filter is answered at once', async () => {
    await page.evaluate('scrollTo(0, 0)')
    await page.locator('input[type=search]').focus()
    const longest = await longestTask(page, async () => {
      for (const key of 'moon and tide number 12') await page.keyboard.press(key === ' ' ? 'Space' : key)
      await expect.poll(() => page.locator('.list-head').textContent()).toMatch(/^\d+ of 10,000 conversations$/)
    })
    expect(longest).toBeLessThan(LONG_MS)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.list-head').textContent()).toBe('10,000 conversations')
  })

  test('what is looked at stays where it is when a new one comes', async () => {
    await page.goto(new URL('/?group=none', page.url()).href)
    await page.locator('.conversation').first().waitFor()
    await page.evaluate('scrollTo(0, 20000)')
    await page.waitForTimeout(300)
    const before = await page.evaluate(SEEN)
    writeSession(MANY)
    await expect.poll(() => page.locator('.list-head').textContent(), { timeout: 60_000 }).toBe('10,001 conversations')
    expect(await page.evaluate(SEEN)).toEqual(before)
  })
})

/** A screen at a time, as fast as the browser draws them; gives back how many rows were seen. */
const SCROLL_THROUGH = `(async () => {
  const seen = new Set()
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let top = 0; ; top += 500) {
    scrollTo(0, top)
    await frame()
    await frame()
    for (const row of document.querySelectorAll('.conversation')) seen.add(row.dataset.row)
    if (top > document.documentElement.scrollHeight) return seen.size
  }
})()`

/** The first whole row below the bar, and where it is. */
const SEEN = `(() => {
  const rows = [...document.querySelectorAll('.conversation')].map((row) => ({ row, top: row.getBoundingClientRect().top }))
  const { row, top } = rows.filter(({ top }) => top > 110).sort((one, other) => one.top - other.top)[0]
  return { title: row.querySelector('.conversation-title').textContent, top: Math.round(top) }
})()`
