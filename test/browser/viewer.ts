// The viewer as a person has it: the built page, a server over some folder, and a browser that came in by the address
// the server printed.

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { findTranscripts } from '../../src/load/found.ts'
import { openServer } from '../../src/server/serve.ts'
import { newFolder, projectFolder } from '../cli/run.ts'

export interface Viewer {
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** When the index knows everything that was there at first. */
  readonly indexed: Promise<void>
  readonly close: () => Promise<void>
}

export const SCREENS = join(projectFolder, 'test-results', 'screens')
mkdirSync(SCREENS, { recursive: true })

let built: Promise<string> | null = null

/** The built one where it is newer than all it is made of, as it is in `npm test`; else once for all tests of a file. */
function builtPage(): Promise<string> {
  built ??= isCurrent(BUILT) ? Promise.resolve(BUILT) : buildPage()
  return built
}

const BUILT = join(projectFolder, 'dist', 'web')

function isCurrent(folder: string): boolean {
  const page = join(folder, 'index.html')
  if (!existsSync(page)) return false
  const source = join(projectFolder, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((name) => join(source, name))
  const builtMs = statSync(page).mtimeMs
  return [...files, join(projectFolder, 'vite.config.ts')].every((path) => statSync(path).mtimeMs < builtMs)
}

async function buildPage(): Promise<string> {
  // Loading what builds it takes as long as building.
  const { build } = await import('vite')
  const folder = newFolder('page')
  process.env['CLEW_WEB_OUT'] = folder
  // Otherwise it is built for those who develop React.
  process.env['NODE_ENV'] = 'production'
  await build({ configFile: join(projectFolder, 'vite.config.ts'), logLevel: 'error' })
  return folder
}

export async function openViewer(
  browser: Browser,
  root: string,
  { isSample = false, indexFolder = newFolder('index') } = {},
): Promise<Viewer> {
  let closed: Promise<void> | null = null
  let tell = (): void => undefined
  const indexed = new Promise<void>((resolve) => {
    tell = resolve
  })
  const server = await openServer({
    archive: findTranscripts([root]),
    isSample,
    pageFolder: await builtPage(),
    indexPath: join(indexFolder, 'index.sqlite'),
    hasWorker: false,
    port: 0,
    environment: {},
    home: newFolder('home'),
    onReport: ({ kind }) => {
      if (kind === 'done') tell()
    },
    // What was still being read when it was closed finds no index any more.
    onError: (error) => {
      if (closed === null) throw error
    },
  })
  // The address lets one browser in, once; what it was given there is handed on to every window.
  const first = await browser.newContext()
  const door = await first.newPage()
  await door.goto(server.url)
  const storageState = await first.storageState()
  await first.close()
  const { origin } = new URL(server.url)
  return {
    open: async (path, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, storageState, ...options })
      const page = await context.newPage()
      await page.goto(`${origin}${path}`)
      return page
    },
    indexed,
    // A test may have done it before.
    close: () => {
      closed ??= server.close()
      return closed
    },
  }
}

/** A screenshot to look at. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENS, `${name}.png`) })
}
