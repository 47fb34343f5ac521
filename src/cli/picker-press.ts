// What a key does. Letters go into the line on top; Ctrl-R and Ctrl-F are commands at any time. While that line is empty
// `/` is a command, and so is `r` when nothing follows it: it may begin a word. Tab moves the focus to the list, where single letters are commands. Esc takes
// one step back: from the search to the list, from a filter to none, and then out.

import { withoutLastGrapheme } from '../base/graphemes.ts'
import type { Key, NamedKey } from './keys.ts'
import type { Candidate } from './picker-filter.ts'
import type { Picked, PickerState } from './picker-state.ts'
import {
  closeSearch,
  moveBy,
  openSearch,
  selectedHit,
  selectedRow,
  typedOf,
  typeInto,
  withTyped,
} from './picker-state.ts'

/** What the screen of the moment allows. */
export interface Reach {
  /** How many conversations or hits fit; 0 when the screen is too small to choose anything. */
  readonly page: number
  readonly previewRows: number
  readonly scrollMin: number
  readonly scrollMax: number
}

export interface Pressed {
  readonly state: PickerState
  /** What the state alone cannot bring about. */
  readonly wish: 'suspend' | 'redraw' | { readonly picked: Picked } | null
}

export function press(before: PickerState, key: Key, reach: Reach): Pressed {
  const state = { ...before, note: null }
  if (reach.page === 0 && key.name !== 'escape' && key.name !== 'ctrl-c' && key.name !== 'ctrl-z')
    return { state, wish: null }
  if (key.name === 'paste') return stay(typeInto({ ...state, focus: 'filter' }, key.text))
  if (key.name !== 'text') return pressNamed(state, key.name, reach)
  if (state.focus === 'filter') return stay(pressText(state, key.text))
  let pressed: Pressed = stay(state)
  for (const letter of key.text) {
    if (pressed.wish !== null) break
    // A command may give the focus back; what was typed behind it is text then.
    if (pressed.state.focus === 'filter') pressed = stay(typeInto(pressed.state, letter))
    else pressed = pressLetter(pressed.state, letter, reach)
  }
  return pressed
}

/** Typed into an empty line: a command, unless letters follow at once. */
export function isLoneResume({ mode, focus, filter }: PickerState, key: Key): boolean {
  return key.name === 'text' && key.text === 'r' && mode === 'list' && focus === 'filter' && filter === ''
}

function pressText(state: PickerState, text: string): PickerState {
  const isSearch = text.startsWith('/') && state.mode === 'list' && state.filter === ''
  return isSearch ? typeInto(openSearch(state, ''), text.slice(1)) : typeInto(state, text)
}

function pressNamed(state: PickerState, name: NamedKey, reach: Reach): Pressed {
  switch (name) {
    case 'enter':
      return enter(state)
    case 'escape':
      return reach.page === 0 ? leave(state) : stepBack(state)
    case 'ctrl-c':
      return leave(state)
    case 'ctrl-d':
      return typedOf(state) === '' ? leave(state) : stay(state)
    case 'ctrl-z':
      return { state, wish: 'suspend' }
    case 'ctrl-l':
      return { state, wish: 'redraw' }
    case 'ctrl-r':
      return resume(state)
    case 'ctrl-f':
      return stay(state.mode === 'search' ? closeSearch(state) : openSearch(state, state.filter || state.query))
    case 'tab':
      return stay({ ...state, focus: state.focus === 'filter' ? 'list' : 'filter' })
    case 'backspace':
      if (state.mode === 'search' && state.query === '') return stay(closeSearch(state))
      return stay(withTyped({ ...state, focus: 'filter' }, withoutLastGrapheme(typedOf(state))))
    case 'word-backspace':
      return stay(withTyped({ ...state, focus: 'filter' }, typedOf(state).replace(/\S*\s*$/, '')))
    case 'ctrl-u':
      return stay(withTyped({ ...state, focus: 'filter' }, ''))
    case 'up':
    case 'ctrl-p':
      return stay(moveBy(state, -1))
    case 'down':
    case 'ctrl-n':
      return stay(moveBy(state, 1))
    case 'page-up':
      return stay(moveBy(state, -reach.page))
    case 'page-down':
      return stay(moveBy(state, reach.page))
    case 'home':
      return stay(moveBy(state, Number.NEGATIVE_INFINITY))
    case 'end':
      return stay(moveBy(state, Number.POSITIVE_INFINITY))
    case 'scroll-up':
      return stay(scrollBy(state, -3, reach))
    case 'scroll-down':
      return stay(scrollBy(state, 3, reach))
  }
}

function pressLetter(state: PickerState, letter: string, reach: Reach): Pressed {
  switch (letter) {
    case 'r':
      return resume(state)
    case '/':
      return stay(state.mode === 'search' ? { ...state, focus: 'filter' } : openSearch(state, ''))
    case 'q':
      return leave(state)
    case 'j':
      return stay(moveBy(state, 1))
    case 'k':
      return stay(moveBy(state, -1))
    case 'g':
      return stay(moveBy(state, Number.NEGATIVE_INFINITY))
    case 'G':
      return stay(moveBy(state, Number.POSITIVE_INFINITY))
    case ' ':
      return stay(scrollBy(state, Math.max(1, reach.previewRows - 1), reach))
    case 'b':
      return stay(scrollBy(state, -Math.max(1, reach.previewRows - 1), reach))
    default:
      return stay(state)
  }
}

function enter(state: PickerState): Pressed {
  if (state.mode === 'list') {
    const match = state.matches[state.selected]
    if (match !== undefined) return pickedIs(state, { action: 'show', reference: match.row.sessionId })
    return stay(state.filter.trim() === '' ? state : openSearch(state, state.filter))
  }
  if (state.search.state === 'running') return stillSearching(state)
  const hit = selectedHit(state)
  return hit === null ? stay(state) : pickedIs(state, { action: 'show', reference: hit.reference })
}

/** What is on the screen then was found for other words. */
function stillSearching(state: PickerState): Pressed {
  return stay({ ...state, note: 'Still searching…' })
}

function resume(state: PickerState): Pressed {
  if (state.mode === 'search' && state.search.state === 'running') return stillSearching(state)
  const row = selectedRow(state)
  if (row !== null) return pickedIs(state, { action: 'resume', row })
  return stay(
    selectedHit(state) !== null
      ? { ...state, note: 'This one is not in the list of conversations; Enter shows it.' }
      : state,
  )
}

function stepBack(state: PickerState): Pressed {
  if (state.mode === 'search') return stay(closeSearch(state))
  if (state.filter === '') return leave(state)
  // The same conversation stays selected, so that one sees what was before and after it.
  const selected = state.candidates.indexOf(state.matches[state.selected] as Candidate)
  return stay({ ...withTyped(state, ''), selected: Math.max(0, selected), focus: 'filter' })
}

function scrollBy(state: PickerState, by: number, { scrollMin, scrollMax }: Reach): PickerState {
  return { ...state, scroll: Math.max(scrollMin, Math.min(scrollMax, state.scroll + by)) }
}

function stay(state: PickerState): Pressed {
  return { state, wish: null }
}

function leave(state: PickerState): Pressed {
  return pickedIs(state, null)
}

function pickedIs(state: PickerState, picked: Picked): Pressed {
  return { state, wish: { picked } }
}
