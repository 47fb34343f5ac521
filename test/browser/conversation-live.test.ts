// A conversation that is written while it is read: who is at its end follows it, who is not is not moved, and what has
// changed places is found again.

import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonl, prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { isStill, leftBelow, rowsShown } from './talk-page.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 30_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}a conversation, live`, () => {
  const root = newFolder('claude')
  const [growing, running, passing] = [sessionId('a'), sessionId('c'), sessionId('d')]
  const path = join(root, 'projects', '-r', `${growing}.jsonl`)
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    writeBelow(root, {
      [`projects/-r/${growing}.jsonl`]: turns(growing, 1, 30),
      [`projects/-r/${running}.jsonl`]: turns(running, 1, 30),
      [`projects/-r/${passing}.jsonl`]: turns(passing, 1, 3),
      [`sessions/${process.pid}.json`]: JSON.stringify({
        pid: process.pid,
        sessionId: running,
        cwd: '/r',
        status: 'busy',
      }),
    })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    page = await viewer.open(`/c/${growing}`)
    await rowsShown(page)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const lastTurn = (): Promise<unknown> =>
    page.evaluate(`Math.max(...[...document.querySelectorAll('article')].map((one) => Number(one.dataset.turn)))`)
  const top = (): Promise<number> =>
    page.evaluate(`document.querySelector('.talk-scroll').scrollTop`) as Promise<number>
  /** Where the row stands on the screen. */
  const placeOf = (row: number): Promise<unknown> =>
    page.evaluate(`Math.round(document.querySelector('article[data-row="${row}"]')?.getBoundingClientRect().top ?? -1)`)

  test('who is at the end follows it', async () => {
    await page.keyboard.press('Shift+G')
    await soon(() => leftBelow(page)).toBeLessThan(3)
    for (const turn of [31, 32, 33]) {
      appendFileSync(path, jsonl(turns(growing, turn, turn)))
      await soon(lastTurn).toBe(turn)
      await soon(() => leftBelow(page)).toBeLessThan(3)
    }
    expect(await page.locator('.new-rows').count()).toBe(0)
    await soon(() => page.locator('.outline-head').textContent()).toBe('33 turns')
  })

  test('who reads elsewhere is not moved, and is told', async () => {
    await page.mouse.move(800, 500)
    await page.mouse.wheel(0, -2500)
    await soon(() => leftBelow(page)).toBeGreaterThan(1500)
    await soon(() => isStill(page)).toBe(true)
    const shown = `[...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().top > 150).dataset.row`
    const row = Number(await page.evaluate(shown))
    const before = await placeOf(row)
    appendFileSync(path, jsonl(turns(growing, 34, 36)))
    await page.locator('.new-rows').waitFor({ timeout: 30_000 })
    expect(await page.locator('.new-rows').textContent()).toMatch(/^\d+ new ↓$/)
    expect(await placeOf(row)).toBe(before)
    await page.locator('.new-rows').click()
    await soon(lastTurn).toBe(36)
    await soon(() => page.locator('.new-rows').count()).toBe(0)
  })

  test('a file that was written anew is read anew, at the same record', async () => {
    await page.evaluate(`document.querySelector('.talk-scroll').scrollTop = 1500`)
    await soon(() => isStill(page)).toBe(true)
    const row = Number(
      await page.evaluate(
        `[...document.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > 140).dataset.row`,
      ),
    )
    const text = await page.locator(`article[data-row="${row}"] .row-body`).textContent()
    // One more turn at the very beginning: every row has another number.
    const first = session(growing, [prompt('first-u', null, 'Before everything'), reply('first-a', 'first-u', 'Yes.')])
    const rest = turns(growing, 1, 36).map((record, place) =>
      place === 0 ? { ...record, parentUuid: 'first-a' } : record,
    )
    writeFileSync(path, jsonl([...first, ...rest]))
    await soon(() => page.locator('.outline-head').textContent()).toBe('37 turns')
    await soon(() => page.locator('article .row-body').allTextContents()).toContain(text)
    expect(await top()).toBeGreaterThan(600)
    expect(await placeOf(row + 2)).not.toBe(-1)
  })

  test('a session that runs opens at its end', async () => {
    const other = await viewer.open(`/c/${running}`)
    await rowsShown(other)
    await soon(() => leftBelow(other)).toBeLessThan(3)
    await soon(() => other.locator('article[data-turn="30"]').count()).toBeGreaterThan(0)
    expect(await other.locator('.talk-badges').textContent()).toContain('running')
    await other.context().close()
  })

  test('one whose file is deleted while it is read stays, and says so; when the file is back it goes on', async () => {
    const other = await viewer.open(`/c/${passing}`)
    await rowsShown(other)
    const file = join(root, 'projects', '-r', `${passing}.jsonl`)
    const [resume, said] = [other.getByRole('button', { name: 'Copy resume command' }), other.locator('.banner')]
    await resume.waitFor()
    const shown = await other.locator('article').count()
    const bytes = readFileSync(file)
    rmSync(file)
    await said.getByText('was deleted').waitFor({ timeout: 30_000 })
    expect(await other.locator('article').count()).toBe(shown)
    expect(await resume.count()).toBe(0)
    writeFileSync(file, bytes)
    await resume.waitFor({ timeout: 30_000 })
    expect(await said.count()).toBe(0)
    expect(await other.locator('article').count()).toBe(shown)

    rmSync(file)
    await said.getByText('was deleted').waitFor({ timeout: 30_000 })
    await other.getByRole('link', { name: 'Health' }).click()
    await other.locator('.health-totals').waitFor()
    // Who comes back later finds what is still known of it.
    await other.goBack()
    await other.getByText('What was said in it can no longer be read').waitFor()
    writeFileSync(file, bytes)
    await rowsShown(other)
    await resume.waitFor()
    await other.context().close()
  }, 120_000)
})
