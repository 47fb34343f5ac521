import { fileURLToPath } from 'node:url'
import { systemCode } from '../base/system-code.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { findTranscripts } from '../load/found.ts'
import { indexPath } from '../search/index-path.ts'
import type { Report } from '../server/keep-archive.ts'
import type { RunningServer } from '../server/serve.ts'
import { openServer } from '../server/serve.ts'
import type { Command, World } from './command.ts'
import { openTranscripts, parseWords, ROOT_OPTIONS, wholeNumber } from './command.ts'
import { Failure } from './failure.ts'
import { openBrowser } from './open-browser.ts'

const OPTIONS = {
  ...ROOT_OPTIONS,
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
} as const

export const serve: Command = {
  name: 'serve',
  failureCode: 1,
  help: `clew serve [--port N] [--no-open] [--json] [--root DIR]

All conversations in a browser: a page that this machine alone can open. Ctrl-C ends it.
With no sessions of your own it shows the bundled sample.

  --port N      listen on this port; default is any free one
  --no-open     only print the address
  --json        print the address as one JSON object
  --no-index    keep the index in memory, and leave the one on disk alone
  --root DIR    a Claude directory, a folder with transcripts or one transcript; repeatable

Examples:
  clew serve
  clew serve --no-open --port 7777`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(serve, words, OPTIONS)
  const { output } = world
  if (values.help) {
    output.print(serve.help)
    return 0
  }
  if (positionals.length > 0) throw new Failure(`serve takes no “${positionals[0]}”. Try: clew serve --help`)
  const port = values.port === undefined ? 0 : portOf(values.port)
  const { archive, isSample } = archiveToShow(values.root, world)
  const server = await opened(port, {
    archive,
    isSample,
    pageFolder: fileURLToPath(new URL('../web', import.meta.url)),
    indexPath: values['no-index'] ? null : indexPath(world),
    hasWorker: true,
    environment: world.environment,
    home: world.home,
    onReport: reporter(world),
    onError: (error) =>
      world.output.note(`clew: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  })
  const { url, token } = server
  if (isSample && !values.json)
    output.note('clew: there are no sessions of your own yet, so here is the bundled sample')
  output.print(values.json ? JSON.stringify({ url, port: server.port, token, isSample }) : `clew: ${url}`)
  if (!values['no-open'] && !values.json && output.isTerminal)
    openBrowser(url, { platform: process.platform, environment: world.environment })
  await interrupted()
  world.progress.clear()
  await server.close()
  return 0
}

function portOf(typed: string): number {
  const port = wholeNumber(typed, 'port')
  if (port > 65_535) throw new Failure(`--port takes a number up to 65535, not “${typed}”`)
  return port
}

function archiveToShow(
  roots: readonly string[] | undefined,
  world: World,
): { readonly archive: FoundTranscripts; readonly isSample: boolean } {
  const own = openTranscripts(roots, world)
  if (own.projects.length > 0 || (roots ?? []).length > 0) return { archive: own, isSample: false }
  return { archive: findTranscripts([fileURLToPath(new URL('../../sample', import.meta.url))]), isSample: true }
}

async function opened(port: number, options: Omit<Parameters<typeof openServer>[0], 'port'>): Promise<RunningServer> {
  try {
    return await openServer({ ...options, port })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EADDRINUSE') throw new Failure(`port ${port} is taken. Try: clew serve without --port`)
    if (code === 'EACCES') throw new Failure(`port ${port} is not for everybody. Try one from 1024 on`)
    throw error
  }
}

/** How far the first reading is; later ones are short, and the page tells of them. */
function reporter({ progress, output }: World): (report: Report) => void {
  let isFirst = true
  return (report) => {
    if (report.kind === 'progress' && isFirst) progress.show(report.doneBytes, report.totalBytes)
    if (report.kind === 'done' || report.kind === 'failed') {
      if (isFirst) progress.clear()
      isFirst = false
    }
    if (report.kind === 'failed') output.note(`clew: the index could not be brought up to date: ${report.message}`)
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
