// Made-up rows of the list, for tests of what is done with them.

import type { Activity, Home, HomeRow } from '../../src/server/api/home.ts'

export const NOON_MS = Date.parse('2026-11-14T12:00:00Z')

let made = 0

export function row(facts: Partial<HomeRow> = {}): HomeRow {
  made++
  return {
    id: `${made.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    title: `Conversation ${made}`,
    firstPrompt: null,
    project: '/home/ada/tidewatch',
    repository: '/home/ada/tidewatch',
    gitBranch: null,
    model: null,
    createdMs: null,
    modifiedMs: NOON_MS - made * 60_000,
    turns: 1,
    messages: 2,
    sizeBytes: 1000,
    compactions: 0,
    branches: 1,
    subagents: 0,
    problems: 0,
    continues: null,
    forkOf: null,
    tag: null,
    isArchived: false,
    isGone: false,
    isCopy: false,
    running: null,
    ...facts,
  }
}

export function home(rows: readonly HomeRow[]): Home {
  return { rows, roots: ['/home/ada/.claude'], isSample: false, timeZone: 'UTC', nowMs: NOON_MS, indexing: null }
}

/** Costs by id, and the ids that were at work by day. */
export function accounts(
  costs: Readonly<Record<string, number | null>>,
  days: Readonly<Record<string, readonly string[]>> = {},
): Activity {
  return {
    days: Object.entries(days).map(([day, sessions]) => ({
      day,
      messages: sessions.length * 10,
      outputTokens: 0,
      costUsd: null,
      sessions,
    })),
    sessions: Object.fromEntries(Object.entries(costs).map(([id, costUsd]) => [id, { costUsd, tokens: 0 }])),
  }
}
