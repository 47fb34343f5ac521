// The index as the server has it: this thread reads, another one writes. Either may find the file broken and begin a new
// one, and then both must turn to that.

import { statSync } from 'node:fs'
import type { CopyFolders } from '../archive/copies.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { ownRoots } from '../load/found.ts'
import { isBroken, setAside } from '../search/database.ts'
import { Index } from '../search/open-index.ts'
import { keepInWorker } from './index-in-worker.ts'
import type { Keeper, Report } from './keep-archive.ts'
import { keepArchive } from './keep-archive.ts'

export interface IndexChoice {
  readonly archive: FoundTranscripts
  /** Where copies of deleted sessions come from and go; null for none. */
  readonly copies: CopyFolders | null
  /** Null to keep it in memory. */
  readonly indexPath: string | null
  /** False to bring the index up to date in this thread. */
  readonly hasWorker: boolean
}

export class ServedIndex {
  readonly #choice: IndexChoice
  #archive: FoundTranscripts
  #index: Index
  #identity: string
  #keeper: Keeper | null = null
  #onReport: (report: Report) => void = () => undefined
  #isClosed = false

  constructor(choice: IndexChoice) {
    this.#choice = choice
    this.#archive = choice.archive
    this.#index = new Index(choice.indexPath)
    this.#identity = this.#identityNow()
  }

  get index(): Index {
    return this.#index
  }

  /** As it was found last. */
  get archive(): FoundTranscripts {
    return this.#archive
  }

  /** Begins to follow what happens on disk. */
  start(onReport: (report: Report) => void): void {
    this.#onReport = onReport
    this.#keeper = this.#keep()
  }

  /** After an error: an index that is the reason for it is begun anew. */
  heal(error: unknown): void {
    const { indexPath } = this.#choice
    if (indexPath === null || this.#keeper === null || !isBroken(error)) return
    const keeper = this.#keeper
    this.#keeper = null
    void keeper.stop().then(() => {
      if (this.#isClosed) return
      setAside(indexPath)
      this.#open()
      this.#keeper = this.#keep()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const stopped = this.#keeper?.stop()
    // What still writes through this very index ends when that is closed.
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
    this.#index.close()
    await stopped
  }

  /** An index in memory cannot be seen by another thread. */
  #keep(): Keeper {
    const { indexPath: path, hasWorker, archive, copies } = this.#choice
    const roots = ownRoots(archive)
    const onReport = (report: Report): void => this.#hear(report)
    if (hasWorker && path !== null && this.#index.isKept) return keepInWorker({ path, roots, copies }, onReport)
    return keepArchive({ roots, copies, index: this.#index, onReport })
  }

  #hear(report: Report): void {
    if (this.#isClosed) return
    if (report.kind === 'found') this.#archive = report.archive
    if (report.kind === 'done') {
      this.#index.forget()
      if (this.#identity !== this.#identityNow()) this.#open()
    }
    this.#onReport(report)
  }

  /** The old one stays open: somebody may be in the middle of reading from it. */
  #open(): void {
    this.#index = new Index(this.#choice.indexPath)
    this.#identity = this.#identityNow()
  }

  #identityNow(): string {
    const { indexPath } = this.#choice
    if (indexPath === null || !this.#index.isKept) return ''
    const stat = statSync(indexPath, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.dev}:${stat.ino}`
  }
}

const PATIENCE_MS = 500
