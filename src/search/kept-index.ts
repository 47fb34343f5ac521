// The index without search in it: what `list`, `show` and `check` need. A broken file is noticed wherever it shows, set
// aside, and the question asked again of a new one.

import type { UsageLedger } from '../digest/usage-ledger.ts'
import type { Access } from '../load/access.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { GoneConversation } from './access.ts'
import { goneConversations, indexAccess } from './access.ts'
import { filesBehind } from './behind.ts'
import type { Database } from './database.ts'
import { isBroken, isInMemory, openDatabase, setAside, versionOf } from './database.ts'
import type { Ingested } from './ingest.ts'
import { ingest } from './ingest.ts'
import type { IngestOptions } from './ingest-work.ts'
import { keepLedger } from './kept-ledger.ts'
import { isBusy, isRefused } from './sqlite-code.ts'
import type { StoredUsage } from './stored-usage.ts'
import { storedUsage } from './stored-usage.ts'

export class KeptIndex {
  protected database: Database
  #path: string | null
  #fresh: FoundTranscripts | null = null
  /** Of the index as it was compared with the disk. */
  #version = 0

  constructor(path: string | null) {
    this.#path = path
    this.database = openDatabase(path)
  }

  /** Brings it up to what is on disk. */
  async refresh(archive: FoundTranscripts, options: IngestOptions): Promise<Ingested> {
    const state = await this.#ingest(archive, options)
    // After an update some project may have stayed out: a file of it cannot be read.
    this.#fresh = state === 'unchanged' ? archive : null
    return state
  }

  access(): Access {
    return indexAccess(this.database, this.#fresh)
  }

  /** Something that few want to know: whoever asks brings the question along. */
  ask<Value>(question: (database: Database) => Value): Value {
    return question(this.database)
  }

  /** False when there was no place to keep it: then it saves nobody any time. */
  get isKept(): boolean {
    return this.#path !== null && !isInMemory(this.database)
  }

  /** The tokens of all files that are current, and those files that are not. */
  usage(archive: FoundTranscripts): StoredUsage {
    return storedUsage(this.database, archive, this.#fresh === archive)
  }

  /** For the next one who asks about this archive, as it was when it was refreshed. */
  keepLedger(archive: FoundTranscripts, ledger: UsageLedger, goneFiles: number): void {
    keepLedger(this.database, this.#path, archive, { ledger, goneFiles, version: this.#version })
  }

  gone(roots: readonly string[]): readonly GoneConversation[] {
    return goneConversations(this.database, roots)
  }

  /** Files that a search may not look into yet: another process is still at it. */
  behind(archive: FoundTranscripts): number {
    return filesBehind(this.database, archive)
  }

  /** For each project, by root and key with a NUL between: another text whenever its rows have become others. */
  stamps(): ReadonlyMap<string, string> {
    const rows = this.database.prepare('SELECT root, project_key AS key, stamp FROM project').all()
    return new Map(
      (rows as unknown as readonly { root: string; key: string; stamp: string }[]).map(({ root, key, stamp }) => [
        `${root}\0${key}`,
        stamp,
      ]),
    )
  }

  close(): void {
    this.database.close()
  }

  async #ingest(archive: FoundTranscripts, options: IngestOptions): Promise<Ingested> {
    try {
      this.#version = versionOf(this.database)
      return await ingest(this.database, this.#path, archive, options)
    } catch (error) {
      if (isBusy(error)) return 'busy'
      this.#startAnew(error)
      this.#version = versionOf(this.database)
      return ingest(this.database, this.#path, archive, options)
    }
  }

  #startAnew(error: unknown): void {
    if (this.#path === null || !(isBroken(error) || isRefused(error))) throw error
    this.database.close()
    if (isBroken(error)) setAside(this.#path)
    // A full disk: the work can still be done, only not kept.
    else this.#path = null
    this.database = openDatabase(this.#path)
  }
}
