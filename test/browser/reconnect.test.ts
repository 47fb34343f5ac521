// A stream that is cut: the page takes it up again, shows what was written meanwhile, once, and goes on following.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonl, sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 30_000, interval: 100 })

describe.skipIf(browserPath === null)(`${needsBrowser}a stream that is cut`, () => {
  const root = newFolder('claude')
  const tides = sessionId('a')
  const path = join(root, 'projects', '-r', `${tides}.jsonl`)
  const streams = new Set<Socket>()
  let browser: Browser
  let viewer: Viewer
  let page: Page
  const noteStream = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.url?.startsWith('/api/live') === true) streams.add(request.socket)
  }

  beforeAll(async () => {
    writeBelow(root, { [`projects/-r/${tides}.jsonl`]: turns(tides, 1, 120) })
    subscribe('http.server.request.start', noteStream)
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    page = await viewer.open(`/c/${tides}`)
    await page.locator('article.row-prompt').first().waitFor()
  }, 120_000)
  afterAll(async () => {
    unsubscribe('http.server.request.start', noteStream)
    await browser?.close()
    await viewer?.close()
  })

  const prompts = (): Promise<readonly string[]> => page.locator('article.row-prompt .plain-text').allTextContents()
  const question = (turn: number): string => `Question ${turn}: what about the tide at ${turn} o'clock?`
  const write = (turn: number): void => appendFileSync(path, jsonl(turns(tides, turn, turn)))
  /** From this side, as a network would. Says how many there were. */
  const cut = (): number => {
    const open = [...streams].filter(({ destroyed }) => !destroyed)
    for (const socket of open) socket.destroy()
    streams.clear()
    return open.length
  }

  test('what was written meanwhile is shown once, and what is written then too', async () => {
    await page.keyboard.press('Shift+G')
    await soon(prompts).toContain(question(120))
    await soon(() => streams.size).toBeGreaterThan(0)
    for (const turn of [121, 124]) {
      expect(cut()).toBeGreaterThan(0)
      write(turn)
      await soon(prompts).toContain(question(turn))
      await soon(() => streams.size).toBeGreaterThan(0)
      for (const next of [turn + 1, turn + 2]) {
        write(next)
        await soon(prompts).toContain(question(next))
      }
      const shown = await prompts()
      expect(new Set(shown).size).toBe(shown.length)
    }
    expect(await page.locator('.banner').count()).toBe(0)
  }, 120_000)

  test('a server that is gone is said, and what was read stays', async () => {
    await viewer.close()
    await soon(() => page.locator('.banner').allTextContents()).toHaveLength(1)
    expect(await page.locator('.banner').textContent()).toMatch(/clew serve/)
    expect(await prompts()).toContain(question(126))
    await keepScreen(page, 'server-gone')
  }, 60_000)

  test('what has to be loaded from a server that is gone fails alone', async () => {
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await dialog.getByRole('alert').waitFor()
    await keepScreen(page, 'palette-gone')
    // Nobody answers, so there is nothing to load anew.
    await dialog.getByRole('button', { name: 'Try again' }).click()
    // Neither is there for who is not let in: a server that was started anew does not know this page.
    let refused = 0
    await page.route('**/api/*', (route) => {
      refused++
      return route.fulfill({ status: 401, json: { error: 'open the link' } })
    })
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await soon(() => refused).toBeGreaterThan(0)
    await page.waitForTimeout(300)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await prompts()).toContain(question(126))
  }, 60_000)
})
