// Every hostile text in every place that search, usage, journal and health show: titles, snippets, names of projects,
// models and subagents, the text of the notebook, raw lines. No script runs, and no request leaves the server.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Raw } from '../cli/records.ts'
import { jsonl, prompt, reply, session, toolUse, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { HOSTILE_TEXTS } from '../render/hostile-texts.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import type { Viewer } from './viewer.ts'
import { openViewer } from './viewer.ts'

const USAGE = { input_tokens: 10, output_tokens: 20 }

/** A session that says the text wherever a text can be, and ends in a line that is none. */
function hostileSession(text: string, place: number): string {
  const number = String(place).padStart(8, '0')
  const id = `${number}-0000-4000-8000-000000000000`
  const uuid = (last: number): string => `${number}-0000-4000-8000-00000000000${last}`
  const records: readonly Raw[] = [
    prompt(uuid(1), null, `haystack one ${text}`),
    reply(uuid(2), uuid(1), [
      { type: 'text', text: `haystack two ${text}` },
      toolUse(`toolu_${number}`, 'Write', { file_path: `/home/ada/${text}`, content: `haystack ${text}` }),
    ]),
    {
      type: 'user',
      uuid: uuid(3),
      parentUuid: uuid(2),
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: `haystack ${text}` }],
      },
      toolUseResult: { type: 'create', filePath: `/home/ada/${text}`, content: text },
    },
    reply(uuid(4), uuid(3), `haystack done ${text}`),
    { type: 'custom-title', customTitle: `haystack ${text}`, sessionId: id },
    { type: `hostile ${text}`, uuid: uuid(5), parentUuid: uuid(4) },
  ]
  const counted = records.map((record) => {
    const message = record['message'] as Raw | undefined
    return message?.['role'] === 'assistant'
      ? { ...record, message: { ...message, model: `model ${text}`, usage: USAGE } }
      : record
  })
  const told = session(id, counted, { cwd: `/home/ada/${text.replaceAll('/', '_')}`, gitBranch: text, version: text })
  return `${jsonl(told)}{"broken": ${text.replaceAll('\n', ' ')}\n`
}

describe.skipIf(browserPath === null)(`${needsBrowser}hostile texts in the viewer`, () => {
  let browser: Browser
  let viewer: Viewer
  let page: Page
  const left: string[] = []
  const noticed: string[] = []

  beforeAll(async () => {
    const root = newFolder('archive')
    const files = HOSTILE_TEXTS.map(([, text], place) => [
      `projects/-home-ada-${place % 40}/${String(place).padStart(8, '0')}-0000-4000-8000-000000000000.jsonl`,
      hostileSession(text, place),
    ])
    writeBelow(root, Object.fromEntries(files))
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    await viewer.indexed
    page = await viewer.open('/health')
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin)) left.push(request.url())
    })
    page.on('dialog', (dialog) => {
      noticed.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to|TrustedHTML/.test(message.text())) noticed.push(message.text())
    })
    page.on('pageerror', (error) => noticed.push(error.message))
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  async function go(path: string, ready: string): Promise<void> {
    await page.goto(new URL(path, page.url()).href)
    await page.locator(ready).first().waitFor()
  }

  async function expectHarmless(): Promise<void> {
    expect(await page.evaluate('"ran" in window')).toBe(false)
    expect(
      await page.evaluate(
        'document.querySelectorAll("main img, main iframe, main object, main embed, main form, main base").length',
      ),
    ).toBe(0)
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("main *")].flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith("on"))',
      ),
    ).toEqual([])
    const links = (await page.evaluate(
      '[...document.querySelectorAll("a")].map((one) => one.getAttribute("href") ?? "")',
    )) as string[]
    expect(links.filter((href) => !/^(?:\/|#|https?:\/\/|mailto:)/.test(href))).toEqual([])
    expect(left).toEqual([])
    expect(noticed).toEqual([])
  }

  test('usage, by anything, and what stands behind a row', async () => {
    for (const by of ['day', 'model', 'project', 'session', 'agent']) {
      await go(`/usage?range=all&by=${by}`, 'tbody tr')
      await page.locator('.usage-canvas canvas').waitFor()
      const rest = page.locator('.usage-rest')
      if ((await rest.count()) > 0) await rest.click()
      if (by === 'session' || by === 'model') expect(await page.locator('tbody tr').count()).toBeGreaterThan(190)
      await expectHarmless()
      await page.locator('tbody .usage-key').first().click()
      await page.locator('.explained').waitFor()
      await expectHarmless()
    }
  })

  test('journal', async () => {
    await go('/journal', '.journal-day .markdown')
    // Nearly every session is a project of its own; some are too crowded to be parsed, and stand there as plain text.
    expect(await page.locator('.journal-day .markdown').count()).toBeGreaterThan(150)
    expect(await page.locator('.journal-day li').count()).toBeGreaterThan(200)
    await expectHarmless()
  })

  test('health, and the raw lines', async () => {
    await go('/health', '.kind')
    expect(await page.locator('.table code').count()).toBeGreaterThan(100)
    await expectHarmless()
    for (const button of (await page.locator('.kind-places .chip').all()).slice(0, 8)) {
      await button.click()
      await page.locator('.raw-text').waitFor()
      await expectHarmless()
    }
  })

  test('search: titles, snippets, filters, what was looked for lately', async () => {
    await go('/health', '.kind')
    for (const [, text] of HOSTILE_TEXTS.filter((_, place) => place % 12 === 0)) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(`haystack ${text}`.slice(0, 800))
      await page.waitForTimeout(400)
      await expectHarmless()
      await page.keyboard.press('Enter')
      await page.waitForTimeout(150)
      await page.keyboard.press('Escape')
      await go('/health', '.kind')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('haystack')
    await page.locator('.found-place').first().waitFor()
    expect(await page.locator('.found-place').count()).toBeGreaterThan(20)
    await expectHarmless()
  })

  test('what is looked for is found where it is', async () => {
    await page.evaluate(
      'window.ran = 1; const image = document.createElement("img"); document.querySelector("main").append(image)',
    )
    await expect(expectHarmless()).rejects.toThrow()
    await page.evaluate('delete window.ran; document.querySelector("main img").remove()')
    await expectHarmless()
  })
})
