// The open index with search in it: one handle for a command or a library user.

import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { TranscriptFile } from '../source/model.ts'
import { Conversations } from './conversations.ts'
import { describeFromIndex } from './describe.ts'
import type { ExactOptions, ExactResult } from './exact.ts'
import { searchExact } from './exact.ts'
import type { FoundInFile } from './find-in-file.ts'
import { findInFile } from './find-in-file.ts'
import type { Ingested } from './ingest.ts'
import type { IngestOptions } from './ingest-work.ts'
import { KeptIndex } from './kept-index.ts'
import { StoredLayouts } from './layouts.ts'
import type { SearchOptions, SearchResult } from './model.ts'
import { knownFiles } from './plan.ts'
import type { PromptTime } from './prompt-times.ts'
import { promptTimes } from './prompt-times.ts'
import { literalOf } from './query.ts'
import type { ConversationFilter } from './scope.ts'
import { filesInScope } from './scope.ts'
import { searchIndex } from './search.ts'

export interface FoundAnywhere extends ExactResult {
  /** No word matched. */
  readonly isInBytes: boolean
}

export class Index extends KeptIndex {
  #conversations: Conversations | null = null
  #layouts: StoredLayouts | null = null
  #searched: FoundTranscripts | null = null
  #scoped: { readonly archive: FoundTranscripts; readonly files: readonly number[] | null } | null = null

  override async refresh(archive: FoundTranscripts, options: IngestOptions): Promise<Ingested> {
    this.forget()
    return super.refresh(archive, options)
  }

  /** What was looked up once is looked up anew: somebody else has brought the index up to date. */
  forget(): void {
    this.#scoped = null
    this.#conversations = null
    this.#layouts = null
  }

  search(archive: FoundTranscripts, options: SearchOptions, filter: ConversationFilter, nowMs: number): SearchResult {
    // Another process may have brought the index up to an archive that was found since.
    if (this.#searched !== archive) this.#conversations = null
    this.#searched = archive
    const scope = this.#scope(archive, filter)
    this.#conversations ??= new Conversations(this.database)
    return searchIndex(this.database, options, { scope, nowMs, conversations: this.#conversations })
  }

  /** What a list shows of the conversation in this file. */
  row(path: string): ListedConversation | null {
    const found = this.database
      .prepare('SELECT summary FROM conversation JOIN file ON file.id = conversation.file WHERE path = ?')
      .get(path) as { readonly summary: string } | undefined
    return found === undefined ? null : (JSON.parse(found.summary) as ListedConversation)
  }

  /** Conversations that say they go on from this one or were forked from it. */
  children(id: string): readonly { readonly id: string; readonly relation: 'continues' | 'forkOf' }[] {
    const rows = this.database
      .prepare(
        `SELECT DISTINCT summary ->> '$.sessionId' AS id,
         iif(summary ->> '$.continues' = ?1, 'continues', 'forkOf') AS relation
         FROM conversation WHERE summary ->> '$.continues' = ?1 OR summary ->> '$.forkOf' = ?1`,
      )
      .all(id)
    return rows as unknown as ReturnType<Index['children']>
  }

  findInFile(path: string, typed: string): FoundInFile {
    return findInFile(this.database, path, typed)
  }

  /** What a viewer reads of conversations. */
  get layouts(): StoredLayouts {
    this.#layouts ??= new StoredLayouts(this.database)
    return this.#layouts
  }

  /** Words first; when none matches, the text wherever it stands: inside of words and beyond what is indexed. */
  async find(
    archive: FoundTranscripts,
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
  exact(archive: FoundTranscripts, options: ExactOptions): Promise<ExactResult> {
    const { read } = this.access()
    return searchExact(archive, options, read, describeFromIndex(this.database, archive, read))
  }

  /** When people asked something: each Prompt of the main transcripts once, whatever forks have copied it. */
  prompts(archive: FoundTranscripts): readonly PromptTime[] {
    return promptTimes(this.database, archive)
  }

  /** Which transcripts of the archive are in conversations that fit. */
  filesWanted(archive: FoundTranscripts, filter: ConversationFilter): ReadonlySet<string> | null {
    const scope = filesInScope(this.database, archive, filter)
    if (scope === null) return null
    const wanted = new Set(scope)
    return new Set([...knownFiles(this.database).values()].filter(({ id }) => wanted.has(id)).map(({ path }) => path))
  }

  /** Who searches again and again in one archive has its files looked up once. */
  #scope(archive: FoundTranscripts, filter: ConversationFilter): readonly number[] | null {
    const isOpen = filter.isWanted === null && filter.gitBranch === null && filter.model === null
    if (!isOpen) return filesInScope(this.database, archive, filter)
    if (this.#scoped?.archive !== archive)
      this.#scoped = { archive, files: filesInScope(this.database, archive, filter) }
    return this.#scoped.files
  }
}
