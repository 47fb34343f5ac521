// The server as one value: opened, asked, closed. Nothing here is printed; who opens it hears what happens.

import { copyFolders } from '../archive/copies.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { ownRoots } from '../load/found.ts'
import { makeApp } from './app.ts'
import { HomeList } from './home-list.ts'
import type { Report } from './keep-archive.ts'
import { Keys } from './keys.ts'
import { listen } from './listen.ts'
import { News } from './news.ts'
import { OpenConversations } from './open-conversations.ts'
import { readPageFiles } from './page-files.ts'
import { RunningSessions } from './running-sessions.ts'
import { ServedIndex } from './served-index.ts'
import type { ServerWorld } from './server-world.ts'

export interface ServeOptions {
  readonly archive: FoundTranscripts
  readonly isSample: boolean
  /** Where the built page lies. */
  readonly pageFolder: string
  readonly indexPath: string | null
  /** False to bring the index up to date in this thread. */
  readonly hasWorker: boolean
  /** 0 for any free one. */
  readonly port: number
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly onReport: (report: Report) => void
  readonly onError: (error: unknown) => void
}

export interface RunningServer {
  readonly port: number
  /** Opens the page, once. */
  readonly url: string
  /** For programs: the value of the header `x-clew-token`. */
  readonly token: string
  readonly close: () => Promise<void>
}

/** Less is over before anybody could read how far it is. */
const WORTH_TELLING_BYTES = 8 << 20

export async function openServer(options: ServeOptions): Promise<RunningServer> {
  const { isSample, environment, home, onError } = options
  const copies = isSample ? null : copyFolders({ environment, home })
  const kept = new ServedIndex({ ...options, copies })
  const world: ServerWorld = {
    get index() {
      return kept.index
    },
    archive: () => kept.archive,
    isSample,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    environment,
    home,
    nowMs: Date.now,
  }
  const news = new News()
  const sessions = new RunningSessions(ownRoots(kept.archive), (running) => news.tell({ kind: 'sessions', running }))
  const list = new HomeList(world, news, sessions)
  const files = readPageFiles(options.pageFolder)
  const fail = (error: unknown): void => {
    kept.heal(error)
    onError(error)
  }
  const keys = new Keys()
  const conversations = new OpenConversations(world, fail)
  const app = makeApp({ world, conversations, list, news, sessions, files, onError: fail })
  const { port, close } = await listen(app, keys, options.port)
  list.update().catch(fail)
  kept.start((report) => {
    if (report.kind === 'progress') {
      const { doneBytes, totalBytes } = report
      if (totalBytes >= WORTH_TELLING_BYTES) list.indexing = { doneBytes, totalBytes }
    } else if (report.kind !== 'found') {
      list.indexing = null
      list.update().catch(fail)
    }
    options.onReport(report)
  })
  return {
    port,
    url: `http://127.0.0.1:${port}/?token=${keys.link}`,
    token: keys.header,
    close: async () => {
      await close()
      conversations.close()
      await kept.close()
    },
  }
}
