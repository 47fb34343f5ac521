// The list of conversations in a real browser, over the bundled sample: what a person does there with mouse, keyboard and
// eyes.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sample } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { seriousFindings } from './findings.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

describe.skipIf(browserPath === null)(`${needsBrowser}the list of conversations`, () => {
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    viewer = await openViewer(browser, sample, { isSample: true })
    page = await viewer.open('/')
  })
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  /** The same window again, as if one had just come. */
  async function come(path: string): Promise<void> {
    await page.goto(new URL(path, page.url()).href)
    await page.locator('.conversation, .state:not(.loading)').first().waitFor()
  }
  const titles = (): Promise<readonly string[]> => page.locator('.conversation-title').allInnerTexts()
  const groups = (): Promise<readonly string[]> => page.locator('.conversations h2').allInnerTexts()
  const query = (): string => new URL(page.url()).search

  test('all of them, newest first, by repository, and it says that it is the sample', async () => {
    await come('/')
    expect(await page.title()).toBe('Conversations · Clew')
    expect(await page.locator('.banner').textContent()).toBe(
      'This is the bundled sample. You have no sessions of your own yet.',
    )
    expect(await groups()).toEqual(['dotfiles', 'tidewatch'])
    expect((await titles()).length).toBe(5)
    const local = page.locator('.conversation', { hasText: 'Local days instead of 24 hours' })
    expect(await local.locator('.badge').allInnerTexts()).toEqual(['compacted ×1', '2 branches', '3 subagents'])
    expect(await local.locator('.conversation-turns').textContent()).toBe('11 turns')
    await expect.poll(() => local.locator('.conversation-cost').textContent()).toMatch(/^\$\d+\.\d\d$/)
    expect(await local.getAttribute('href')).toMatch(/^\/c\/[0-9a-f-]{36}$/)
    await page.locator('.chart canvas').waitFor()
    await keepScreen(page, 'home-light')
  })

  test('filter as you type: all words, and the address knows', async () => {
    await come('/')
    await page.keyboard.press('/')
    await page.keyboard.type('moon tide')
    await expect.poll(titles).toEqual(['Moon phase beside the tide table'])
    expect(await page.locator('.list-head').textContent()).toBe('1 of 5 conversations')
    await expect.poll(query).toBe('?q=moon+tide')
    await page.keyboard.type(' nothing has this')
    await expect.poll(titles).toEqual([])
    await keepScreen(page, 'home-none-fits')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(async () => (await titles()).length).toBe(5)
    await come('/?q=moon')
    expect(await titles()).toEqual(['Moon phase beside the tide table'])
    await page.locator('input[type=search]').focus()
    await page.keyboard.press('Escape')
    await expect.poll(async () => (await titles()).length).toBe(5)
  })

  test('order, groups and marks, each a step that can be taken back', async () => {
    await come('/')
    await page.getByRole('button', { name: 'No groups' }).click()
    await expect.poll(groups).toEqual([])
    await page.getByLabel('Order').selectOption('largest')
    await expect.poll(async () => (await titles())[0]).toBe('Local days instead of 24 hours')
    await page.getByLabel('Order').selectOption('title')
    await expect
      .poll(async () => (await titles()).slice(0, 2))
      .toEqual(['Local days instead of 24 hours', 'Moon phase beside the tide table'])
    await page.getByRole('button', { name: /^Subagents/ }).click()
    await expect.poll(async () => (await titles()).length).toBe(3)
    expect(query()).toBe('?sort=title&group=none&is=subagents')
    await page.goBack()
    await expect.poll(async () => (await titles()).length).toBe(5)
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await expect.poll(groups).toEqual(['dotfiles', 'tidewatch'])
    expect(query()).toBe('')
  })

  test('a project, and a heading that folds', async () => {
    await come('/')
    await page.getByRole('button', { name: 'Only tidewatch' }).click()
    await expect.poll(groups).toEqual(['tidewatch'])
    expect(await page.getByLabel('Project').inputValue()).toBe('/home/ada/tidewatch')
    await page.getByRole('button', { name: /^tidewatch\s*: show all projects/ }).click()
    await expect.poll(groups).toEqual(['dotfiles', 'tidewatch'])
    await page.getByRole('button', { name: 'dotfiles', exact: true }).click()
    await expect.poll(async () => (await titles()).length).toBe(3)
    expect(await groups()).toEqual(['dotfiles', 'tidewatch'])
  })

  test('a day of the calendar, a range, and the keyboard in it', async () => {
    await come('/')
    const day = (date: string) => page.locator(`[data-day="${date}"]`)
    await expect.poll(() => day('2026-10-29').getAttribute('title')).toMatch(/^29 Oct 2026: \d+ messages? in \d/)
    await day('2026-10-29').click()
    await expect.poll(query).toBe('?from=2026-10-29')
    const thursday = (await titles()).length
    expect(thursday).toBeLessThan(5)
    expect(await page.locator('.chip.chosen').textContent()).toContain('29 Oct 2026')
    await day('2026-10-27').click({ modifiers: ['Shift'] })
    await expect.poll(query).toBe('?from=2026-10-27&to=2026-10-29')
    await expect.poll(async () => (await titles()).length).toBe(5)
    expect(await page.locator('.heat-day[aria-pressed=true]').count()).toBe(3)
    await keepScreen(page, 'home-days')
    // One stop for the tab key, where one was last.
    expect(await page.locator('.heat-day[tabindex="0"]').getAttribute('data-day')).toBe('2026-10-27')
    await day('2026-10-27').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(query).toBe('?from=2026-10-28')
    await page.keyboard.press('Enter')
    await expect.poll(query).toBe('')
  })

  test('a bar of the chart', async () => {
    await come('/')
    const plot = page.locator('.chart .u-over')
    const box = await plot.boundingBox()
    const bars = 53
    // Sample sessions are of the week from 26 October; where that bar is follows from how many weeks ago it was.
    const monday = Date.parse('2026-10-26')
    const today = new Date(new Date().toISOString().slice(0, 10))
    const back = Math.floor((today.getTime() - ((today.getUTCDay() + 6) % 7) * 86_400_000 - monday) / (7 * 86_400_000))
    if (box === null || back >= bars) return
    await plot.click({ position: { x: (box.width * (bars - 1 - back + 0.6)) / (bars + 0.2), y: box.height / 2 } })
    await expect.poll(query).toBe('?from=2026-10-26&to=2026-11-01')
    expect((await titles()).length).toBe(5)
    expect(await page.locator('.chart figcaption').textContent()).toMatch(/^26 Oct – 1 Nov 2026: \d+ messages$/)
    await page.getByRole('button', { name: 'Days', exact: true }).click()
    await page.reload()
    expect(await page.getByRole('button', { name: 'Days', exact: true }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Weeks', exact: true }).click()
    await page.getByRole('button', { name: 'Activity', exact: true }).click()
    expect(await page.locator('.heat').count()).toBe(0)
    await page.reload()
    await page.locator('.conversation').first().waitFor()
    expect(await page.locator('.heat').count()).toBe(0)
    await page.getByRole('button', { name: 'Activity', exact: true }).click()
  })

  test('without a mouse', async () => {
    await come('/')
    const focused = (): Promise<string> =>
      page.evaluate(
        `document.activeElement.querySelector('.conversation-title')?.textContent ?? document.activeElement.tagName`,
      )
    const all = await titles()
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(all[0])
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe(all[1])
    await page.keyboard.press('j')
    await expect.poll(focused).toBe(all[2])
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(all[1])
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/c\//)
    await page.goBack()
    await expect.poll(focused).toBe(all[1])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await keepScreen(page, 'keyboard')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    for (const [keys, title] of [
      ['gu', 'Usage'],
      ['gj', 'Journal'],
      ['gd', 'Health'],
      ['gh', 'Conversations'],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key)
      await expect.poll(() => page.title()).toContain(`${title}`)
    }
    // The first stop of the tab key leads past the bar.
    await come('/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
  })

  test('light and dark, as the reader has it', async () => {
    await come('/')
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.getByRole('button', { name: 'Settings and help' }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    const dark = await paper()
    expect(dark).not.toBe(light)
    // A canvas draws with what a variable says, and understands no more than a colour.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate('getComputedStyle(document.body).getPropertyValue("--line").trim()')).toBe('#33312a')
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    expect(await paper()).toBe(dark)
    await page.emulateMedia({ media: 'print' })
    expect(await paper()).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.chart canvas').waitFor()
    await keepScreen(page, 'home-dark')
    await page.getByRole('button', { name: 'Settings and help' }).click()
    await page.getByRole('button', { name: 'System' }).click()
    expect(await paper()).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await paper()).toBe(dark)
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test.each([390, 820, 1600])('nothing is wider than %i columns of pixels', async (width) => {
    const other = await viewer.open('/', { viewport: { width, height: 844 } })
    await other.locator('.conversation').first().waitFor()
    await other.locator('.heat-4').first().waitFor()
    expect(await other.evaluate('document.documentElement.scrollWidth')).toBe(width)
    for (const name of [/^(?:Home|Conversations)$/, 'Usage', 'Journal', 'Health'])
      expect(await other.getByRole('navigation').getByText(name).locator('visible=true').count()).toBe(1)
    await keepScreen(other, `home-${width}`)
    await other.context().close()
  })

  test('no such page, and a page that breaks', async () => {
    await come('/usage/nowhere')
    expect(await page.title()).toBe('Not found · Clew')
    expect(await page.locator('main').textContent()).toContain('There is no such page')
    await page.route('**/api/home', (route) => route.fulfill({ status: 500, json: { error: 'the disk is on fire' } }))
    await come('/')
    await page.getByText('the disk is on fire').waitFor()
    await keepScreen(page, 'home-failed')
    await page.unroute('**/api/home')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.conversation').first().waitFor()
  })

  test('nothing serious stands in the way of a screen reader, light or dark', async () => {
    const other = await viewer.open('/', { bypassCSP: true })
    await other.locator('.heat-4').first().waitFor()
    await other.locator('.chart canvas').waitFor()
    expect(await seriousFindings(other)).toEqual([])
    await other.keyboard.press('?')
    expect(await seriousFindings(other)).toEqual([])
    // What is looked for is found where it is, in the colours of either.
    await other.evaluate('document.documentElement.style.setProperty("--ink", "light-dark(#1d1b18, #33312a)")')
    expect(
      (await seriousFindings(other)).filter((finding) => finding.startsWith('dark, color-contrast')).length,
    ).not.toBe(0)
    await other.context().close()
  })
})
