// Asks as one types: a moment after the last key, and no longer for what is outdated. The bytes are looked through only
// where no word matched and the reader pauses.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchAnswer } from '../../server/api/search.ts'
import { ask, queryOf } from '../ask.ts'
import type { Typed } from './filters.ts'

const TYPING_MS = 80
const PAUSE_MS = 700

export interface Search {
  readonly answer: SearchAnswer | null
  readonly error: Error | null
  /** Words are being asked for, or were typed a moment ago. */
  readonly isAsking: boolean
  /** No word matched, and the bytes are being looked through. */
  readonly isDeep: boolean
  readonly again: () => void
}

export function useSearch(typed: Typed): Search {
  const query = addressOf(typed)
  const settled = useSettled(query, TYPING_MS)
  const paused = useSettled(query, PAUSE_MS)
  const words = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => ask<SearchAnswer>(`search${settled}`, signal),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isNothing = words.data?.hits.length === 0 && !words.isPlaceholderData && settled === query
  const deep = useQuery({
    queryKey: ['search', 'deep', query],
    queryFn: ({ signal }) => ask<SearchAnswer>(`search${query}&deep=1`, signal),
    enabled: isNothing && paused === query && typed.words.trim() !== '',
    retry: false,
  })
  const isOpen = query === ''
  // What was found stays when asking for it once more fails: a stream that was cut asks everything anew.
  const failure = (words.data === undefined ? words.error : null) ?? (isNothing && !deep.data ? deep.error : null)
  return {
    answer: isOpen ? null : ((isNothing ? deep.data : undefined) ?? words.data ?? null),
    error: isOpen ? null : failure,
    isAsking: !isOpen && (settled !== query || words.isFetching),
    isDeep: isNothing && deep.data === undefined && deep.error === null && typed.words.trim() !== '',
    again: () => void words.refetch(),
  }
}

/** Empty when there is nothing to ask. */
function addressOf({ words, filters }: Typed): string {
  const q = words.trim()
  if (q === '' && filters.tool === null && filters.file === null) return ''
  const { fields, since, until, project, tool, file } = filters
  const within = fields.length === 0 ? null : fields.join(',')
  return queryOf({ q, in: within, since, until, project, tool, file, typing: 1 })
}

/** The value as it was when it last stayed the same for so long. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
