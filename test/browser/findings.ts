// What axe has to say about a page, where it is serious. The page must be opened with `bypassCSP`: ours lets no script in.

import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface Finding {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source })
  const { violations } = (await page.evaluate('axe.run(document)')) as { readonly violations: readonly Finding[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`))
}
