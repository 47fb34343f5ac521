// What a reader does on the page of a conversation, for tests.

import type { Locator, Page } from 'playwright-core'

/** Scrolls down until something is there, and brings it into view. */
export async function reach(page: Page, selector: string): Promise<void> {
  const found = page.locator(selector).first()
  for (let step = 0; step < 80; step++) {
    if ((await found.count()) > 0) {
      await found.scrollIntoViewIfNeeded()
      return
    }
    const isAtEnd = await page.evaluate(`(() => {
      const all = document.querySelector('.talk-scroll')
      const before = all.scrollTop
      all.scrollTop += 500
      return all.scrollTop === before
    })()`)
    await page.waitForTimeout(80)
    if (isAtEnd && (await found.count()) === 0) await page.waitForTimeout(200)
  }
  throw new Error(`there is no ${selector} in this conversation`)
}

export async function toTop(page: Page): Promise<void> {
  await page.evaluate(`document.querySelector('.talk-scroll').scrollTop = 0`)
}

/** How far the end is below the view. */
export async function leftBelow(page: Page): Promise<number> {
  return (await page.evaluate(`(() => {
    const all = document.querySelector('.talk-scroll')
    return Math.round(all.scrollHeight - all.scrollTop - all.clientHeight)
  })()`)) as number
}

/** Whether no row moves any more: those that have just come are measured a little later. */
export async function isStill(page: Page): Promise<boolean> {
  return (await page.evaluate(`(async () => {
    const look = () => [...document.querySelectorAll('article')].map((one) => one.getBoundingClientRect().top).join()
    const before = look()
    await new Promise((resolve) => setTimeout(resolve, 600))
    return look() === before
  })()`)) as boolean
}

/** Waits until the rows of a conversation are there. */
export async function rowsShown(page: Page): Promise<void> {
  await page.locator('article[data-row]').first().waitFor()
}

export function openCall(page: Page, title: string): Locator {
  return page.locator('.call', { hasText: title }).first()
}
