// A real browser, where there is one. Tests that need it are skipped loudly where there is none.

import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const browserPath = PLACES.find((path) => path !== undefined && existsSync(path)) ?? null

/** Stands in the name of a test, so that its summary says what was not tested. */
export const needsBrowser = browserPath === null ? 'SKIPPED, no Chromium (set CHROMIUM or install it): ' : ''

if (browserPath === null) console.warn('SKIPPED: no Chromium, so exported pages were not opened (set CHROMIUM)')

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
