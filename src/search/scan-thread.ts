// What every thread of a scan does: takes the next file, searches it, hands on what was found.

import type { Problem } from '../base/problem.ts'
import type { LineStart } from '../source/lines.ts'
import type { ScanBoard } from './scan-board.ts'
import { addFound, takeTarget } from './scan-board.ts'
import type { Search, Watch } from './scan-file.ts'
import { openSearch, scanFile } from './scan-file.ts'
import type { ScanHit, ScanPattern, ScanTarget } from './scan-model.ts'

export interface ScanJob {
  readonly targets: readonly ScanTarget[]
  readonly pattern: ScanPattern
  readonly limitPerFile: number
  readonly limit: number
  readonly board: ScanBoard
}

/** A file, or the rest of one behind a record that its thread did not survive. */
export interface ScanTask {
  readonly index: number
  readonly from: LineStart
  /** Lines that are left out. */
  readonly skipped: readonly number[]
  /** Hits that were handed on already. */
  readonly foundCount: number
}

/** What was found in a file, or in a part of it. */
export interface ScanPart {
  readonly index: number
  readonly hits: readonly ScanHit[]
  readonly problems: readonly Problem[]
  readonly isCut: boolean
}

/** Lets a worker say where it is before each line. */
export type WatchTask = (task: ScanTask, handOn: () => ScanPart) => Watch

export function* scanTargets(
  job: ScanJob,
  first: ScanTask | null = null,
  watchTask?: WatchTask,
): Generator<ScanPart, void, void> {
  const search = openSearch(job.pattern)
  for (let task = first ?? nextTask(job); task !== null; task = nextTask(job)) {
    yield scanTask(job, search, task, watchTask)
  }
}

export function startOf(index: number): ScanTask {
  return { index, from: { offset: 0, number: 1 }, skipped: [], foundCount: 0 }
}

function nextTask({ board, targets, limit }: ScanJob): ScanTask | null {
  const index = takeTarget(board, targets.length, limit)
  return index === null ? null : startOf(index)
}

function scanTask(job: ScanJob, search: Search, task: ScanTask, watchTask?: WatchTask): ScanPart {
  const target = job.targets[task.index] as ScanTarget
  let part: { hits: ScanHit[]; problems: Problem[] } = { hits: [], problems: [] }
  let foundCount = task.foundCount
  const handOn = (isCut = false): ScanPart => {
    const { hits, problems } = part
    part = { hits: [], problems: [] }
    addFound(job.board, hits.length)
    return { index: task.index, hits, problems, isCut }
  }
  // One more than the limit, so that it is known whether there are more.
  const hitsMax = Math.min(job.limitPerFile, job.limit + 1)
  for (const finding of scanFile(target, search, watchTask?.(task, handOn), task.from)) {
    if ('problem' in finding) {
      part.problems.push(finding.problem)
      continue
    }
    if (foundCount >= hitsMax) return handOn(true)
    part.hits.push(finding.hit)
    foundCount++
  }
  return handOn()
}
