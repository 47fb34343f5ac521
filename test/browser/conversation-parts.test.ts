// What a conversation can show beside words, in a real browser: what was spilled, lists with their states, the colours of
// a terminal, images, what is too heavy to come along, what nobody has met before; and a conversation that is gone.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionId, talk, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { seriousFindings } from './findings.ts'
import { SHOWN, shownFiles } from './shown-session.ts'
import { reach, rowsShown } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 20_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}the parts of a conversation`, () => {
  const root = newFolder('claude')
  const deleted = sessionId('b')
  let browser: Browser
  let viewer: Viewer
  let page: Page
  const noticed: string[] = []

  beforeAll(async () => {
    writeBelow(root, { ...shownFiles(), [`projects/-r/${deleted}.jsonl`]: talk(deleted, 'When is high water?') })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    await viewer.indexed
    // Wherever axe looks, too.
    page = await viewer.open(`/c/${SHOWN}`, { bypassCSP: true })
    page.on('pageerror', (error) => noticed.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') noticed.push(message.text())
    })
    await rowsShown(page)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  /** The call with this text in its line, open and in view. */
  async function opened(text: string): Promise<Locator> {
    await reach(page, `.call:has-text("${text}")`)
    const call = page.locator('.call', { has: page.locator('.call-line', { hasText: text }) }).first()
    const line = call.locator('.call-line')
    if ((await line.getAttribute('aria-expanded')) === 'false') await line.click()
    await call.locator('.call-inside:not(.is-loading)').waitFor()
    await call.scrollIntoViewIfNeeded()
    return call
  }

  const all = (selector: string, of: string): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => ${of})`)
  const widths = (selector: string): Promise<unknown> => all(selector, 'one.naturalWidth')

  test('an image in a prompt is shown, an SVG never is, whatever it is called', async () => {
    const shown = page.locator('.row-prompt .image img')
    await soon(() => widths('.row-prompt .image img')).toEqual([120])
    expect(await shown.first().getAttribute('src')).toMatch(/^\/api\/conversations\/[0-9a-f-]+\/image\?/)
    await soon(() => page.locator('.row-prompt .images').textContent()).toContain('cannot be shown')
    expect(await shown.count()).toBe(1)
    await keepScreen(page, 'images')
  })

  test('thinking is folded; where it was not kept, that is said', async () => {
    const fold = page.locator('.thinking .fold-line').first()
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    expect(await fold.textContent()).toContain('Springs come after')
    expect(await page.locator('.thinking.note').textContent()).toBe('Thinking was not stored by this client')
  })

  test('a block and a record nobody has met before are raw cards, and no error', async () => {
    const block = page.locator('.unknown', { hasText: 'hologram' })
    await block.getByRole('button', { name: 'Show raw JSON' }).click()
    await page.getByRole('dialog').getByText('msg_shown-2').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
    await reach(page, '.unknown:has-text("tide-mark")')
    const record = page.locator('.unknown', { hasText: 'tide-mark' })
    expect(await record.textContent()).toContain('Unknown record')
    await record.getByRole('button', { name: 'Show raw JSON' }).click()
    await page.getByRole('dialog').getByText('4.2').waitFor()
    await keepScreen(page, 'unknown-record')
    await page.keyboard.press('Escape')
    await page.evaluate(`document.querySelector('.talk-scroll').scrollTop = 0`)
  })

  test('what was spilled comes when it is opened, and not before', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const call = await opened('tide --all')
    expect(await call.textContent()).not.toContain('line 2999')
    expect(asked.filter((path) => path.endsWith('/spill'))).toEqual([])
    expect(await call.locator('.spill-path').textContent()).toBe('b1234abcd.txt')
    const button = call.getByRole('button', { name: /^Open the whole output \(\d+ kB\)$/ })
    await keepScreen(page, 'spill-closed')
    await button.click()
    await soon(() => call.textContent()).toContain('line 3000 of the tide table')
    expect(asked.filter((path) => path.endsWith('/spill'))).toHaveLength(1)
    await keepScreen(page, 'spill')
    await call.locator('.call-line').click()
  })

  test('todos and tasks are lists, each with its state', async () => {
    const states = async (call: Locator): Promise<readonly string[]> => {
      const marks = await call.getByRole('img').all()
      const texts = await call.locator('.todo-text').allTextContents()
      return Promise.all(marks.map(async (mark, place) => `${await mark.getAttribute('aria-label')}: ${texts[place]}`))
    }
    const call = await opened('1 of 3 done')
    expect(await states(call)).toEqual([
      'done: Read the harbour feed',
      'in progress: Draw the curve',
      'to do: Warn about springs',
    ])
    expect(await states(await opened('Mend the gauge'))).toEqual(['to do: Mend the gauge: It reads 4 cm high'])
    expect(await states(await opened('1 → in_progress'))).toEqual(['in progress: Task 1'])
    expect(await states(await opened('TaskList'))).toEqual(['done: Mend the gauge', 'to do: Paint the gauge'])
    await call.scrollIntoViewIfNeeded()
    await keepScreen(page, 'todos')
  })

  test('the colours of a terminal are colours, and no escape is seen', async () => {
    const call = await opened('npm test --color')
    const output = call.locator('.terminal')
    expect(await output.textContent()).toBe('✓ 12 passed\n✗ 1 failed\nyellow on blue done')
    expect(await output.locator('.ansi-fg-green.ansi-bold').textContent()).toBe('✓')
    expect(await output.locator('.ansi-fg-red').textContent()).toBe('✗ 1 failed')
    expect(await output.locator('.ansi-bg-blue').textContent()).toBe('on blue')
    const colours = (await all('.terminal [class*=ansi-fg]', 'getComputedStyle(one).color')) as readonly string[]
    expect(new Set(colours).size).toBe(colours.length)
    await keepScreen(page, 'terminal')
    const hostile = await opened('cat hostile.txt')
    const text = (await hostile.locator('.terminal').textContent()) ?? ''
    expect(text.split('\n').slice(0, 3)).toEqual(['click', 'safeforged', 'titled'])
    expect(text).toContain('<img src=x onerror="window.ran = 1">')
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|javascript:|owned|cm0g/)
    expect(await hostile.locator('.terminal a, .terminal img').count()).toBe(0)
    expect(await page.evaluate(`'ran' in window`)).toBe(false)
    expect(await page.title()).not.toContain('owned')
    await keepScreen(page, 'terminal-hostile')
  })

  test('an image in a result is shown, and one that is not shown is said', async () => {
    const call = await opened('curve.png')
    await soon(() => widths('.call-inside .image img')).toEqual([120])
    expect(await call.locator('.output').count()).toBe(0)
    expect(await call.locator('.call-inside').textContent()).toContain('An image of a kind that is not shown')
    expect(await page.evaluate(`'ran' in window`)).toBe(false)
    await keepScreen(page, 'image-in-result')
  })

  test('questions with what was answered, and a plan as Markdown', async () => {
    const call = await opened('Which datum?')
    const questions = call.locator('.question')
    expect(await questions.count()).toBe(3)
    expect(await questions.nth(0).locator('.is-chosen').textContent()).toContain('Mean sea level')
    expect(await questions.nth(1).locator('.answer').textContent()).toBe('Answer: Fathoms, please')
    expect(await questions.nth(2).locator('.answer').textContent()).toBe('No answer')
    await keepScreen(page, 'questions')
    const plan = await opened('ExitPlanMode')
    expect(await plan.locator('.plan .markdown strong').textContent()).toBe('feed')
    expect(await plan.locator('.plan li').count()).toBe(2)
    await keepScreen(page, 'plan')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('what is too heavy to come along is named, and comes when it is wanted', async () => {
    await reach(page, '.heavy')
    const heavy = page.locator('.heavy')
    expect(await heavy.textContent()).toMatch(/^prompt of 6\d\d kB/)
    await keepScreen(page, 'heavy')
    await heavy.getByRole('button', { name: 'Show it' }).click()
    const row = page.locator('article', { hasText: 'Here is the log.' })
    await row.locator('.prompt').waitFor()
    expect(await row.textContent()).not.toContain('That was it.')
    await reach(page, 'article:has-text("Here is the log.") .cut button')
    await row.getByRole('button', { name: /^Show all \(6\d\d kB\)$/ }).click()
    await soon(() => row.textContent()).toContain('That was it.')
    await soon(() => page.evaluate(`document.querySelector('.talk-scroll').scrollHeight`)).toBeGreaterThan(100_000)
  })

  test('on paper nothing of the frame is left, and what is open stays open', async () => {
    await page.evaluate(`document.querySelector('.talk-scroll').scrollTop = 0`)
    await opened('1 of 3 done')
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await page.emulateMedia({ media: 'print' })
    const seen = `[...document.querySelectorAll('.bar, .banner, .talk-bar, .outline, .row-menu, .call-links')].filter((one) => one.checkVisibility()).length`
    expect(await page.evaluate(seen)).toBe(0)
    expect(await page.locator('.todos').first().isVisible()).toBe(true)
    await keepScreen(page, 'print')
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
  })

  test('one whose file was deleted says so, what is known of it, and what to do', async () => {
    const other = await viewer.open('/', { bypassCSP: true })
    rmSync(join(root, 'projects', '-r', `${deleted}.jsonl`))
    const row = other.locator('.conversation', { hasText: 'When is high water?' })
    await row.locator('.badge', { hasText: 'deleted' }).waitFor()
    await row.click()
    await other.getByText('The file of this conversation was deleted').waitFor()
    expect(await other.locator('h1').textContent()).toBe('When is high water?')
    const main = (await other.locator('main').textContent()) ?? ''
    for (const known of ['/home/ada/tidewatch', '1 Mar 2026', `${deleted}.jsonl`, 'clew archive'])
      expect(main).toContain(known)
    expect(await other.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
    expect(await seriousFindings(other)).toEqual([])
    await keepScreen(other, 'deleted')
    await other.getByRole('link', { name: 'All conversations', exact: true }).click()
    await soon(() => new URL(other.url()).pathname).toBe('/')
    await other.context().close()
  })

  test('one that never was leads back to those that are', async () => {
    const other = await viewer.open(`/c/${sessionId('c')}`)
    await other.getByText('there is no such conversation').waitFor()
    await keepScreen(other, 'no-such-conversation')
    await other.getByRole('link', { name: /^Look for it/ }).click()
    await other.locator('.conversation').first().waitFor()
    await other.context().close()
  })

  test('nothing went wrong on the way', () => {
    // An image that is none was asked for, and refused.
    expect(noticed.filter((message) => !/status of 404/.test(message))).toEqual([])
  })
})
