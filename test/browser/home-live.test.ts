// The list while the world goes on: nothing there at first, a session that begins, one that grows, one that waits for its
// user, and a server that stops.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonl, prompt, reply, session, sessionId, talk, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'
import type { Viewer } from './viewer.ts'
import { keepScreen, openViewer } from './viewer.ts'

describe.skipIf(browserPath === null)(`${needsBrowser}the list, live`, () => {
  const root = newFolder('claude')
  const repository = newFolder('repository')
  const worktree = join(newFolder('worktrees'), 'spike')
  const [one, two] = [sessionId('a'), sessionId('b')]
  let browser: Browser
  let viewer: Viewer
  let page: Page

  beforeAll(async () => {
    mkdirSync(join(root, 'projects'))
    mkdirSync(join(repository, '.git', 'worktrees', 'spike'), { recursive: true })
    writeBelow(repository, { '.git/worktrees/spike/commondir': '../..\n' })
    writeBelow(worktree, { '.git': `gitdir: ${join(repository, '.git', 'worktrees', 'spike')}\n` })
    browser = await openBrowser()
    viewer = await openViewer(browser, root)
    page = await viewer.open('/')
  })
  afterAll(async () => {
    await browser?.close()
    await viewer?.close()
  })

  const titles = (): Promise<readonly string[]> => page.locator('.conversation-title').allInnerTexts()

  test('nothing at all: it says where it looked and what to do', async () => {
    await page.getByText('No conversations yet').waitFor()
    expect(await page.locator('.looked').textContent()).toContain(root)
    expect(await page.locator('main').textContent()).toContain('clew serve --root FOLDER')
    await keepScreen(page, 'home-empty')
  })

  test('a session that begins is there without a reload', async () => {
    writeBelow(root, { [`projects/-r/${one}.jsonl`]: talk(one, 'The tide is late', { cwd: repository }) })
    await expect.poll(titles).toEqual(['The tide is late'])
    writeBelow(root, { [`projects/-s/${two}.jsonl`]: talk(two, 'A spike', { cwd: worktree }) })
    await expect.poll(titles).toEqual(['A spike', 'The tide is late'])
  })

  test('its worktree stands with the repository, or by itself', async () => {
    const groups = (): Promise<number> => page.locator('.conversations h2').count()
    expect(await groups()).toBe(1)
    expect(await page.locator('.badge', { hasText: 'spike' }).count()).toBe(1)
    await page.getByRole('button', { name: 'By project' }).click()
    await expect.poll(groups).toBe(2)
    await page.getByRole('button', { name: 'By repository' }).click()
    await expect.poll(groups).toBe(1)
  })

  test('one that goes on changes where it stands, and moves when it is asked to', async () => {
    const more = session(one, [prompt('x1', `${one}-2`, 'And now?'), reply('x2', 'x1', 'Now it is on time.')], {
      cwd: repository,
      timestamp: new Date().toISOString(),
    })
    appendFileSync(join(root, 'projects', '-r', `${one}.jsonl`), jsonl(more))
    const turns = page.locator('.conversation', { hasText: 'The tide is late' }).locator('.conversation-turns')
    await expect.poll(() => turns.textContent()).toBe('2 turns')
    expect(await titles()).toEqual(['A spike', 'The tide is late'])
    await page.getByRole('button', { name: /put them in order/ }).click()
    await expect.poll(titles).toEqual(['The tide is late', 'A spike'])
  })

  test('one that a client has open', async () => {
    mkdirSync(join(root, 'sessions'))
    const open = { pid: process.pid, sessionId: one, cwd: repository, startedAt: Date.now(), status: 'waiting' }
    writeFileSync(join(root, 'sessions', `${process.pid}.json`), JSON.stringify(open))
    const button = page.getByRole('button', { name: /open now/ }).first()
    await button.waitFor()
    expect(await button.textContent()).toContain('1 waits for you')
    await page.locator('.conversation .badge', { hasText: 'waits for you' }).waitFor()
    await button.click()
    await keepScreen(page, 'home-running')
    await page.locator('#running-now a', { hasText: 'The tide is late' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/c/${one}`)
    await page.goBack()
  })

  test('a server that stops is said to have stopped', async () => {
    await viewer.close()
    await page.getByText('clew serve has stopped').waitFor()
    await keepScreen(page, 'stopped')
  })
})
