// One Reading of one conversation, open for windows: from a Layout in the index, or from one that was just made.

import type { Growth } from '../conversation/growth.ts'
import type { Row, RowTurn } from '../conversation/layout.ts'
import { uuidKey } from '../conversation/layout.ts'
import type { BranchFacts, ReadingLayout, RowBoundary, RowFork } from '../conversation/reading-layout.ts'
import type { StoredHead, StoredLayouts } from '../search/layouts.ts'
import type { ReadingChoice } from './api/conversation.ts'

export interface OpenReading {
  readonly choice: ReadingChoice
  readonly version: string
  readonly rows: number
  readonly turns: number
  readonly branches: readonly BranchFacts[]
  readonly forks: readonly RowFork[]
  readonly boundaries: readonly RowBoundary[]
  readonly growth: Growth
  /** The files that the `transcript` of a Spot counts. */
  readonly paths: readonly string[]
  readonly isSubagent: boolean
  readonly rowsAt: (from: number, count: number) => readonly Row[]
  readonly allTurns: () => readonly RowTurn[]
}

export const LIVE_BRANCH: ReadingChoice = { reading: 'full', branch: 0, agent: null, at: null }

export function storedReading(layouts: StoredLayouts, head: StoredHead, paths: readonly string[]): OpenReading {
  let turns: readonly RowTurn[] | null = null
  return {
    choice: LIVE_BRANCH,
    version: `stored ${head.stamp}`,
    rows: head.rows,
    turns: head.turns,
    branches: head.branches,
    forks: head.forks,
    boundaries: head.boundaries,
    growth: head.growth,
    paths,
    isSubagent: false,
    rowsAt: (from, count) => layouts.rows(head.file, from, Math.min(count, head.rows - from)),
    allTurns: () => {
      turns ??= layouts.turns(head.file)
      return turns
    },
  }
}

export interface MadeFrom {
  readonly choice: ReadingChoice
  readonly version: string
  readonly paths: readonly string[]
}

export function madeReading(layout: ReadingLayout, { choice, version, paths }: MadeFrom): OpenReading {
  return {
    choice,
    version,
    rows: layout.rows.length,
    turns: layout.turns.length,
    branches: layout.branches,
    forks: layout.forks,
    boundaries: layout.boundaries,
    growth: layout.growth,
    paths,
    isSubagent: choice.agent !== null,
    rowsAt: (from, count) => layout.rows.slice(from, from + count),
    allTurns: () => layout.turns,
  }
}

const STEP_ROWS = 4096

/** Rows that hold a record of this id, or one that begins so; the caller looks whether it is really there. */
export function* rowsNamed(reading: OpenReading, uuid: string): Generator<number> {
  const isWhole = uuid.length >= 8
  const key = uuidKey(uuid)
  for (let from = 0; from < reading.rows; from += STEP_ROWS) {
    for (const [index, row] of reading.rowsAt(from, STEP_ROWS).entries()) {
      const spots = [row.record, ...row.further, ...row.calls.flatMap(({ result }) => result ?? [])]
      const isNamed = spots.some((spot) =>
        isWhole ? spot.key === key : spot.key.toString(16).padStart(8, '0').startsWith(uuid),
      )
      if (isNamed) yield from + index
    }
  }
}

/** The Row of the record that begins at an offset of the first file, or of the last one before it. */
export function rowAtOffset(reading: OpenReading, offset: number): number {
  let nearest = -1
  let found = -1
  for (let from = 0; from < reading.rows; from += STEP_ROWS) {
    for (const [index, row] of reading.rowsAt(from, STEP_ROWS).entries()) {
      const spots = [row.record, ...row.further, ...row.calls.flatMap(({ result }) => result ?? [])]
      for (const spot of spots) {
        if (spot.transcript !== 0 || spot.offset > offset || spot.offset <= nearest) continue
        nearest = spot.offset
        found = from + index
      }
    }
  }
  return found
}
