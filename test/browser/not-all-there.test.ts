// What a page does when not everything is there: an index that is still being made, rows before and after the one that a
// link leads to.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Indexing } from '../../src/server/api/home.ts'
import { sessionId, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import { turns } from './tide-turns.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

const soon = <Value>(ask: () => Value | Promise<Value>) => expect.poll(ask, { timeout: 25_000 })

describe.skipIf(browserPath === null)(`${needsBrowser}not all is there`, () => {
  const root = newFolder('claude')
  const tides = sessionId('a')
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    writeBelow(root, { [`projects/-r/${tides}.jsonl`]: turns(tides, 1, 120) })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const prompts = (): Promise<readonly string[]> => page.locator('article.row-prompt .plain-text').allTextContents()
  const question = (turn: number): string => `Question ${turn}: what about the tide at ${turn} o'clock?`

  test('while the index is made a bar says how far it is, and then it goes', async () => {
    const other = await viewer.open('/usage')
    // An index that takes minutes to make is nothing for a test.
    await other.addInitScript(STREAM_IN_REACH)
    await other.goto(new URL('/', other.url()).href)
    await other.locator('.conversation').first().waitFor()
    // What the server itself says of its index must not come in between.
    await other.evaluate('window.hear = stream.onmessage; stream.onmessage = null')
    const say = (indexing: Indexing | null): Promise<unknown> =>
      other.evaluate(`hear({ data: ${JSON.stringify(JSON.stringify({ kind: 'indexing', indexing }))} })`)
    await say({ doneBytes: 310e6, totalBytes: 1240e6 })
    const bar = other.getByRole('progressbar', { name: 'Indexing' })
    await bar.waitFor()
    expect(await bar.getAttribute('aria-valuetext')).toBe('Indexing 310 MB of 1.2 GB')
    expect(await bar.getAttribute('aria-valuenow')).toBe('25')
    await keepScreen(other, 'indexing')
    await say(null)
    await soon(() => bar.count()).toBe(0)
    expect(await other.locator('.banner').count()).toBe(0)
    await other.context().close()
  })

  test('a link into the middle: what is before and after it is there', async () => {
    page = await viewer.open(`/c/${tides}#aaaa00060-u`, { bypassCSP: true })
    await page.locator('article.is-target', { hasText: question(60) }).waitFor()
    expect(await prompts()).not.toContain(question(1))
    await page.keyboard.press('j')
    await soon(prompts).toContain(question(61))
    for (let step = 0; step < 3; step++) await page.keyboard.press('k')
    await soon(prompts).toContain(question(58))
    await page.keyboard.press('g')
    await page.keyboard.press('g')
    await soon(prompts).toContain(question(1))
    await page.keyboard.press('Shift+G')
    await soon(prompts).toContain(question(120))
  })

  test('what is being read stays when asking for it once more fails', async () => {
    const other = await viewer.open('/')
    await other.addInitScript(STREAM_IN_REACH)
    await other.goto(new URL(`/c/${tides}`, other.url()).href)
    await other.getByText(question(1)).first().waitFor()
    let refused = 0
    await other.route(`**/api/conversations/${tides}`, (route) => {
      refused++
      return route.fulfill({ status: 503, json: { error: 'not now' } })
    })
    const grew = { kind: 'grew', id: tides, version: 'another', rows: 1, turns: 1, changedFrom: 0 }
    await other.evaluate(`stream.onmessage({ data: ${JSON.stringify(JSON.stringify(grew))} })`)
    // It is tried twice, and then given up.
    await soon(() => refused).toBeGreaterThan(1)
    await other.waitForTimeout(300)
    expect(await other.getByText(question(1)).count()).toBeGreaterThan(0)
    await other.context().close()
  })

  test.each([
    [`/c/${tides}`, '.call-line', '.call-inside .output', '/call'],
    ['/journal', 'h1', '.journal-day', '/journal/days'],
    ['/health', 'h1', '.health-totals', '/health'],
  ])('what is shown stays when asking for all of it again fails: %s', async (path, opened, shown, question) => {
    const other = await viewer.open('/')
    await other.addInitScript(STREAM_IN_REACH)
    await other.goto(new URL(path, other.url()).href)
    await other.locator(opened).first().click()
    await other.locator(shown).first().waitFor()
    const refused: string[] = []
    await other.route('**/api/**', (route) => {
      refused.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 503, json: { error: 'not now' } })
    })
    // A stream that was cut and is there again: whatever is shown may have changed meanwhile.
    await other.evaluate('stream.onerror(); stream.onopen()')
    await soon(() => refused.filter((one) => one.endsWith(question)).length).toBeGreaterThan(1)
    await other.waitForTimeout(300)
    expect(await other.locator(shown).count()).toBe(1)
    await other.context().close()
  })

  test('what was found stays when looking for it again fails, and other words say what went wrong', async () => {
    const other = await viewer.open('/')
    await other.addInitScript(STREAM_IN_REACH)
    await other.goto(new URL('/', other.url()).href)
    await other.locator('.conversation').first().waitFor()
    await other.keyboard.press('Control+k')
    await other.locator('.palette-field').fill('tide')
    const hits = other.locator('.palette').getByRole('option')
    await hits.first().waitFor()
    const found = await hits.count()
    let refused = 0
    await other.route('**/api/search*', (route) => {
      refused++
      return route.fulfill({ status: 503, json: { error: 'not now' } })
    })
    await other.evaluate('stream.onerror(); stream.onopen()')
    await soon(() => refused).toBeGreaterThan(0)
    await other.waitForTimeout(300)
    expect(await hits.count()).toBe(found)
    await other.locator('.palette-field').fill('tide tables')
    await other.getByRole('alert').getByText('not now').waitFor()
    expect(await hits.count()).toBe(0)
    await other.context().close()
  })

  test('of a conversation too long for one list, what is earlier and later comes when it is asked for', async () => {
    const other = await viewer.open('/')
    await other.addInitScript(ANSWER_LONG)
    await other.goto(new URL(`/c/${tides}#far`, other.url()).href)
    await other.locator('article.is-target', { hasText: 'Row 250000' }).waitFor()
    // The wheel first: until somebody moves, the page holds the record that the link named.
    const scrollTo = async (place: string): Promise<void> => {
      await other.mouse.wheel(0, -10)
      await other.evaluate(`document.querySelector('.talk-scroll').scrollTop = ${place}`)
    }
    await other.mouse.move(700, 400)
    await scrollTo('0')
    const earlier = other.getByRole('button', { name: '175,000 earlier rows' })
    await earlier.waitFor()
    await other.getByText('Row 175000').waitFor()
    await keepScreen(other, 'earlier')
    await earlier.click()
    await other.getByText('Row 174999').waitFor()
    await scrollTo('1e9')
    await other.getByRole('button', { name: /^[\d,]+ later rows$/ }).waitFor()
    await keepScreen(other, 'later')
    await other.context().close()
  })
})

