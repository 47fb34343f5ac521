// What a search takes and gives.

import type { DocKind } from './docs.ts'

export const SEARCH_FIELDS = ['prompts', 'replies', 'thinking', 'tools', 'files', 'commands', 'titles'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]

export interface SearchOptions {
  readonly typed: string
  /** Everything when empty. */
  readonly fields: ReadonlySet<SearchField>
  readonly sinceMs: number | null
  readonly untilMs: number | null
  readonly tool: string | null
  readonly file: string | null
  readonly limit: number
  /** Per conversation; what is more is only counted. */
  readonly perConversation: number
  /** False: only the best record of each Turn is named. To read the ids of the others takes half as long as the hits. */
  readonly allRecords?: boolean
}

export interface Snippet {
  readonly text: string
  /** From, to: what matched. */
  readonly marks: readonly (readonly [number, number])[]
}

export interface SearchHit {
  /** For `clew show`: opens the conversation at this place. */
  readonly ref: string
  readonly sessionId: string
  readonly agentId: string | null
  readonly uuid: string | null
  readonly kind: DocKind | 'title' | 'conversation'
  readonly field: SearchField
  readonly title: string
  readonly project: string
  readonly gitBranch: string | null
  readonly model: string | null
  /** Of the conversation; null for a record outside of any Turn and in a subagent's file. */
  readonly branch: number | null
  /** As `clew show --turn` counts; null on other Branches than the live one. */
  readonly turn: number | null
  readonly timestampMs: number | null
  readonly snippet: Snippet | null
  readonly path: string
  readonly offset: number
  readonly length: number
  /** The source file was deleted. */
  readonly isGone: boolean
  /** The records of this Turn that match, the best first; only that one where not all were asked for. */
  readonly records: readonly (string | null)[]
  /** Other Turns of the same conversation that match and are not shown. */
  readonly more: number
  /** It comes close to what was asked for: most of the words, or other forms of them. */
  readonly isLoose?: boolean
  readonly score: number
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** Turns that match; at least this many when `isBounded`. */
  readonly total: number
  /** There were so many hits that only the newest were looked at. */
  readonly isBounded: boolean
}
