// The open index: one handle for a command or a library user. A broken file is noticed wherever it shows, set aside, and
// the question asked again of a new one.

import type { Access } from '../load/access.ts'
import type { FoundArchive } from '../load/archive.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { GoneConversation } from './access.ts'
import { goneConversations, indexAccess } from './access.ts'
import { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import { isBroken, isInMemory, openDatabase, setAside } from './database.ts'
import { describeFromIndex } from './describe.ts'
import type { ExactOptions, ExactResult } from './exact.ts'
import { searchExact } from './exact.ts'
import type { Ingested, IngestOptions } from './ingest.ts'
import { ingest } from './ingest.ts'
import type { SearchOptions, SearchResult } from './model.ts'
import { knownFiles } from './plan.ts'
import { literalOf } from './query.ts'
import type { ConversationFilter } from './scope.ts'
import { filesInScope } from './scope.ts'
import { searchIndex } from './search.ts'
import { isBusy, isRefused } from './sqlite-code.ts'

export interface FoundAnywhere extends ExactResult {
  /** No word matched. */
  readonly isInBytes: boolean
}

export class Index {
  #path: string | null
  #database: Database
  #fresh: FoundArchive | null = null
  #conversations: Conversations | null = null
  #scoped: { readonly archive: FoundArchive; readonly files: readonly number[] | null } | null = null

  constructor(path: string | null) {
    this.#path = path
    this.#database = openDatabase(path)
  }

  /** Brings it up to what is on disk. */
  async refresh(archive: FoundArchive, options: IngestOptions): Promise<Ingested> {
    this.#scoped = null
    this.#conversations = null
    const state = await this.#ingest(archive, options)
    // After an update some project may have stayed out: a file of it cannot be read.
    this.#fresh = state === 'unchanged' ? archive : null
    return state
  }

  access(): Access {
    return indexAccess(this.#database, this.#fresh)
  }

  /** False when there was no place to keep it: then it saves nobody any time. */
  get isKept(): boolean {
    return this.#path !== null && !isInMemory(this.#database)
  }

  gone(roots: readonly string[]): readonly GoneConversation[] {
    return goneConversations(this.#database, roots)
  }

  search(archive: FoundArchive, options: SearchOptions, filter: ConversationFilter, nowMs: number): SearchResult {
    const scope = this.#scope(archive, filter)
    this.#conversations ??= new Conversations(this.#database)
    return searchIndex(this.#database, options, { scope, nowMs, conversations: this.#conversations })
  }

  /** Words first; when none matches, the text wherever it stands: inside of words and beyond what is indexed. */
  async find(
    archive: FoundArchive,
    options: SearchOptions,
    filter: ConversationFilter,
    { nowMs, onProgress }: IngestOptions,
  ): Promise<FoundAnywhere> {
    const found = this.search(archive, options, filter, nowMs)
    const text = options.tool === null && options.file === null ? literalOf(options.typed) : null
    if (found.hits.length > 0 || text === null) return { ...found, isInBytes: false, problems: [] }
    const wanted = this.filesWanted(archive, filter)
    const pattern = { kind: 'exact', text, ignoreCase: true } as const
    const isWanted = wanted === null ? null : ({ path }: TranscriptFile) => wanted.has(path)
    const progress = onProgress === undefined ? {} : { onProgress }
    return { ...(await this.exact(archive, { ...options, pattern, isWanted, ...progress })), isInBytes: true }
  }

  /** A scan of the bytes; the index only says where in its conversation a hit stands. */
  exact(archive: FoundArchive, options: ExactOptions): Promise<ExactResult> {
    const { read } = this.access()
    return searchExact(archive, options, read, describeFromIndex(this.#database, archive, read))
  }

  /** Which transcripts of the archive are in conversations that fit. */
  filesWanted(archive: FoundArchive, filter: ConversationFilter): ReadonlySet<string> | null {
    const scope = filesInScope(this.#database, archive, filter)
    if (scope === null) return null
    const wanted = new Set(scope)
    return new Set([...knownFiles(this.#database).values()].filter(({ id }) => wanted.has(id)).map(({ path }) => path))
  }

  /** Files whose words may not be in the index yet: another process is still at it. */
  behind(archive: FoundArchive): number {
    const known = knownFiles(this.#database)
    const files = archive.projects.flatMap((project) => project.files)
    return files.filter((file) => (known.get(file.path)?.size ?? -1) !== file.sizeBytes).length
  }

  async #ingest(archive: FoundArchive, options: IngestOptions): Promise<Ingested> {
    try {
      return await ingest(this.#database, this.#path, archive, options)
    } catch (error) {
      if (isBusy(error)) return 'busy'
      this.#startAnew(error)
      return ingest(this.#database, this.#path, archive, options)
    }
  }

  /** Who searches again and again in one archive has its files looked up once. */
  #scope(archive: FoundArchive, filter: ConversationFilter): readonly number[] | null {
    const isOpen = filter.isWanted === null && filter.gitBranch === null && filter.model === null
    if (!isOpen) return filesInScope(this.#database, archive, filter)
    if (this.#scoped?.archive !== archive)
      this.#scoped = { archive, files: filesInScope(this.#database, archive, filter) }
    return this.#scoped.files
  }

  close(): void {
    this.#database.close()
  }

  #startAnew(error: unknown): void {
    if (this.#path === null || !(isBroken(error) || isRefused(error))) throw error
    this.#database.close()
    if (isBroken(error)) setAside(this.#path)
    // A full disk: the work can still be done, only not kept.
    else this.#path = null
    this.#database = openDatabase(this.#path)
  }
}
