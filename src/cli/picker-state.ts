// What the picker knows, and the ways it goes from one state to the next; picker-press.ts says which key goes which way.

import { excerpt } from '../base/text.ts'
import type { ListedConversation } from '../load/list.ts'
import type { PickerHit, PickerPreview, PickerSearch, PickerView } from '../render/picker-view.ts'
import type { Candidate } from './picker-filter.ts'
import { candidatesOf, matchesOf } from './picker-filter.ts'

export type Picked =
  | { readonly action: 'show'; readonly reference: string }
  | { readonly action: 'resume'; readonly row: ListedConversation }
  | null

export interface PickerState {
  readonly candidates: readonly Candidate[]
  readonly mode: 'list' | 'search'
  readonly focus: 'filter' | 'list'
  readonly filter: string
  readonly matches: readonly Candidate[]
  readonly selected: number
  readonly query: string
  readonly search: PickerSearch
  readonly selectedHit: number
  /** How far the preview was moved from where it began. */
  readonly scroll: number
  readonly note: string | null
}

const NO_SEARCH: PickerSearch = { state: 'idle', hits: [], message: '' }

export function openState(rows: readonly ListedConversation[], home: string): PickerState {
  const candidates = candidatesOf(rows, home)
  return {
    candidates,
    mode: 'list',
    focus: 'filter',
    filter: '',
    matches: candidates,
    selected: 0,
    query: '',
    search: NO_SEARCH,
    selectedHit: 0,
    scroll: 0,
    note: null,
  }
}

/** The answer to a search; one that came too late says nothing. */
export function searched(
  state: PickerState,
  query: string,
  answer: readonly PickerHit[] | { readonly failed: string },
): PickerState {
  if (query !== state.query || state.search.state !== 'running') return state
  const search: PickerSearch =
    'failed' in answer
      ? { state: 'failed', hits: [], message: answer.failed }
      : { state: 'done', hits: answer, message: '' }
  return { ...state, search, selectedHit: 0, scroll: 0, note: null }
}

export function selectedHit(state: PickerState): PickerHit | null {
  return state.mode === 'search' ? (state.search.hits[state.selectedHit] ?? null) : null
}

/** The conversation that is selected; null when none is, or when a hit stands in none of the list. */
export function selectedRow(state: PickerState): ListedConversation | null {
  if (state.mode === 'list') return state.matches[state.selected]?.row ?? null
  const hit = selectedHit(state)
  if (hit === null) return null
  const { candidates } = state
  const found =
    candidates.find(({ row }) => row.path === hit.path) ?? candidates.find(({ row }) => row.sessionId === hit.sessionId)
  return found?.row ?? null
}

export function viewOf(state: PickerState, preview: PickerPreview): PickerView {
  const { candidates, mode, focus, matches, search, note } = state
  const selected = mode === 'search' ? state.selectedHit : state.selected
  const typed = typedOf(state)
  return {
    mode,
    focus,
    typed,
    matches,
    total: candidates.length,
    selected,
    search,
    row: selectedRow(state),
    preview,
    note,
  }
}

export function openSearch(state: PickerState, query: string): PickerState {
  return withTyped({ ...state, mode: 'search', focus: 'filter' }, query)
}

export function closeSearch(state: PickerState): PickerState {
  return { ...state, mode: 'list', focus: 'filter', scroll: 0 }
}

/** Typed text has no line ends and nothing invisible in it, but for what joins letters. */
export function typeInto(state: PickerState, text: string): PickerState {
  const clean = text.replace(/\s+/g, ' ').replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
  return withTyped(state, excerpt(typedOf(state) + clean, TYPED_LENGTH_MAX))
}

const TYPED_LENGTH_MAX = 1000

export function typedOf(state: PickerState): string {
  return state.mode === 'search' ? state.query : state.filter
}

export function withTyped(state: PickerState, typed: string): PickerState {
  if (state.mode === 'list') {
    if (typed === state.filter) return state
    // More letters can only match less.
    const matches = matchesOf(typed.startsWith(state.filter) ? state.matches : state.candidates, typed)
    return { ...state, filter: typed, matches, selected: 0, scroll: 0 }
  }
  if (typed.trim() === '') return { ...state, query: typed, search: NO_SEARCH, selectedHit: 0, scroll: 0 }
  if (typed === state.query && state.search.state !== 'idle') return state
  return { ...state, query: typed, search: { ...state.search, state: 'running', message: '' } }
}

export function moveBy(state: PickerState, by: number): PickerState {
  const isSearch = state.mode === 'search'
  const length = isSearch ? state.search.hits.length : state.matches.length
  const before = isSearch ? state.selectedHit : state.selected
  const next = Math.max(0, Math.min(length - 1, before + by))
  if (next === before) return state
  return isSearch ? { ...state, selectedHit: next, scroll: 0 } : { ...state, selected: next, scroll: 0 }
}
