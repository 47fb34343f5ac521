// A Layout with what surrounds it: the Branches there are, where they leave the one that is read, and its compactions.

import type { OutlineBranch } from '../graph/outline.ts'
import type { ThreadNode } from '../graph/thread.ts'
import type { TokensAround } from '../record/model.ts'
import { tokensOf } from '../record/tokens-around.ts'
import type { Woven } from './build.ts'
import type { Growth } from './growth.ts'
import { growthOf } from './growth.ts'
import type { Layout, Row, Spot } from './layout.ts'
import { layoutOf } from './layout.ts'
import type { Turn } from './model.ts'
import type { Reading } from './reading.ts'

export interface ReadingLayout extends Layout {
  readonly branches: readonly BranchFacts[]
  readonly forks: readonly RowFork[]
  readonly boundaries: readonly RowBoundary[]
  readonly growth: Growth
}

export interface BranchFacts {
  readonly number: number
  readonly parent: number | null
  readonly forkUuid: string | null
  readonly tipUuid: string | null
  readonly turns: number
  readonly startedMs: number | null
  readonly endedMs: number | null
}

/** Branches that go another way from this Row on. */
export interface RowFork {
  readonly row: number
  readonly branches: readonly number[]
}

export interface RowBoundary extends TokensAround {
  readonly row: number
  readonly trigger: string | null
}

export function readingLayout(
  woven: Woven,
  { turns, branch, rule }: Pick<Reading, 'turns' | 'branch' | 'rule'>,
): ReadingLayout {
  const layout = layoutOf(turns)
  const rowAt = rowFinder(layout.rows)
  return {
    ...layout,
    branches: woven.outline.branches.map((one, number) => branchFacts(woven, one, number)),
    forks: rule === 'full' ? forksOf(woven, branch, rowAt) : [],
    boundaries: boundariesOf(turns, rowAt),
    growth: growthOf(woven),
  }
}

type FindRow = (transcript: number, offset: number) => number | undefined

/** Made when it is first asked: most conversations have neither forks nor compactions. */
function rowFinder(rows: readonly Row[]): FindRow {
  // By transcript, and in it by offset.
  let known: Map<number, number>[] | null = null
  return (transcript, offset) => {
    known ??= rowsByOffset(rows)
    return known[transcript]?.get(offset)
  }
}

function rowsByOffset(rows: readonly Row[]): Map<number, number>[] {
  const known: Map<number, number>[] = []
  const add = ({ transcript, offset }: Spot, index: number): void => {
    known[transcript] ??= new Map()
    known[transcript].set(offset, index)
  }
  for (let index = 0; index < rows.length; index++) {
    const { record, calls, further } = rows[index] as Row
    add(record, index)
    for (const spot of further) add(spot, index)
    for (const { result } of calls) if (result !== null) add(result, index)
  }
  return known
}

function branchFacts(woven: Woven, { parent, fork, path }: OutlineBranch, number: number): BranchFacts {
  const { nodes } = woven.joined
  let turns = 0
  for (const index of path) if ((nodes[index] as ThreadNode).first.kind === 'prompt') turns++
  const [first, last] = [path[0], path.at(-1)].map((index) => (index === undefined ? undefined : nodes[index]))
  return {
    number,
    parent,
    forkUuid: fork === null ? null : (nodes[fork] as ThreadNode).uuid,
    tipUuid: last?.uuid ?? null,
    turns,
    startedMs: first?.first.timestampMs ?? null,
    endedMs: last?.first.timestampMs ?? null,
  }
}

function forksOf(woven: Woven, read: number, rowAt: FindRow): readonly RowFork[] {
  const { branches } = woven.outline
  const { nodes } = woven.joined
  const forks = new Map<number, number[]>()
  const add = (fork: number, branch: number): void => {
    const { transcript, first } = nodes[fork] as ThreadNode
    const row = rowAt(transcript, first.offset)
    if (row === undefined) return
    const known = forks.get(row)
    if (known === undefined) forks.set(row, [branch])
    else known.push(branch)
  }
  // From the Branch that is read back to the root: each ancestor goes another way where it was left.
  const line = new Set<number>()
  for (let at: number | null = read; at !== null && !line.has(at); ) {
    line.add(at)
    const { parent, fork }: OutlineBranch = branches[at] ?? NOWHERE
    if (parent !== null && fork !== null) add(fork, parent)
    at = parent
  }
  for (const [number, { parent, fork }] of branches.entries()) {
    if (!line.has(number) && parent !== null && line.has(parent) && fork !== null) add(fork, number)
  }
  return [...forks].sort(([one], [other]) => one - other).map(([row, found]) => ({ row, branches: found }))
}

const NOWHERE: OutlineBranch = { parent: null, fork: null, path: [], beside: new Map() }

function boundariesOf(turns: readonly Turn[], rowAt: FindRow): readonly RowBoundary[] {
  const found: RowBoundary[] = []
  for (const { records } of turns) {
    for (const { transcript, envelope } of records) {
      const { kind, boundary, offset } = envelope
      if (kind !== 'boundary') continue
      const row = rowAt(transcript, offset)
      if (row !== undefined) found.push({ row, trigger: boundary?.trigger ?? null, ...tokensOf(boundary) })
    }
  }
  return found
}
