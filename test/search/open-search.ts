// An index over some archive, and searches in it without saying what is not asked for.

import { join } from 'node:path'
import { afterAll } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import type { SearchOptions, SearchResult } from '../../src/search/model.ts'
import { Index } from '../../src/search/open-index.ts'
import type { ConversationFilter } from '../../src/search/scope.ts'

export const SAMPLE = join(import.meta.dirname, '..', '..', 'sample')

export type Search = (typed: string, more?: Partial<SearchOptions & ConversationFilter>) => SearchResult

export async function openSearch(root: string, nowMs: number): Promise<Search> {
  const archive = findTranscripts([root])
  const index = new Index(null)
  await index.refresh(archive, { nowMs })
  afterAll(() => index.close())
  const anything = { sinceMs: null, untilMs: null, tool: null, file: null, limit: 20, perConversation: 3 }
  return (typed, more = {}) => {
    const { isWanted = null, gitBranch = null, model = null, ...options } = more
    const filter = { isWanted, gitBranch, model }
    return index.search(archive, { fields: new Set(), ...anything, ...options, typed }, filter, nowMs)
  }
}
