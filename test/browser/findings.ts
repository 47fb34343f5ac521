// What axe has to say about a page, where it is serious. The page must be opened with `bypassCSP`: ours lets no script in.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { projectFolder } from '../cli/run.ts'

interface Finding {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

const AXE = readFileSync(join(projectFolder, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8')

export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: AXE })
  const { violations } = (await page.evaluate('axe.run(document)')) as { readonly violations: readonly Finding[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`))
}
