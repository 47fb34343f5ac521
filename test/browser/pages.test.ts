// Search, usage, journal and health in a real browser, over the bundled sample: what a person does there with mouse,
// keyboard and eyes.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newFolder, sample } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { seriousFindings } from './findings.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const PAGES = ['/usage?range=all', '/usage?range=all&by=session&explain=model:', '/journal', '/health'] as const

describe.skipIf(browserPath === null)(`${needsBrowser}search, usage, journal and health`, () => {
  let browser: Browser
  let viewer: Viewer

  beforeAll(async () => {
    browser = await openBrowser()
    viewer = await openViewer(browser, sample)
    await viewer.indexed
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  /** One window for all tests, which has the scripts already; each of them begins with nothing kept in it. */
  let window: Page
  let origin = ''
  beforeAll(async () => {
    window = await viewer.open('/health')
    origin = new URL(window.url()).origin
  })
  beforeEach(async () => {
    await window.unrouteAll({ behavior: 'ignoreErrors' })
    await window.evaluate('localStorage.clear(); sessionStorage.clear()')
    await window.setViewportSize({ width: 1280, height: 860 })
  })

  async function come(path: string, ready: string): Promise<Page> {
    // Another document, even where only the words behind # differ.
    await window.goto('about:blank')
    await window.goto(`${origin}${path}`)
    await window.locator(ready).first().waitFor()
    return window
  }

  describe('search', () => {
    async function palette(typed = ''): Promise<Page> {
      const page = await come('/health', '.health-totals')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      if (typed !== '') {
        await page.keyboard.type(typed)
        // What was found for the first letters is there before.
        await expect.poll(() => status(page)).toMatch(/ms$/)
        await page.locator('.found-place').first().waitFor()
      }
      return page
    }
    const status = (page: Page) => page.locator('.palette-foot [role=status]').textContent()
    const chips = (page: Page) =>
      page.locator('.filters .chip[aria-pressed=true], .filters .chip.chosen').allTextContents()

    test('what is typed before it is there is not lost', async () => {
      // Its code is not here yet, and what is shown meanwhile stays for 300 ms.
      const page = await viewer.open('/health')
      await page.locator('.health-totals').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('tide tables of Portsmouth', { delay: 60 })
      await expect.poll(() => page.locator('.palette-field').inputValue()).toBe('tide tables of Portsmouth')
      expect(await page.evaluate('document.activeElement.className')).toBe('palette-field')
      await page.context().close()
    })

    test('as one types: by conversation, with what matched set off, and all of it counted', async () => {
      const page = await palette('tide')
      expect(await page.locator('.found-title').first().textContent()).toBe('Local days instead of 24 hours')
      const marks = await page.locator('.found-text mark').allInnerTexts()
      expect(marks.length).toBeGreaterThan(3)
      for (const mark of marks) expect(mark.toLowerCase()).toContain('tide')
      expect(await status(page)).toMatch(/^\d+ hits(?:, \d+ shown)? · \d+ ms$/)
      expect(await page.locator('.found-more').first().textContent()).toMatch(/^\d+ more turns? in this conversation$/)
      await keepScreen(page, 'search')
    })

    test('a word that has not ended yet', async () => {
      const page = await palette('batt')
      expect(await page.locator('.found-text mark').first().textContent()).toMatch(/^batt/i)
    })

    test('arrows choose, Enter goes to the very place, and what was looked for goes along', async () => {
      const page = await palette('cache keyed')
      const field = page.getByRole('combobox')
      const options = page.getByRole('option')
      expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
      const many = await options.count()
      await page.keyboard.press('ArrowUp')
      expect(await field.getAttribute('aria-activedescendant')).toBe(await options.nth(many - 1).getAttribute('id'))
      await page.keyboard.press('ArrowDown')
      expect(await options.first().getAttribute('aria-selected')).toBe('true')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toMatch(/\/c\/2ab65b76-[0-9a-f-]+\?q=cache%20keyed#07338147-[0-9a-f-]{27}$/)
      expect(await page.getByRole('combobox', { name: 'Search all conversations' }).count()).toBe(0)
      await page.getByText('is the tide cache keyed by date only?').first().waitFor()
      await keepScreen(page, 'search-jump')
    })

    test('a hit inside of a subagent leads into the subagent', async () => {
      const page = await palette('phases fixture in:replies')
      const hit = page.getByRole('option').filter({ hasText: 'subagent' }).first()
      await hit.click()
      await expect.poll(() => page.url()).toMatch(/\/c\/[0-9a-f-]{36}\/[0-9a-f]+\?q=[^#]+#[0-9a-f-]{36}$/)
    })

    test('filters as chips, typed or pressed, and taken away again', async () => {
      const page = await palette('project:tide since:90d the')
      expect(await page.getByRole('combobox').inputValue()).toBe('the')
      expect(await chips(page)).toEqual(['project: tide ×', 'since: 90d ×'])
      for (const project of await page.locator('.found-project').allInnerTexts()) expect(project).toBe('tidewatch')
      await page.getByRole('button', { name: 'Prompts' }).click()
      await expect
        .poll(async () => new Set(await page.locator('.found-field').allInnerTexts()))
        .toEqual(new Set(['Prompt']))
      await page.getByRole('button', { name: 'Remove the filter project tide' }).click()
      await expect.poll(() => page.locator('.found-project').allInnerTexts()).toContain('dotfiles')
      await page.getByRole('button', { name: 'Today' }).click()
      await page.getByText('No word matches').waitFor()
      await page.getByRole('button', { name: 'Search without filters' }).click()
      await page.locator('.found-place').first().waitFor()
      await keepScreen(page, 'search-filters')
    })

    test('a backspace in the empty field takes the last filter away', async () => {
      const page = await palette()
      await page.keyboard.type('tool:Bash ')
      await expect.poll(() => chips(page)).toEqual(['Any time', 'tool: Bash ×'])
      // A tool is something to look for by itself.
      await page.locator('.found-place').first().waitFor()
      await page.keyboard.press('Backspace')
      await expect.poll(() => chips(page)).toEqual(['Any time'])
    })

    test('what stands inside of words is looked for when no word matches', async () => {
      const page = await palette()
      let answer = (): void => undefined
      const said = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route(/[?&]deep=1/, async (route) => {
        await said
        await route.continue()
      })
      await page.keyboard.type('idewatc')
      await page.getByText('Looking inside words').waitFor()
      answer()
      await page.locator('.found-place').first().waitFor()
      await expect.poll(() => status(page)).toMatch(/inside of words/)
      await page.getByRole('combobox').fill('zzyyxxqq')
      await page.getByText('No word matches; looked inside words too.').waitFor()
      await keepScreen(page, 'search-nothing')
    })

    test('what was looked for lately stands there the next time', async () => {
      const page = await palette('project:tidewatch moon')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain('/c/')
      await page.keyboard.press('Control+k')
      await page.getByRole('option', { name: 'project:tidewatch moon' }).waitFor()
      await keepScreen(page, 'search-recent')
      await page.keyboard.press('Enter')
      expect(await page.getByRole('combobox').inputValue()).toBe('moon')
      await page.locator('.found-place').first().waitFor()
      await page.getByRole('combobox').fill('')
      await page.keyboard.press('Backspace')
      await page.getByRole('button', { name: 'Forget them' }).click()
      expect(await page.getByRole('option').count()).toBe(0)
      await page.keyboard.press('Escape')
      expect(await page.getByRole('combobox').count()).toBe(0)
    })

    test('an answer that comes late does not replace a newer one', async () => {
      const page = await palette()
      await page.route(/\/api\/search\?q=moon&/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 800))
        await route.continue().catch(() => undefined)
      })
      const asked = page.waitForRequest(/\/api\/search\?q=moon&/)
      await page.getByRole('combobox').fill('moon')
      await asked
      await page.getByRole('combobox').fill('battery')
      await page
        .locator('.found-text mark', { hasText: /battery/i })
        .first()
        .waitFor()
      await page.waitForTimeout(1000)
      expect(await page.locator('.found-text mark').first().textContent()).toMatch(/battery/i)
    })

    test('a search that fails says so, and can be tried again', async () => {
      const page = await palette()
      let isBroken = true
      await page.route(/\/api\/search/, (route) =>
        isBroken ? route.fulfill({ status: 500, json: { error: 'the index is gone' } }) : route.continue(),
      )
      // At once: what is typed letter by letter is asked for letter by letter, and the last of them would be answered.
      await page.getByRole('combobox').fill('tide')
      await page.getByRole('alert').getByText('the index is gone').waitFor()
      isBroken = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.found-place').first().waitFor()
    })
  })

  describe('usage', () => {
    test('a chart in time, a table of the same, and the sum of it', async () => {
      const page = await come('/usage?range=all', '.usage-canvas canvas')
      expect(await page.locator('.usage-sum b').textContent()).toBe('$1.12')
      expect(await page.locator('tbody .usage-key').allInnerTexts()).toEqual([
        'Thu, 29 Oct 2026',
        'Wed, 28 Oct 2026',
        'Tue, 27 Oct 2026',
      ])
      expect(await page.locator('tfoot .cost').textContent()).toBe('$1.12')
      expect(await page.locator('.usage-notes').textContent()).toMatch(
        /known only in part.*List prices of \d{4}-\d\d-\d\d/s,
      )
      await keepScreen(page, 'usage')
      const box = await page.locator('.u-over').boundingBox()
      if (box === null) throw new Error('there is no chart')
      await page.mouse.move(box.x + box.width / 6, box.y + box.height * 0.8)
      await expect.poll(() => page.locator('.usage-tip').textContent()).toMatch(/^Tue, 27 Oct 2026.*All\$0\.67$/)
      await page.mouse.click(box.x + box.width / 6, box.y + box.height * 0.8)
      await page.locator('.explained').waitFor()
      expect(await page.locator('.side-panel h2').textContent()).toBe('Tue, 27 Oct 2026: $0.67')
      expect(new URL(page.url()).searchParams.get('explain')).toBe('day:2026-10-27')
      expect(await page.locator('.explained dt').allInnerTexts()).toEqual(
        expect.arrayContaining(['Read', 'Folded', 'Price', 'Sum']),
      )
      await keepScreen(page, 'usage-explain')
    })

    test.each([
      ['week', 1],
      ['month', 1],
      ['model', 2],
      ['project', 2],
      ['session', 5],
      ['agent', 4],
    ])('by %s', async (by, rows) => {
      const page = await come('/usage?range=all', 'tbody tr')
      await page.getByRole('group', { name: 'By' }).getByRole('button', { name: by }).click()
      await expect.poll(() => page.locator('thead th').first().textContent()).toMatch(new RegExp(`^${by}`, 'i'))
      await expect.poll(() => page.locator('tbody tr').count()).toBe(rows)
      expect(new URL(page.url()).searchParams.get('by')).toBe(by)
      expect(await page.locator('tfoot .cost').textContent()).toBe('$1.12')
      await page.locator('.usage-canvas canvas').waitFor()
      await keepScreen(page, `usage-${by}`)
    })

    test('rows are sorted by any column, both ways', async () => {
      const page = await come('/usage?range=all&by=session', 'tbody tr')
      const messages = async () => (await page.locator('tbody .messages').allInnerTexts()).map(Number)
      const head = page.getByRole('columnheader', { name: /messages/i })
      await head.getByRole('button').click()
      expect(await head.getAttribute('aria-sort')).toBe('descending')
      expect(await messages()).toEqual([...(await messages())].sort((one, other) => other - one))
      await head.getByRole('button').click()
      expect(await head.getAttribute('aria-sort')).toBe('ascending')
      expect(await messages()).toEqual([...(await messages())].sort((one, other) => one - other))
      expect(new URL(page.url()).search).toBe('?by=session&range=all&sort=messages&order=up')
    })

    test('cost or tokens', async () => {
      const page = await come('/usage?range=all&by=model', 'tbody tr')
      const widths = () =>
        page.locator('.usage-bar i').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('style')))
      const before = await widths()
      await page.getByRole('button', { name: 'Tokens' }).click()
      await expect.poll(widths).not.toEqual(before)
      expect(new URL(page.url()).searchParams.get('measure')).toBe('tokens')
    })

    test('a range with nothing in it, and one of one’s own', async () => {
      const page = await come('/usage?range=custom&since=2026-01-01&until=2026-01-31', '.state')
      await page.getByText('No tokens were used in this time').waitFor()
      await keepScreen(page, 'usage-empty')
      await page.getByRole('button', { name: 'Show all of it' }).click()
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3)
      await page.getByRole('button', { name: 'Custom' }).click()
      await page.getByLabel('From').fill('2026-10-28')
      await page.getByLabel('Up to and with').fill('2026-10-28')
      await expect.poll(() => page.locator('tbody .usage-key').allInnerTexts()).toEqual(['Wed, 28 Oct 2026'])
    })

    test('with the keyboard alone: a row opens, Escape closes it and gives the focus back', async () => {
      const page = await come('/usage?range=all&by=session', 'tbody tr')
      const row = page.getByRole('button', { name: 'Moon phase beside the tide table' })
      await row.focus()
      await page.keyboard.press('Enter')
      await page.locator('.explained').waitFor()
      expect(await row.getAttribute('aria-expanded')).toBe('true')
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
      expect(await page.getByRole('link', { name: 'Open the conversation' }).getAttribute('href')).toMatch(
        /^\/c\/a43e0f11-/,
      )
      await page.keyboard.press('Escape')
      expect(await page.locator('.side-panel').count()).toBe(0)
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Moon phase beside the tide table')
    })

    test('what the server refuses is said', async () => {
      const page = await come('/usage?range=all&explain=day:1999-01-01', '.side-panel [role=alert]')
      expect(await page.locator('.side-panel [role=alert]').textContent()).toContain('there is no row')
    })
  })

  describe('journal', () => {
    test('the last day first, and from day to day', async () => {
      const page = await come('/journal', '.journal-day .markdown')
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Thursday, 29 October 2026')
      expect(await page.getByRole('heading', { level: 2, name: 'dotfiles' }).count()).toBe(1)
      await keepScreen(page, 'journal')
      await page.getByRole('link', { name: /^Earlier day/ }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/journal/2026-10-28')
      await page.getByRole('link', { name: /^Later day/ }).click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/journal/2026-10-29')
      await page
        .getByRole('navigation', { name: 'Days' })
        .getByRole('link', { name: /Tue 27/ })
        .click()
      await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Tuesday, 27 October 2026')
      expect(await page.title()).toBe('Tuesday, 27 October 2026 · Clew')
    })

    test('a citation leads to its record', async () => {
      const page = await come('/journal/2026-10-29', '.code-link')
      const link = page.locator('.code-link', { hasText: '8e8a4192#' }).first()
      await link.click()
      await expect.poll(() => page.url()).toMatch(/\/c\/8e8a4192-[0-9a-f-]+#[0-9a-f-]{36}$/)
    })

    test('a day with nothing in it', async () => {
      const page = await come('/journal/2026-10-20', '.state')
      await page.getByText('Nothing to tell of this day').waitFor()
      expect(await page.getByRole('link', { name: 'Later day: Tuesday, 27 October 2026' }).count()).toBe(1)
      await keepScreen(page, 'journal-empty')
    })
  })

  describe('health', () => {
    test('totals, what will be deleted, problems by kind', async () => {
      const page = await come('/health', '.health-totals')
      expect(await page.locator('.health-totals').textContent()).toMatch(/^Files11.*Bytes lost367Problems1/)
      expect(await page.locator('.retention').textContent()).toMatch(/cleanupPeriodDays/)
      expect(await page.locator('.keep-line').textContent()).toBe('"cleanupPeriodDays": 3650')
      expect(await page.locator('.kind').first().textContent()).toMatch(/Bytes losta record was cut off/i)
      await keepScreen(page, 'health')
    })

    test('a position opens the raw line, and leads to its conversation', async () => {
      const page = await come('/health', '.kind')
      await page.getByRole('button', { name: 'line 14' }).click()
      await page.locator('.raw-text').waitFor()
      expect(await page.locator('.raw-text').textContent()).toMatch(/^\{"parentUuid":"6de3693b/)
      await keepScreen(page, 'health-raw-line')
      expect(new URL(page.url()).searchParams.get('offset')).toBe('6602')
      await page.reload()
      await page.locator('.raw-text').waitFor()
      await page.getByRole('link', { name: 'Open the conversation here' }).click()
      await expect.poll(() => page.url()).toMatch(/\/c\/8e8a4192-[0-9a-f-]+#@6602$/)
    })

    test('an address that leads to nothing', async () => {
      const page = await come('/health?file=../../etc/passwd&line=1&offset=0&length=10', '.side-panel [role=alert]')
      expect(await page.locator('.side-panel').textContent()).toContain('there is no such file')
    })
  })

  test('with nothing there at all, every page says so', async () => {
    const empty = await openViewer(browser, newFolder('empty'))
    const page = await empty.open('/')
    for (const [path, words] of [
      ['/usage', 'No tokens were used'],
      ['/journal', 'The notebook is empty'],
      ['/health', 'No transcripts yet'],
    ] as const) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByText(words).waitFor()
    }
    await page.context().close()
    await empty.close()
  })

  test('while a page waits and when it fails, it says so', async () => {
    for (const [path, question] of [
      ['/usage', 'usage'],
      ['/journal', 'journal/days'],
      ['/health', 'health'],
    ] as const) {
      const page = window
      let answer: (() => void) | null = null
      await page.route(`**/api/${question}*`, async (route) => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        await route.fulfill({ status: 500, json: { error: 'the disk is on fire' } })
      })
      await page.goto(`${origin}${path}`)
      await page.locator('.state.loading').waitFor()
      const tell = setInterval(() => answer?.(), 20)
      await page.getByText('the disk is on fire').first().waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBeGreaterThan(0)
      clearInterval(tell)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  test.each(PAGES)('nothing serious for axe to say, light or dark: %s', async (path) => {
    const page = await viewer.open(path, { bypassCSP: true })
    await page.locator('.table, .journal-day .markdown, .kind').first().waitFor()
    if (path.includes('explain')) await page.locator('.explained').waitFor()
    if (path === '/usage?range=all') await page.locator('.usage-canvas canvas').waitFor()
    const keepBoth = async (name: string): Promise<void> => {
      await keepScreen(page, `${name}-dark`)
      await page.emulateMedia({ colorScheme: 'light' })
      await keepScreen(page, `${name}-light`)
    }
    expect(await seriousFindings(page)).toEqual([])
    await keepBoth(nameOf(path))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('project:tide the')
    await page.locator('.found-place').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await keepBoth(`${nameOf(path)}-search`)
    await page.context().close()
  })

  test.each([390, 1600])('nothing is wider than a screen of %i', async (width) => {
    await window.setViewportSize({ width, height: 844 })
    for (const path of [...PAGES, '/usage?range=all&by=session', '/health?file=x&line=1&offset=0&length=1']) {
      const page = await come(path, '.table, .journal-day .markdown, .kind')
      await page.waitForTimeout(150)
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width])
      await keepScreen(page, `${nameOf(path)}-${width}`)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('the')
      await page.locator('.found-place').first().waitFor()
      const box = await page.locator('dialog').boundingBox()
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 9e9) <= width).toBe(true)
      expect((box?.y ?? 0) + (box?.height ?? 9e9)).toBeLessThanOrEqual(844)
      if (path === '/health') await keepScreen(page, `search-${width}`)
    }
  })
})

/** Of a screenshot. */
function nameOf(path: string): string {
  return path.replace(/\W+/g, '-').slice(1)
}
