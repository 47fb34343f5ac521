// What axe has to say about a page, where it is serious, in light and in dark. The page must be opened with `bypassCSP`:
// ours lets no script in.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What a page is made of is the same in both; these rules look at its colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

export async function seriousFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ content: axe.source })
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await findingsOf(page, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findingsOf(page, { runOnly: { type: 'rule', values: OF_COLOURS } })
  return [...light, ...dark.map((finding) => `dark, ${finding}`)]
}

/** Told in the page: what passed is most of it, and would have to be handed over. */
async function findingsOf(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  const asked = JSON.stringify({ ...options, resultTypes: ['violations'] })
  return (await page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
    const { violations } = await axe.run(document, ${asked})
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary))
  })()`)) as readonly string[]
}
