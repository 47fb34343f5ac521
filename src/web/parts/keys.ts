// What the keyboard does, as the help tells it. Whoever adds a key to a page adds it here.

import { isApple } from './shortcuts.ts'

export interface KeyRow {
  readonly press: readonly string[]
  readonly does: string
}

export const KEYS: readonly { readonly where: string; readonly keys: readonly KeyRow[] }[] = [
  {
    where: 'Anywhere',
    keys: [
      { press: [isApple ? '⌘ K' : 'Ctrl K'], does: 'Search everything' },
      { press: ['/'], does: 'Search; among conversations: filter the list' },
      { press: ['g h'], does: 'Go to conversations' },
      { press: ['g u'], does: 'Go to usage' },
      { press: ['g j'], does: 'Go to the journal' },
      { press: ['g d'], does: 'Go to health' },
      { press: ['?'], does: 'This help' },
      { press: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    where: 'Conversations',
    keys: [
      { press: ['j', '↓'], does: 'Next conversation' },
      { press: ['k', '↑'], does: 'Previous conversation' },
      { press: ['Enter'], does: 'Open it; in the filter: open the first' },
      { press: ['/'], does: 'Filter' },
      { press: ['Esc'], does: 'In the filter: empty it' },
      { press: ['← ↑ → ↓'], does: 'In the calendar: another day' },
      { press: ['Shift Enter'], does: 'In the calendar: up to this day' },
    ],
  },
  {
    where: 'A conversation',
    keys: [
      { press: ['j', 'k'], does: 'Next and previous turn' },
      { press: ['g g', 'G'], does: 'First and last turn' },
      { press: ['o'], does: 'Open or close a tool call' },
      { press: ['e', 'E'], does: 'Open or close all calls in sight' },
      { press: ['[', ']'], does: 'Previous and next branch' },
      { press: ['f'], does: 'Find in this conversation' },
      { press: ['n', 'N'], does: 'Next and previous hit' },
      { press: ['t'], does: 'Timeline' },
      { press: ['y'], does: 'Copy a link to this place' },
    ],
  },
]
