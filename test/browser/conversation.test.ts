// A conversation in a real browser, over the bundled sample: what a reader sees, opens, follows and copies.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sample } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { seriousFindings } from './findings.ts'
import { leftBelow, openCall, reach, rowsShown, toTop } from './talk-page.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

/** Machines that test are busy. */
const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 20_000 })

const DAYS = '/c/2ab65b76-d18a-44c3-9987-9ebb221d7c35'

describe.skipIf(browserPath === null)(`${needsBrowser}a conversation`, () => {
  let browser: Browser
  let viewer: Viewer
  let page: Page
  const noticed: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    viewer = await openViewer(browser, sample, { isSample: true })
    page = await viewer.open(DAYS, { permissions: ['clipboard-read', 'clipboard-write'] })
    page.on('pageerror', (error) => noticed.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') noticed.push(message.text())
    })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  async function come(path: string): Promise<void> {
    await page.goto('about:blank')
    await page.goto(new URL(path, origin).href)
    await rowsShown(page)
  }
  let origin = ''
  beforeAll(() => {
    origin = new URL(page.url()).origin
  })
  const text = (selector: string): Promise<string | null> => page.locator(selector).first().textContent()
  const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()') as Promise<string>
  const focusedTurn = (): Promise<unknown> => page.evaluate(`document.activeElement?.dataset?.turn ?? null`)
  const currentTurn = (): Promise<unknown> =>
    page.evaluate(`document.querySelector('.outline [aria-current] .outline-number')?.textContent ?? null`)

  test('its head says what it is, and begins at the beginning', async () => {
    await come(DAYS)
    expect(await text('h1')).toBe('Local days instead of 24 hours')
    expect(await page.title()).toBe('Local days instead of 24 hours · Clew')
    await soon(() => text('.facts')).toMatch(/tidewatch.*fix\/local-days.*opus-5-5.*27 Oct 2026.*11 turns.*\$0\.\d\d/)
    expect(await page.locator('.talk-badges li').allInnerTexts()).toEqual([
      'compacted once',
      '2 branches',
      '3 subagents',
    ])
    expect(await text('.relatives')).toContain('f03e2afd')
    expect(await text('article .plain-text')).toContain('Since the clocks went back on Sunday')
    expect(await page.evaluate(`document.querySelector('.talk-scroll').scrollTop`)).toBe(0)
    await keepScreen(page, 'conversation')
  })

  test('a prompt is text, a reply is Markdown, code gets its colours', async () => {
    await come(DAYS)
    expect(await page.locator('.row-prompt .markdown').count()).toBe(0)
    await reach(page, '.row-reply .markdown ol')
    expect(await page.locator('.row-reply .markdown table').first().locator('th').allInnerTexts()).toEqual(
      expect.arrayContaining(['Date']),
    )
    await come(`${DAYS}?branch=1`)
    await reach(page, '.code')
    await soon(() => page.locator('.code .t-keyword').count()).toBeGreaterThan(0)
    await page.locator('.code .copy').first().click()
    await soon(copied).toContain('DateTime.fromMillis')
  })

  test('thinking is folded, with its first words', async () => {
    await come(DAYS)
    const thinking = page.locator('.thinking .fold-line').first()
    expect(await thinking.textContent()).toMatch(/^Thinking An hour late/)
    expect(await thinking.getAttribute('aria-expanded')).toBe('false')
    await thinking.click()
    expect(await thinking.getAttribute('aria-expanded')).toBe('true')
    expect(await page.locator('.thinking .fold-inside').first().textContent()).toContain('An hour late')
  })

  test('a tool call is one line that says how it ended, and opens', async () => {
    await come(DAYS)
    const failed = openCall(page, 'npx vitest run test/clock.test.ts')
    expect(await failed.locator('.call-status').textContent()).toBe('failed')
    await failed.locator('.call-line').click()
    await failed.locator('.output').waitFor()
    expect(await failed.locator('.shell-line pre').textContent()).toContain('npx vitest run test/clock.test.ts')
    expect(await failed.locator('.output h4').textContent()).toBe('Failed')
    await failed.getByRole('button', { name: 'Raw call' }).click()
    await page.getByRole('dialog').getByText('tool_use').first().waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('an edit is a real diff', async () => {
    await come(DAYS)
    await reach(page, '.call:has-text("src/tides/day.ts"):has(.call-changed)')
    const edit = page.locator('.call:has(.call-changed)', { hasText: 'src/tides/day.ts' }).first()
    expect(await edit.locator('.call-changed').textContent()).toBe('+6 −6')
    await edit.locator('.call-line').click()
    await edit.locator('.diff').waitFor()
    expect(await edit.locator('.diff-added').count()).toBe(6)
    expect(await edit.locator('.diff-removed').count()).toBe(6)
    expect(await edit.locator('.diff-removed .diff-mark').first().textContent()).toBe('−')
    expect(await edit.locator('.diff-same .diff-number').first().textContent()).toBe('1')
    await edit.locator('.diff').scrollIntoViewIfNeeded()
    await keepScreen(page, 'diff')
  })

  test('a plan is Markdown, and what was spilled is opened on demand', async () => {
    await come(DAYS)
    await reach(page, '.call:has-text("ExitPlanMode")')
    await openCall(page, 'ExitPlanMode').locator('.call-line').click()
    await page.locator('.plan .markdown').waitFor()
  })

  test('a compaction is a rule across the page, its recap folded behind it', async () => {
    await come(DAYS)
    await reach(page, '.boundary')
    expect(await text('.boundary')).toMatch(/^Compacted · \d+ k → \d+ k tokens \(manual\)$/)
    const recap = page.locator('.recap .fold-line')
    expect(await recap.getAttribute('aria-expanded')).toBe('false')
    await recap.click()
    await page.locator('.recap .markdown').waitFor()
    expect(await page.locator('article[data-turn="8"]').count()).toBeGreaterThan(0)
    await keepScreen(page, 'compaction')
  })

  test('quiet records are one line that opens to their raw JSON', async () => {
    await come(DAYS)
    const quiet = page.locator('.quiet .fold-line').first()
    expect(await quiet.textContent()).toBe('5 records')
    await quiet.click()
    await page.locator('.quiet .fold-inside button').first().click()
    await page.getByRole('dialog').locator('.json').waitFor()
    await page.keyboard.press('Escape')
  })

  test('branches part at their row, and an abandoned one leads back', async () => {
    await come(DAYS)
    await reach(page, '.branches')
    expect(await text('.branches')).toMatch(/Branches from here● this oneabandoned: 1 turn, 27 Oct 2026/)
    await keepScreen(page, 'branch')
    await page.locator('.branches a').first().click()
    await soon(() => page.url()).toContain('branch=1')
    await page.locator('.talk-note', { hasText: 'abandoned branch' }).waitFor()
    await soon(() => page.locator('article.is-target').count()).toBe(1)
    await page.getByRole('link', { name: 'Back to the live branch' }).click()
    await soon(() => page.url()).not.toContain('branch=')
    await page.locator('.branches').waitFor()
    await page.keyboard.press(']')
    await soon(() => page.url()).toContain('branch=1')
    await page.keyboard.press('[')
    await soon(() => page.url()).not.toContain('branch=')
    // What had the keyboard is gone with the branch, which is no reason to begin at the top of the page.
    await rowsShown(page)
    await soon(() => page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('subagents open in place, within each other, and on their own page', async () => {
    await come(DAYS)
    await reach(page, '.agent-card')
    const card = page.locator('.agent-card').first()
    expect(await card.textContent()).toMatch(/general-purpose.*Find 24-hour days.*1 turn · 8 records.*\$0\.\d\d/)
    await card.locator('.agent-open').click()
    await page.locator('.place.depth-1 article').first().waitFor()
    await reach(page, '.place.depth-1 .agent-card')
    await page.locator('.place.depth-1 .agent-open').first().click()
    await page.locator('.place.depth-2 article').first().waitFor()
    await keepScreen(page, 'nested-subagents')
    await page.getByRole('button', { name: 'Close Explore' }).click()
    await soon(() => page.locator('.place.depth-2').count()).toBe(0)
    await page.locator('.place.depth-1').getByRole('link', { name: 'Open on its own' }).first().click()
    await soon(() => page.url()).toMatch(/\/c\/[0-9a-f-]{36}\/\w+$/)
    await page.locator('.crumbs').waitFor()
    expect(await text('h1')).toBe('Read the calendar feed')
    await rowsShown(page)
    // The branches are those of the conversation.
    await page.keyboard.press(']')
    await page.waitForTimeout(200)
    expect(page.url()).toMatch(/\/c\/[0-9a-f-]{36}\/\w+$/)
    await page.locator('.crumbs a').click()
    await soon(() => page.url()).toMatch(/\/c\/[0-9a-f-]{36}$/)
  })

  test('the two readings, and what the model saw at some turn', async () => {
    await come(DAYS)
    const rowsBefore = Number(await page.evaluate(`document.querySelectorAll('.outline li').length`))
    await page.getByRole('link', { name: 'What the model saw' }).click()
    await soon(() => page.url()).toContain('reading=context')
    await page.locator('.talk-note', { hasText: 'What the model sees' }).waitFor()
    await rowsShown(page)
    expect(await page.locator('.outline li').count()).toBeLessThan(rowsBefore)
    await page.getByRole('button', { name: 'Back to what was said' }).click()
    await rowsShown(page)
    await page.locator('.turn-head .row-menu-button').first().click()
    await page.getByRole('menuitem', { name: 'What the model saw here' }).click()
    await soon(() => page.url()).toMatch(/reading=context&at=0\.\d+\.\d+/)
    await page.locator('.talk-note', { hasText: 'What the model saw at this point' }).waitFor()
  })

  test('what the model saw is gone to from an abandoned branch, and back', async () => {
    const note = (text: string) => page.locator('.talk-note', { hasText: text }).waitFor()
    await come(`${DAYS}?branch=1`)
    await page.getByRole('link', { name: 'What the model saw' }).click()
    await note('What the model sees')
    await rowsShown(page)
    await page.keyboard.press(']')
    await note('abandoned branch')
    await rowsShown(page)
    await page.locator('.turn-head .row-menu-button').first().click()
    await page.getByRole('menuitem', { name: 'What the model saw here' }).click()
    await note('What the model saw at this point')
    await page.locator('article.is-target').waitFor()
  })

  test('a link to a record opens there, on whatever branch it is', async () => {
    await come(DAYS)
    await reach(page, 'article[data-turn="6"]')
    await page.locator('article[data-turn="6"] .row-menu-button').first().click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await soon(copied).toMatch(/\/c\/[0-9a-f-]{36}#[0-9a-f-]{36}$/)
    await come(await copied())
    await page.locator('article.is-target[data-turn="6"]').waitFor()
    await soon(focusedTurn).toBe('6')
    const abandoned = `${DAYS}?branch=1`
    await come(abandoned)
    await page.keyboard.press('Shift+G')
    await soon(focusedTurn).toBe('3')
    // The last row is a quiet one; the prompt of the turn has a uuid.
    await page.keyboard.press('k')
    await soon(() => page.evaluate(`document.activeElement.className`)).toContain('row-prompt')
    await page.keyboard.press('y')
    await soon(copied).toContain('branch=1#')
    const record = (await copied()).split('#')[1]
    await come(`${DAYS}#${record}`)
    await soon(() => page.url()).toContain('branch=1')
    await page.locator('article.is-target').waitFor()
    // With the words that were searched for.
    await come(`${DAYS}?q=fromMillis#${record}`)
    await soon(() => page.url()).toContain('branch=1')
    await soon(() => page.locator('.find input').inputValue()).toBe('fromMillis')
    await soon(() => text('.find-count')).toMatch(/found$| of \d+$/)
    await come(`${DAYS}#00000000-0000-4000-8000-000000000000`)
    await page.locator('.talk-note', { hasText: 'not in this conversation' }).waitFor()
  })

  test('j and k go by turns, gg and G to the ends, and the outline follows', async () => {
    await come(DAYS)
    expect(await page.locator('.outline li').count()).toBe(11)
    await soon(() => page.locator('.outline .opens-segment').count()).toBe(1)
    expect(await text('.outline .bad')).toBe(' · 1 failed')
    for (const turn of ['2', '3', '4']) {
      await page.keyboard.press('j')
      await soon(focusedTurn).toBe(turn)
      await soon(currentTurn).toBe(turn)
    }
    await page.keyboard.press('k')
    await soon(focusedTurn).toBe('3')
    await page.keyboard.press('Shift+G')
    await soon(() => leftBelow(page)).toBeLessThan(3)
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await soon(focusedTurn).toBe('1')
    await page.locator('.outline-turn').nth(8).click()
    await soon(focusedTurn).toBe('9')
  })

  test('e and E open and close what is in view, o what has the focus', async () => {
    await come(DAYS)
    await page.keyboard.press('e')
    await soon(() => page.locator('.call-inside').count()).toBeGreaterThan(0)
    await page.keyboard.press('Shift+E')
    await soon(() => page.locator('.call-inside').count()).toBe(0)
    await page.locator('.call-line').first().focus()
    await page.keyboard.press('o')
    await soon(() => page.locator('.call-inside').count()).toBe(1)
    await page.keyboard.press('o')
    await soon(() => page.locator('.call-inside').count()).toBe(0)
  })

  test('find marks the words, counts the rows and goes from one to the next', async () => {
    await come(DAYS)
    // The next key is typed into it, however soon it comes.
    const focused = await page.evaluate(`(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }))
      return document.activeElement.getAttribute('aria-label')
    })()`)
    expect(focused).toBe('Find in this conversation')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    // What is typed before the field has the focus would be keys of the page.
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('offset')
    await soon(() => text('.find-count')).toMatch(/^\d+ found$/)
    await soon(() => page.evaluate(`CSS.highlights.get('found')?.size ?? 0`)).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await soon(() => text('.find-count')).toMatch(/^1 of \d+$/)
    await page.keyboard.press('Enter')
    await soon(() => text('.find-count')).toMatch(/^2 of \d+$/)
    await page.locator('article.is-target').waitFor()
    await page.locator('.talk-scroll').focus()
    await page.keyboard.press('n')
    await soon(() => text('.find-count')).toMatch(/^3 of \d+$/)
    await page.keyboard.press('Shift+N')
    await soon(() => text('.find-count')).toMatch(/^2 of \d+$/)
    await come(`${DAYS}?q=luxon`)
    await soon(() => text('.find-count')).toMatch(/^1 of \d+$|^Not found$/)
    await page.locator('.find input').focus()
    await page.keyboard.press('Escape')
    expect(await page.locator('.find').count()).toBe(0)
    await soon(() => page.evaluate(`CSS.highlights.has('found')`)).toBe(false)
    // Who reads on with the keyboard does so where they are.
    expect(await page.evaluate(`document.activeElement.matches('article')`)).toBe(true)
  })

  test('what is searched for from within the same conversation is marked, counted and left again', async () => {
    await come(`${DAYS}?q=luxon`)
    await page.locator('.find').waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('.palette-field').fill('"CI is red"')
    await page.locator('.found-place').first().waitFor()
    await page.keyboard.press('Enter')
    await soon(() => page.locator('.find input').inputValue()).toBe('"CI is red"')
    await soon(() => text('.find-count')).toMatch(/^\d+ of \d+$/)
    await page.goBack()
    await soon(() => page.locator('.find input').inputValue()).toBe('luxon')
    // Whoever came by a search has the keyboard in what is read.
    await page.locator('.talk-scroll').focus()
    await page.keyboard.press('Escape')
    await soon(() => page.locator('.find').count()).toBe(0)
  })

  test('the keys that scroll do so from the start', async () => {
    const top = (): Promise<unknown> => page.evaluate(`document.querySelector('.talk-scroll').scrollTop`)
    for (const key of ['PageDown', 'End', 'Space', 'ArrowDown']) {
      await come(DAYS)
      await rowsShown(page)
      await page.keyboard.press(key)
      await soon(top).toBeGreaterThan(10)
    }
    // And where one has come back to it.
    await page.getByRole('link', { name: 'Journal' }).click()
    await page.locator('.journal-day').waitFor()
    await page.goBack()
    await rowsShown(page)
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('the timeline draws, zooms, says what is there and leads to it', async () => {
    await come(DAYS)
    await page.keyboard.press('t')
    const canvas = page.locator('.timeline canvas')
    await canvas.waitFor()
    const drawn = `(() => {
      const canvas = document.querySelector('.timeline canvas')
      const all = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
      const colours = new Set()
      for (let at = 0; at < all.length; at += 4) colours.add(all[at] + ' ' + all[at + 1] + ' ' + all[at + 2])
      return colours.size
    })()`
    await soon(() => page.evaluate(drawn)).toBeGreaterThan(6)
    expect(await page.locator('.timeline table tr').count()).toBe(11)
    await keepScreen(page, 'timeline')
    const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    for (let share = 0.02; share < 1 && (await page.locator('.timeline-hover').count()) === 0; share += 0.01)
      await page.mouse.move(box.x + box.width * share, box.y + 30)
    expect(await text('.timeline-hover')).toMatch(/^Turn \d+ · \d\d:\d\d:\d\d/)
    await canvas.focus()
    await page.keyboard.press('+')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    for (let share = 0.985; share > 0.9 && (await focusedTurn()) !== '11'; share -= 0.004) {
      await page.mouse.click(box.x + box.width * share, box.y + 30)
      await page.waitForTimeout(300)
    }
    await soon(focusedTurn).toBe('11')
    await page.keyboard.press('Escape')
  })

  test('it can be taken along: the resume command, Markdown', async () => {
    await come(DAYS)
    await page.getByRole('button', { name: 'Copy resume command' }).click()
    await soon(copied).toMatch(/claude --resume 2ab65b76/)
    await page.getByRole('button', { name: 'Copy as Markdown' }).click()
    await soon(copied).toContain('Since the clocks went back on Sunday')
    await page.locator('article[data-turn="1"] .row-menu-button').first().click()
    await page.getByRole('menuitem', { name: 'Copy turn as Markdown' }).click()
    await soon(async () => (await copied()).includes('CI is red')).toBe(false)
    await page.getByText('Before you resume').click()
    expect(await text('.files[open] dl')).toContain('mkdir -p /home/ada/tidewatch')
    await page.getByText('Raw', { exact: true }).click()
    expect(await text('.files ul code')).toMatch(/2ab65b76-d18a-44c3-9987-9ebb221d7c35\.jsonl$/)
  })

  test('the row that has the focus stays when one scrolls away', async () => {
    await come(DAYS)
    await page.keyboard.press('j')
    await soon(focusedTurn).toBe('2')
    await page.evaluate(`(async () => {
      const all = document.querySelector('.talk-scroll')
      for (let step = 0; step < 30; step++) {
        all.scrollTop += 400
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
      }
    })()`)
    await soon(currentTurn).not.toBe('2')
    expect(await focusedTurn()).toBe('2')
    await page.keyboard.press('j')
    await soon(focusedTurn).toBe('3')
  })

  test.each([1280, 390])('nothing serious is found, light or dark, on a screen of %i', async (width) => {
    const other = await viewer.open(DAYS, { bypassCSP: true, viewport: { width, height: 860 } })
    await rowsShown(other)
    await other.keyboard.press('e')
    await other.keyboard.press('t')
    await other.locator('.timeline canvas').waitFor()
    await other.keyboard.press('f')
    await other.locator('input:focus').waitFor()
    await other.keyboard.type('offset')
    await soon(() => other.locator('.call-inside').count()).toBeGreaterThan(0)
    await soon(() => other.locator('.call-inside.is-loading').count()).toBe(0)
    expect(await seriousFindings(other)).toEqual([])
    await reach(other, '.diff, .call:has(.call-changed)')
    await other.locator('.call:has(.call-changed) .call-line').first().click()
    await other.locator('.diff').first().waitFor()
    expect(await seriousFindings(other)).toEqual([])
    await reach(other, '.boundary')
    expect(await seriousFindings(other)).toEqual([])
    await keepScreen(other, `conversation-${width}-dark`)
    await other.emulateMedia({ colorScheme: 'light' })
    await keepScreen(other, `conversation-${width}`)
    if (width === 390) {
      expect(await other.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await other.locator('.talk-scroll').focus()
      await other.keyboard.press('t')
      await other.getByRole('button', { name: 'Turns' }).click()
      await other.locator('.outline-turn').nth(1).click()
      await soon(() => other.locator('.outline').isVisible()).toBe(false)
      await other.getByRole('button', { name: 'Turns' }).click()
      await other.locator('.outline-turn').nth(2).focus()
      await other.keyboard.press('Escape')
      await soon(() => other.locator('.outline').isVisible()).toBe(false)
      expect(await other.evaluate(`document.activeElement.className`)).toBe('talk-scroll')
      await toTop(other)
      await other.waitForTimeout(200)
      await keepScreen(other, 'conversation-390-top')
    }
    await other.context().close()
  })

  test('on paper every row that is here can be read', async () => {
    const other = await viewer.open(DAYS)
    await rowsShown(other)
    await other.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await other.emulateMedia({ media: 'print' })
    expect(await other.locator('article').count()).toBeGreaterThan(30)
    const visible = `[...document.querySelectorAll('.outline, .talk-bar')].filter((one) => one.checkVisibility()).length`
    expect(await other.evaluate(visible)).toBe(0)
    expect((await other.pdf()).byteLength).toBeGreaterThan(20_000)
    await other.context().close()
  })

  test('what is not there says so', async () => {
    const other = await viewer.open('/c/00000000-0000-4000-8000-000000000000')
    await other.getByText('there is no such conversation').waitFor()
    await other.getByRole('button', { name: 'Try again' }).waitFor()
    await keepScreen(other, 'conversation-failed')
    await other.context().close()
  })

  test('nothing went wrong on the way', () => {
    expect(noticed.filter((message) => !/status of 404/.test(message))).toEqual([])
  })
})