/** The stream as it is, for a test that has something to say on it. */
const STREAM_IN_REACH =
  'window.EventSource = class extends EventSource { constructor(url) { super(url); window.stream = this } }'

/** Half a million rows, made up in the page. */
const ANSWER_LONG = `(() => {
  const rows = 500000
  const real = window.fetch
  const choice = { reading: 'full', branch: 0, agent: null, at: null }
  let version = ''
  window.fetch = async (url, options) => {
    const { pathname, searchParams } = new URL(url, location.href)
    const [, , kind, , question = ''] = pathname.split('/')
    if (kind !== 'conversations') return real(url, options)
    if (question === 'place') return Response.json({ ...choice, row: 250000, turn: 1, uuid: 'far', ref: '0.0.1' })
    if (question === 'rows') {
      const from = Number(searchParams.get('from'))
      const count = Math.min(Number(searchParams.get('count')), rows - from)
      const row = (number) => ({
        row: number, turn: 1, opensTurn: false, ref: '0.' + number + '.1', uuid: null, line: 1, ms: null, kind: 'prompt',
        text: { text: 'Row ' + number, length: 10, isCut: false }, images: 0, isQueued: false,
      })
      return Response.json({ version, total: rows, from, rows: Array.from({ length: count }, (_, place) => row(from + place)) })
    }
    const answer = await real(url, options)
    if (question !== '') return answer
    const head = await answer.json()
    version = head.reading.version
    return Response.json({ ...head, reading: { ...head.reading, rows } })
  }
})()`
