// Conversations for the picker, with only what a test says about them.

import type { Key, NamedKey } from '../../src/cli/keys.ts'
import type { Reach } from '../../src/cli/picker-press.ts'
import { press } from '../../src/cli/picker-press.ts'
import type { PickerState } from '../../src/cli/picker-state.ts'
import { openState } from '../../src/cli/picker-state.ts'
import type { ListedConversation } from '../../src/load/list.ts'
import type { PickerHit } from '../../src/render/picker-view.ts'

export const HOME = '/home/ada'
export const NOW_MS = Date.parse('2026-11-15T12:00:00Z')
export const REACH: Reach = { page: 5, previewRows: 10, scrollMin: 0, scrollMax: 40 }

export function rowOf(more: Partial<ListedConversation> = {}): ListedConversation {
  const sessionId = more.sessionId ?? 'c0ffee00-0000-4000-8000-000000000000'
  return {
    sessionId,
    title: 'Tide tables',
    titleSource: 'custom-title',
    firstPrompt: null,
    tag: null,
    archived: false,
    cwd: more.project ?? '/home/ada/tidewatch',
    project: '/home/ada/tidewatch',
    gitBranch: 'main',
    version: '2.1.325',
    model: 'claude-opus-5',
    createdMs: NOW_MS,
    lastRecordMs: NOW_MS,
    turns: 3,
    prompts: 3,
    messages: 6,
    segments: 1,
    branches: 1,
    subagents: 0,
    continues: null,
    forkOf: null,
    problems: 0,
    dialect: 'client',
    path: `/archive/${sessionId}.jsonl`,
    modifiedMs: NOW_MS - 3_600_000,
    sizeBytes: 12_345,
    isCopy: false,
    ...more,
  }
}

export function hitOf(more: Partial<PickerHit> = {}): PickerHit {
  const sessionId = more.sessionId ?? 'c0ffee00-0000-4000-8000-000000000000'
  return {
    reference: `${sessionId}#1`,
    sessionId,
    title: 'Tide tables',
    project: '/home/ada/tidewatch',
    ageMs: 3_600_000,
    snippet: 'why is the tide an hour late',
    marks: [[11, 15]],
    path: `/archive/${sessionId}.jsonl`,
    ...more,
  }
}

export function titled(...titles: readonly string[]): PickerState {
  return openState(
    titles.map((title, place) => rowOf({ title, sessionId: `id-${place}`, project: '/srv/pilot', gitBranch: null })),
    HOME,
  )
}

/** Keys as a person names them; what is no name is typed. */
const NAMES: ReadonlySet<string> = new Set(
  `enter escape tab backspace word-backspace up down home end page-up page-down scroll-up scroll-down
  ctrl-c ctrl-d ctrl-f ctrl-l ctrl-n ctrl-p ctrl-r ctrl-u ctrl-z`.split(/\s+/),
)

export function keyOf(word: string): Key {
  return NAMES.has(word) ? { name: word as NamedKey } : { name: 'text', text: word }
}

export function pressed(state: PickerState, ...words: readonly string[]): PickerState {
  return words.reduce((before, word) => press(before, keyOf(word), REACH).state, state)
}

export function wishOf(state: PickerState, ...words: readonly string[]): ReturnType<typeof press>['wish'] {
  return press(pressed(state, ...words.slice(0, -1)), keyOf(words.at(-1) ?? ''), REACH).wish
}
