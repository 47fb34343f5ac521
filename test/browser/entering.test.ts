// The link in a real browser: it opens the page, which runs under its own policy without a word of complaint, and a page
// elsewhere can neither show it, nor read from it, nor lead to it.

import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { RunningServer } from '../../src/server/serve.ts'
import { openServer } from '../../src/server/serve.ts'
import { newFolder, projectFolder, sample } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'

describe.skipIf(browserPath === null)(`${needsBrowser}entering the viewer`, () => {
  let browser: Browser
  let server: RunningServer
  let page: Page
  const said: string[] = []

  beforeAll(async () => {
    browser = await openBrowser()
    server = await openServer({
      archive: findTranscripts([sample]),
      isSample: true,
      pageFolder: join(projectFolder, 'dist', 'web'),
      indexPath: join(newFolder(), 'index.sqlite'),
      hasWorker: false,
      port: 0,
      environment: {},
      home: '/home/ada',
      onReport: () => undefined,
      onError: (error) => said.push(String(error)),
    })
    page = await (await browser.newContext()).newPage()
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(error.message))
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test('the link opens the page, and the token is gone from the address', async () => {
    await page.goto(server.url, { waitUntil: 'load' })
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`)
    const title = page.getByText('Local days instead of 24 hours').first()
    await title.waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ name: `clew-${server.port}`, httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2)
  })

  test('every page runs under the policy', async () => {
    for (const path of ['/usage', '/journal', '/health', '/c/2ab65b76-d18a-44c3-9987-9ebb221d7c35', '/']) {
      await page.goto(`http://127.0.0.1:${server.port}${path}`, { waitUntil: 'load' })
      await page.locator('main').waitFor()
      await page.waitForTimeout(300)
    }
    expect(said).toEqual([])
  })

  test('what the policy forbids does not happen', async () => {
    const forbidden = await page.evaluate(`(() => {
      const tried = (act) => { try { act(); return 'done' } catch (error) { return error.name } }
      return [
        tried(() => { document.createElement('div').${'inner'}HTML = '<b>x</b>' }),
        tried(() => { document.createElement('script').text = 'window.ran = 1' }),
        tried(() => window.trustedTypes.createPolicy('own', { createHTML: (text) => text })),
      ]
    })()`)
    expect(forbidden).toEqual(['TypeError', 'TypeError', 'TypeError'])
    said.length = 0
  })

  test('a second browser needs a link of its own', async () => {
    const context = await browser.newContext()
    const other = await context.newPage()
    const answer = await other.goto(server.url)
    expect(answer?.status()).toBe(401)
    expect(await other.locator('body').textContent()).toContain('clew serve')
    await context.close()
  })

  test('another page gets nothing, not even in the browser that has the cookie', async () => {
    const elsewhere: Server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html')
      answer.end(`<!doctype html><a id="a" href="http://127.0.0.1:${server.port}/">there</a>
        <iframe id="f" src="http://127.0.0.1:${server.port}/"></iframe><img id="i" src="http://127.0.0.1:${server.port}/icon.svg">`)
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const { port } = elsewhere.address() as AddressInfo
    // Another port is the same site, a name is another one.
    for (const host of ['127.0.0.1', 'localhost']) {
      const evil = await page.context().newPage()
      const statuses: number[] = []
      evil.on('response', (response) => {
        if (new URL(response.url()).port === String(server.port)) statuses.push(response.status())
      })
      await evil.goto(`http://${host}:${port}/`, { waitUntil: 'load' })
      const read = await evil.evaluate(`Promise.all(['cors', 'no-cors'].map((mode) =>
        fetch('http://127.0.0.1:${server.port}/api/home', { mode, credentials: 'include' })
          .then((answer) => answer.text(), (error) => error.name)))`)
      expect(read).toEqual(['TypeError', expect.stringMatching(/^(?:TypeError)?$/)])
      await evil.click('#a')
      await evil.waitForURL(`http://127.0.0.1:${server.port}/`)
      expect(await evil.locator('body').textContent()).toContain('another page may not ask here')
      expect(statuses.filter((status) => status !== 403)).toEqual([])
      expect(statuses.length).toBeGreaterThanOrEqual(2)
      await evil.close()
    }
    elsewhere.close()
  })
})
